// Whole programs, run as a user runs them: first mistakes told with kind, line and exit code, and small
// programs of the kinds that NVIDIA's samples have, which pass because their kernels ran. Where there is no
// nvcc, nothing is tried.
#include <set>

#include "base/text.h"
#include "command.h"
#include "device/program_build.h"

using namespace command;
using namespace warpbook;

namespace {

const std::string programs = std::string(WARPBOOK_SOURCE_DIR) + "/tests/programs/cuda/";

/// Compiled programs outlive the test: compiling them takes most of its time.
bool can_build() {
  static const std::string missing = [] {
    const ToolkitPlace place = find_toolkit();
    if (!place.missing.empty()) return place.missing;
    const auto runtime = find_runtime_folder();
    return runtime ? std::string{} : runtime.error().message;
  }();
  if (!missing.empty()) {
    WARN(missing);
    return false;
  }
  const Path kept = Path(WARPBOOK_BINARY_DIR) / "test-program-cache", cache = folder() / "home" / "cache";
  std::error_code ignored;
  std::filesystem::create_directories(kept, ignored);
  std::filesystem::create_directories(cache, ignored);
  std::filesystem::create_directory_symlink(kept, cache / "programs", ignored);
  return true;
}

struct Told {
  json result;
  int exit_code;
  const json* find(const std::string& kind) const {
    for (const json& one : result["diagnostics"])
      if (one["kind"] == kind) return &one;
    return nullptr;
  }
};

Told run_situation(int which, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"run", programs + "situations.cu", "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.insert(arguments.end(), {"--", std::to_string(which)});
  const auto ran = run_warpbook(arguments);
  INFO(ran.err);
  Told told{json::parse(ran.out, nullptr, false), ran.exit_code};
  REQUIRE(told.result.is_object());
  return told;
}

/// The line of situations.cu that has this remark.
int line_of(const std::string& remark) {
  const std::string text = read(programs + "situations.cu");
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.find("// " + remark) != std::string_view::npos) return number;
  }
  FAIL("no line is marked " << remark);
  return 0;
}

void check_told(int which, const std::string& kind, const std::string& remark, const std::string& severity) {
  const Told told = run_situation(which);
  INFO(kind << ": " << told.result["diagnostics"].dump(1) << told.result["program"].dump());
  const json* found = told.find(kind);
  REQUIRE(found);
  CHECK((*found)["severity"] == severity);
  CHECK((*found)["line"] == line_of(remark));
  CHECK_FALSE((*found)["hint"].is_null());
  CHECK(told.exit_code == (severity == "error" ? 1 : 0));
}

}  // namespace

TEST_CASE("a correct program prints what a GPU prints, and nothing is found") {
  if (!can_build()) return;
  const Told told = run_situation(0);
  INFO(told.result.dump(1));
  CHECK(told.exit_code == 0);
  CHECK(told.result["status"] == "ok");
  CHECK(told.result["program"]["stdout"] == "c[999] = 10989\n");
  CHECK(told.result["program"]["exit"] == 0);
  CHECK(told.result["diagnostics"].empty());
  std::vector<std::string> calls;
  for (const json& row : told.result["tape"])
    calls.push_back(row["launch"].is_null() ? row["call"].get<std::string>() : "launch");
  const std::vector<std::string> wanted = {"cudaMalloc", "cudaMalloc", "cudaMalloc", "cudaMemcpy",
                                           "cudaMemcpy", "launch",     "cudaMemcpy", "cudaFree",
                                           "cudaFree",   "cudaFree"};
  CHECK(calls == wanted);
  for (const json& row : told.result["tape"]) CHECK(row["line"].is_number());
  CHECK(told.result["tape"][5]["line"] == line_of("launch"));
  CHECK(told.result["tape"][6]["line"] == line_of("copy back"));
  CHECK(told.result["tape"][6]["bytes"] == 4000);
  CHECK(told.result["tape"][6]["direction"] == "device to host");
}

