// list, check, quiz and new-lesson, on a root of the test's own with one lesson laid out by new-lesson.
#include "command.h"

using namespace command;

namespace {

/// A root with the project's GPUs and one lesson.
const std::string& root() {
  static const std::string made = [] {
    const Path path = folder() / "root";
    std::filesystem::create_directories(path / "assets");
    std::filesystem::copy_file(Path(WARPBOOK_SOURCE_DIR) / "assets" / "gpus.json",
                               path / "assets" / "gpus.json");
    const auto ran = run_warpbook({"new-lesson", "31-first-steps", "--root", path.string()});
    INFO(ran.err);
    REQUIRE(ran.exit_code == 0);
    return path.string();
  }();
  return made;
}

std::string solution() { return root() + "/kernels/31-first-steps/add-two/solution.cu"; }

}  // namespace

TEST_CASE("A lesson from new-lesson is listed with no code touched") {
  const json out = object_of(run_warpbook({"list", "--json", "--root", root()}));
  REQUIRE(out["lessons"].size() == 1);
  CHECK(out["broken"].empty());
  const json& lesson = out["lessons"][0];
  CHECK(lesson["slug"] == "31-first-steps");
  CHECK(lesson["title"] == "First steps");
  CHECK(lesson["kernels"] == json::array({"add_one"}));
  CHECK(lesson["exercises"][0]["name"] == "add-two");
  CHECK(lesson["questions"]["count"] == 1);
  CHECK(run_warpbook({"list", "--root", root()}).out.find("31-first-steps") != std::string::npos);
}

TEST_CASE("new-lesson refuses bad names and names that are taken") {
  for (const char* slug :
       {"histograms", "3-x", "31-Upper", "31_x", "31-", "31-a--b", "../31-x", "31-x/y", ""})
    CHECK(run_warpbook({"new-lesson", slug, "--root", root()}).exit_code == 4);
  const auto taken = run_warpbook({"new-lesson", "31-first-steps", "--root", root()});
  CHECK(taken.exit_code == 4);
  CHECK(taken.err.find("already") != std::string::npos);
}

TEST_CASE("A lesson from new-lesson holds its author checks") {
  if (!can_compile()) return;
  const auto ran = run_warpbook({"check", "--author", "31-first-steps", "--root", root()}, {}, 240);
  INFO(ran.out << ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(ran.out.find("wrong/no_guard.cu is refused") != std::string::npos);
  CHECK(ran.out.find("with <= in the guard") != std::string::npos);
  CHECK(ran.out.find("FAIL") == std::string::npos);
}

TEST_CASE("check: solutions pass, starters fail, broken code has its own exit code") {
  if (!can_compile()) return;
  const auto passed =
      run_warpbook({"check", "31-first-steps", solution(), "--root", root(), "--format", "json"});
  CHECK(passed.exit_code == 0);
  CHECK(object_of(passed)["passed"] == true);
  const auto starter =
      run_warpbook({"check", "31-first-steps/add-two", "--root", root(), "--format", "json"});
  CHECK(starter.exit_code == 1);
  const json out = object_of(starter);
  CHECK(out["checks"][1]["check"] == "results");
  CHECK(out["checks"][1]["mismatch"]["index"] == 0);
  CHECK(out["checks"][1]["mismatch"]["got"] == "not written");
  CHECK(run_warpbook({"check", "31-first-steps", write("typo.cu", "extern \"C\" __global__ void add_two( {}"),
                      "--root", root()})
            .exit_code == 2);
  CHECK(run_warpbook({"check", "31-first-steps", "/nowhere.cu", "--root", root()}).exit_code == 4);
  CHECK(run_warpbook({"check", "31-first-steps/subtract", "--root", root()}).exit_code == 4);
}

TEST_CASE("check names the thread that wrote a wrong element") {
  if (!can_compile()) return;
  const std::string file =
      write("off.cu", R"(extern "C" __global__ void add_two(int* out, const int* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + (i == 32 ? 3 : 2);
}
)");
  const auto ran = run_warpbook({"check", "31-first-steps", file, "--root", root(), "--format", "json"});
  CHECK(ran.exit_code == 1);
  const json mismatch = object_of(ran)["checks"][1]["mismatch"];
  CHECK(mismatch["index"] == 32);
  CHECK(mismatch["block"] == json::array({32, 0, 0}));
  CHECK(mismatch["thread"] == json::array({0, 0, 0}));
  CHECK(mismatch["sizes"] == "n = 33, block = (1, 1, 1)");
}

TEST_CASE("An answer that never ends is refused in time") {
  if (!can_compile()) return;
  const std::string spin =
      write("spin.cu", R"(extern "C" __global__ void add_two(int* out, const int* a, int n)
{
    while (n > 0) { if (a[0] == 123456789) out[0] = 1; }
}
)");
  CHECK(run_warpbook({"check", "31-first-steps", spin, "--root", root()}, {}, 60).exit_code == 1);
  const std::string slow =
      write("slow.cu", R"(extern "C" __global__ void add_two(int* out, const int* a, int n)
{
    unsigned int x = 1;
    for (unsigned long long k = 0; k < 1000000000000ull; ++k) x = x * 1664525u + unsigned(a[0]);
    out[0] = x;
}
)");
  CHECK(run_warpbook({"check", "31-first-steps", slow, "--root", root()}, {}, 60).exit_code == 3);
}

