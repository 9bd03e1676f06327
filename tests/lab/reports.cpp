// The writers, on results made by hand.
#include <cstring>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "lab/report.h"

using namespace warpbook;
using nlohmann::json;

namespace {

RunResult faulty() {
  RunResult result;
  result.status = "fault";
  result.exit_code = 1;
  result.engine = "emulator";
  result.gpu = "A100 40 GB";
  result.file = "a.cu";
  result.kernel = "scale";
  result.launch = {{4, 1, 1}, {32, 1, 1}, 0, false};
  Diagnosis d;
  d.kind = "oob-read";
  d.message = "Thread 4 of block 3 reads a[100].";
  d.hint = "Compare i with n first.";
  d.file = "a.cu";
  d.line = 2;
  d.column = 12;
  d.access = "read";
  d.space = "global";
  d.buffer = "a";
  d.index = 100;
  d.bytes = 4;
  d.block = Dim3{3, 0, 0};
  d.thread = Dim3{4, 0, 0};
  d.count = 28;
  result.diagnostics.push_back(d);
  Output output;
  output.name = "out";
  output.type = ElementType::f32;
  const float values[] = {1, NAN, -2};
  output.count = 3;
  output.data.resize(sizeof values);
  std::memcpy(output.data.data(), values, sizeof values);
  output.min = -2;
  output.max = 1;
  output.nan_count = 1;
  result.outputs.push_back(output);
  result.printf = "bad \xff byte";
  return result;
}

CheckReport failed() {
  CheckReport report;
  report.lesson = "02-hello-grid";
  report.exercise = "cover-all";
  report.file = "answer.cu";
  CheckRow good, bad, skipped;
  good.check = "compiles";
  good.passed = true;
  good.message = "The code compiles.";
  bad.check = "results";
  bad.message = "out[1] is <3>, but should be \"4\" & more";
  bad.mismatch = Mismatch{"out", 1, "4", "3", Dim3{0, 0, 0}, Dim3{1, 0, 0}, "n = 2"};
  bad.diagnostics = faulty().diagnostics;
  skipped.check = "counter";
  skipped.name = "barriers";
  skipped.skipped = true;
  report.rows = {good, bad, skipped};
  return report;
}

std::string written(const std::string& format, const std::vector<CheckReport>& reports) {
  for (const CheckFormat& one : check_formats())
    if (one.name == format) return one.write(reports, {});
  FAIL("no format " << format);
  return {};
}

}  // namespace

TEST_CASE("Text shows the place, the source line and a caret under it") {
  const std::string text = run_as_text(faulty(), "line one\nout[i] = a[i];\n", {});
  CHECK(text.find("a.cu:2:12: error: oob-read: Thread 4") != std::string::npos);
  CHECK(text.find("    2 | out[i] = a[i];\n      |            ^\n") != std::string::npos);
  CHECK(text.find("hint: Compare i with n first.") != std::string::npos);
  CHECK(text.find("28 threads") != std::string::npos);
  CHECK(text.find("out  f32[3]  1 nan -2") != std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(run_as_text(faulty(), "", {true, 100}).find('\x1b') != std::string::npos);
}

TEST_CASE("The caret stands under the array, and the second place has its own line") {
  Diagnosis d;
  d.kind = "race-shared";
  d.message = "Two threads touch tile[3].";
  d.file = "a.cu";
  d.line = 1;
  d.column = 5;
  d.buffer = "tile";
  d.other = Diagnosis::Other{2, "write", Dim3{0, 0, 0}, Dim3{7, 0, 0}};
  const std::string text = diagnosis_as_text(d, "    out[t] = tile[t];\n    my_tile[0] = tile[t + 1];\n", {});
  CHECK(text.find("    1 |     out[t] = tile[t];\n      |              ^\n") != std::string::npos);
  CHECK(text.find("and here (write, thread (7, 0, 0) of block (0, 0, 0))") != std::string::npos);
  CHECK(text.find("    2 |     my_tile[0] = tile[t + 1];\n      |                  ^\n") !=
        std::string::npos);
}

TEST_CASE("Text stays bounded when a kernel prints without end") {
  RunResult result = faulty();
  result.printf = std::string(1000000, 'x');
  CHECK(run_as_text(result, "", {}).size() < 10000);
}

TEST_CASE("JSON is valid, whatever the kernel printed, and null where nothing is known") {
  const json out = json::parse(run_as_json(faulty()));
  CHECK(out["status"] == "fault");
  CHECK(out["launch"]["grid"] == json::array({4, 1, 1}));
  CHECK(out["outputs"]["out"]["first"] == json::array({1.0, "nan", -2.0}));
  CHECK(out["outputs"]["out"]["nan_count"] == 1);
  CHECK(out["counters"].is_null());
  CHECK(out["occupancy"].is_null());
  CHECK(out["time"]["kernel_ms"].is_null());
  const json& d = out["diagnostics"][0];
  CHECK(d["index"] == 100);
  CHECK(d["block"] == json::array({3, 0, 0}));
  CHECK(d["threads"].is_null());
  CHECK(d["other"].is_object());
}

TEST_CASE("64-bit integers keep their last digits in JSON") {
  RunResult result = faulty();
  Output& output = result.outputs[0];
  output.type = ElementType::u64;
  output.count = 1;
  const uint64_t value = 18446744073709551615ull;
  output.data.resize(8);
  std::memcpy(output.data.data(), &value, 8);
  CHECK(run_as_json(result).find("18446744073709551615") != std::string::npos);
}

TEST_CASE("Check formats tell a failure each in its own way") {
  const json object = json::parse(written("json", {failed()}));
  CHECK(object["passed"] == false);
  CHECK(object["checks"][1]["mismatch"]["expected"] == "4");
  CHECK(object["checks"][2]["status"] == "skipped");
  CHECK(json::parse(written("json", {failed(), failed()}))["reports"].size() == 2);
  const std::string junit = written("junit", {failed()});
  CHECK(junit.find("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"") != std::string::npos);
  CHECK(junit.find("out[1] is &lt;3&gt;, but should be &quot;4&quot; &amp; more") != std::string::npos);
  const json gradescope = json::parse(written("gradescope", {failed()}));
  CHECK(gradescope["tests"].size() == 3);
  CHECK(gradescope["tests"][1]["score"] == 0);
  CHECK(gradescope["tests"][0]["score"] == 1);
  CHECK(json::parse(written("exercism", {failed()}))["status"] == "fail");
  const std::string csv = written("csv", {failed()});
  CHECK(csv.find("answer.cu,no,all,failed,") != std::string::npos);
  CHECK(csv.find("answer.cu,no,results,failed,\"out[1] is <3>, but should be \"\"4\"\" & more\"") !=
        std::string::npos);
  CHECK(written("text", {failed()}).find("fail  results: out[1]") != std::string::npos);
}

TEST_CASE("Pictures need a size that fits") {
  const Output output = faulty().outputs[0];
  CHECK_FALSE(as_png(output, 2, 2).ok());
  CHECK_FALSE(as_png(output, 0, 3).ok());
  CHECK_FALSE(as_png(output, 65536, 65536).ok());
  const auto png = as_png(output, 3, 1);
  REQUIRE(png.ok());
  CHECK(png->substr(1, 3) == "PNG");
}