TEST_CASE("first mistakes are told with kind, line and exit code") {
  if (!can_build()) return;
  const Told forgotten = run_situation(1);
  REQUIRE(forgotten.find("never-launched"));
  CHECK((*forgotten.find("never-launched"))["line"] == line_of("kernel") - 2);
  CHECK(forgotten.exit_code == 1);
  check_told(2, "wrong-direction", "copy back", "error");
  check_told(3, "host-pointer-in-kernel", "launch", "error");
  check_told(4, "leak", "third", "warning");
  check_told(5, "block-too-large", "launch", "error");
  const Told guard = run_situation(6);
  INFO(guard.result["diagnostics"].dump(1));
  const json* stray = guard.find("oob-write") ? guard.find("oob-write") : guard.find("oob-read");
  REQUIRE(stray);
  CHECK((*stray)["line"] == line_of("kernel"));
  CHECK(guard.exit_code == 1);
}

TEST_CASE("further mistakes of the host") {
  if (!can_build()) return;
  check_told(9, "device-pointer-on-host", "host read", "error");
  check_told(10, "copy-too-large", "too large", "error");
  check_told(11, "double-free", "again", "error");
}

TEST_CASE("an exit code and a signal of the program's own are exit 1, and the tape is kept") {
  if (!can_build()) return;
  const Told left = run_situation(7);
  CHECK(left.exit_code == 1);
  CHECK(left.result["program"]["exit"] == 7);
  const Told killed = run_situation(8);
  CHECK(killed.exit_code == 1);
  CHECK(killed.result["program"]["signal"] == 9);
  CHECK(killed.result["program"]["exit"].is_null());
  CHECK(killed.result["tape"].size() >= 6);
}

TEST_CASE("a call that is made to fail is on the tape, with its code") {
  if (!can_build()) return;
  const Told told = run_situation(0, {"--fail", "cudaMalloc:2:2"});
  REQUIRE(told.result["tape"].size() >= 2);
  CHECK(told.result["tape"][1]["code"] == 2);
  CHECK(told.result["tape"][1]["injected"] == true);
  CHECK(told.result["tape"][0]["code"] == 0);
}

TEST_CASE("the text for people has the output, the finding with its line, and the tape") {
  if (!can_build()) return;
  const auto ran = run_warpbook({"run", programs + "situations.cu", "--", "4"});
  INFO(ran.out << ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(ran.out.find("c[999] = 10989\n") == 0);
  CHECK(ran.out.find("warning: leak: ") != std::string::npos);
  CHECK(ran.out.find("cudaMalloc(&d_c, bytes);") != std::string::npos);
  CHECK(ran.out.find("add<<<4, 256>>>(d_a, d_b, d_c, 1000)") != std::string::npos);
}

TEST_CASE("a program that does not compile, and what no program is") {
  if (!can_build()) return;
  const std::string broken = write("broken.cu", "int main() {\n  return missing;\n}\n");
  const auto ran = run_warpbook({"run", broken, "--json"});
  CHECK(ran.exit_code == 2);
  const json result = json::parse(ran.out);
  CHECK(result["status"] == "compile-error");
  CHECK(result["diagnostics"][0]["kind"] == "compile-error");
  CHECK(result["diagnostics"][0]["line"] == 2);
  CHECK(run_warpbook({"run", "/bin/true"}).exit_code == 4);
  CHECK(run_warpbook({"run", programs + "vector_add.cu", "--kernel", "add", "--", "1"}).exit_code == 4);
}

TEST_CASE("small programs of many kinds pass, and fail when their kernels do nothing") {
  if (!can_build()) return;
  int tried = 0;
  for (const std::string& name : list_folder(programs)) {
    if (Path(name).extension() != ".cu" || name == "situations.cu") continue;
    ++tried;
    const auto ran = run_warpbook({"run", programs + name, "--json"}, {}, 300);
    INFO(name << "\n" << ran.out.substr(0, 3000) << ran.err);
    const json result = json::parse(ran.out, nullptr, false);
    REQUIRE(result.is_object());
    CHECK(ran.exit_code == 0);
    CHECK(result["program"]["stdout"] == "PASSED\n");
    CHECK(result["diagnostics"].empty());
    setenv("WARPBOOK_NULL_KERNELS", "1", 1);
    const auto control = run_warpbook({"run", programs + name, "--json"}, {}, 300);
    unsetenv("WARPBOOK_NULL_KERNELS");
    const json without = json::parse(control.out, nullptr, false);
    REQUIRE(without.is_object());
    CHECK(without["program"]["stdout"] != "PASSED\n");
    CHECK(control.exit_code == 1);
  }
  CHECK(tried == 12);
}