TEST_CASE("A folder of answers gives a line each") {
  if (!can_compile()) return;
  write("class/ada/answer.cu", read(solution()));
  write("class/bob/answer.cu", "extern \"C\" __global__ void add_two(int* out, const int* a, int n) {}\n");
  const std::string csv = (folder() / "grades.csv").string();
  const auto ran = run_warpbook({"check", "31-first-steps", (folder() / "class").string(), "--root", root(),
                                 "--format", "csv", "--out", csv});
  CHECK(ran.exit_code == 1);
  const std::string text = read(csv);
  CHECK(text.find("ada/answer.cu,yes,results,passed") != std::string::npos);
  CHECK(text.find("bob/answer.cu,no,results,failed") != std::string::npos);
}

TEST_CASE("A whole class is graded whatever some of its answers do") {
  if (!can_compile()) return;
  const std::string head = "extern \"C\" __global__ void add_two(int* out, const int* a, int n)\n";
  write("year/ada/answer.cu", read(solution()));
  write("year/bob/answer.cu", head + "{ out[blockIdx.x * blockDim.x + threadIdx.x] = a[n]; }\n");
  write("year/cyd/answer.cu", head + "{ while (n > 0) { if (a[0] == 123456789) out[0] = 1; } }\n");
  write("year/dot/answer.cu",
        "#include <cstdlib>\n" + head +
            "{ for (;;) { int* p = (int*)malloc(1 << 20); if (p) p[0] = a[0]; out[0] = p ? 1 : 2; } }\n");
  write("year/eve/answer.cu", head + "{ out[0] = }\n");
  write("year/fay/answer.cu", read(solution()));
  const auto ran = run_warpbook(
      {"check", "31-first-steps", (folder() / "year").string(), "--root", root(), "--format", "csv"}, {},
      200);
  INFO(ran.out << ran.err);
  CHECK(ran.exit_code == 1);
  for (const char* passed : {"ada", "fay"})
    CHECK(ran.out.find(std::string(passed) + "/answer.cu,yes,results,passed") != std::string::npos);
  for (const char* failed : {"bob", "cyd", "dot"}) {
    INFO(failed);
    CHECK(ran.out.find(std::string(failed) + "/answer.cu,no,results,failed") != std::string::npos);
  }
  CHECK(ran.out.find("eve/answer.cu,no,compiles,failed") != std::string::npos);
}

TEST_CASE("run takes labs of lessons by slug and by kernel") {
  if (!can_compile()) return;
  for (const char* target : {"31-first-steps", "31-first-steps/add_one"}) {
    const json out = object_of(run_warpbook({"run", target, "--root", root(), "--json"}));
    CHECK(out["status"] == "ok");
    CHECK(out["kernel"] == "add_one");
    CHECK(out["outputs"]["out"]["max"] == 1000);
  }
  const auto unknown = run_warpbook({"run", "31-first-steps/add_won", "--root", root()});
  CHECK(unknown.exit_code == 4);
  CHECK(unknown.err.find("add_one") != std::string::npos);
}

TEST_CASE("quiz judges lines from a pipe and ends at their end") {
  const auto right = run_warpbook({"quiz", "31-first-steps", "--root", root()}, "1024\n");
  CHECK(right.exit_code == 0);
  CHECK(right.out.find("1 of 1 right") != std::string::npos);
  const auto wrong = run_warpbook({"quiz", "31-first-steps", "--root", root()}, "what?\n1000\n");
  CHECK(wrong.exit_code == 0);
  CHECK(wrong.out.find("0 of 1 right") != std::string::npos);
  CHECK(wrong.out.find("Blocks are whole") != std::string::npos);
  const auto nothing = run_warpbook({"quiz", "31-first-steps", "--root", root()}, "");
  CHECK(nothing.exit_code == 0);
  CHECK(nothing.out.find("0 of 0 right") != std::string::npos);
}

TEST_CASE("A broken lesson costs only itself") {
  const Path lesson = Path(root()) / "lessons" / "32-broken";
  std::filesystem::create_directories(lesson);
  write("root/lessons/32-broken/lesson.json", "{\n  \"title\": \"Broken\",\n");
  const auto ran = run_warpbook({"list", "--json", "--root", root()});
  const auto checked = run_warpbook({"quiz", "32-broken", "--root", root()});
  std::filesystem::remove_all(lesson);
  CHECK(ran.exit_code == 0);
  CHECK(object_of(ran)["lessons"].size() == 1);
  CHECK(object_of(ran)["broken"].size() == 1);
  CHECK(ran.err.find("lesson.json") != std::string::npos);
  CHECK(checked.exit_code == 4);
}

TEST_CASE("watch checks a file at once and ends when it passes, if asked to") {
  if (!can_compile()) return;
  const auto ran =
      run_warpbook({"watch", "31-first-steps", solution(), "--until-pass", "--root", root()}, {}, 60);
  CHECK(ran.exit_code == 0);
  CHECK(ran.out.find("Passed") != std::string::npos);
  CHECK(run_warpbook({"watch", "31-first-steps", "/nowhere.cu", "--root", root()}, {}, 60).exit_code == 4);
}

TEST_CASE("devices tells engines and compiler") {
  const json out = object_of(run_warpbook({"devices", "--json"}));
  CHECK(out["emulator"]["compute"] == "8.0");
  CHECK(out["gpus"].is_array());
  CHECK(out["rows"].size() >= 14);
  CHECK(out["compiler"].contains("version"));
}
