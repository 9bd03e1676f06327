// Every exit code of the contract, once each and for its reason.
#include "base/text.h"
#include "command.h"

using namespace command;

TEST_CASE("0: a correct kernel, with results") {
  if (!can_compile()) return;
  const auto ran = run_warpbook({"run", write("add_one.cu", add_one), "--json"});
  CHECK(ran.exit_code == 0);
  const json out = object_of(ran);
  CHECK(out["status"] == "ok");
  CHECK(out["outputs"]["out"]["first"][0] == 1);
  CHECK(out["outputs"]["out"]["first"][9] == 10);
  CHECK(out["outputs"]["out"]["max"] == 100);
}

TEST_CASE("1: a fault, with its place") {
  if (!can_compile()) return;
  std::string source = add_one;
  source.replace(source.find("if (i < n) "), 11, "");
  const auto ran = run_warpbook({"run", write("no_guard.cu", source), "--json"});
  CHECK(ran.exit_code == 1);
  const json out = object_of(ran);
  CHECK(out["status"] == "fault");
  CHECK(first_error(out) == "oob-read");
  const json& diagnosis = out["diagnostics"][0];
  CHECK(diagnosis["line"] == 7);
  CHECK(diagnosis["buffer"] == "a");
  CHECK(diagnosis["index"] == 100);
  CHECK(diagnosis["block"] == json::array({3, 0, 0}));
  CHECK(diagnosis["thread"] == json::array({4, 0, 0}));
}

TEST_CASE("1: a launch that no GPU takes") {
  if (!can_compile()) return;
  const auto ran = run_warpbook({"run", write("add_one.cu", add_one), "--block", "1025", "--json"});
  CHECK(ran.exit_code == 1);
  const json out = object_of(ran);
  CHECK(out["status"] == "launch-error");
  CHECK(first_error(out) == "block-too-large");
}

TEST_CASE("2: code that does not compile, with line and column") {
  if (!can_compile()) return;
  std::string source = add_one;
  source.replace(source.find("a[i] + 1"), 8, "b[i] + 1");
  const auto ran = run_warpbook({"run", write("typo.cu", source), "--json"});
  CHECK(ran.exit_code == 2);
  const json out = object_of(ran);
  CHECK(out["status"] == "compile-error");
  CHECK(first_error(out) == "compile-error");
  CHECK(out["diagnostics"][0]["line"] == 7);
  CHECK(out["outputs"].is_null());
}

TEST_CASE("3: long work that runs into its limit") {
  if (!can_compile()) return;
  const std::string file = write("long.cu", R"(// launch: grid=(1,1,1) block=(32,1,1)
// args: out=buf:u32[32]:zeros
extern "C" __global__ void long_work(unsigned int* out)
{
    unsigned int x = threadIdx.x;
    for (unsigned long long k = 0; k < 1000000000000ull; ++k) x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = x;
}
)");
  const auto ran = run_warpbook({"run", file, "--max-instructions", "100000", "--json"});
  CHECK(ran.exit_code == 3);
  CHECK(object_of(ran)["status"] == "limit");
}

TEST_CASE("A runaway kernel ends within 20 seconds by itself") {
  if (!can_compile()) return;
  const std::string file = write("runaway.cu", R"(// launch: grid=(64,1,1) block=(256,1,1)
// args: out=buf:u32[16384]:zeros
extern "C" __global__ void runaway(unsigned int* out)
{
    unsigned int x = threadIdx.x;
    for (unsigned long long k = 0; k < 1000000000000ull; ++k) x = x * 1664525u + 1013904223u;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
)");
  const auto start = std::chrono::steady_clock::now();
  const auto ran = run_warpbook({"run", file, "--json"});
  CHECK(ran.exit_code == 3);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("4: unknown options, values and subcommands") {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"run"},
                                             {"run", "x.cu", "--colour"},
                                             {"frobnicate"},
                                             {"run", write("add_one.cu", add_one), "--level", "deep"},
                                             {"run", write("add_one.cu", add_one), "--grid", "many"},
                                             {"run", write("add_one.cu", add_one), "--grid", "1,2,3,4"},
                                             {"run", write("add_one.cu", add_one), "--repeat", "0"},
                                             {"run", write("add_one.cu", add_one), "--gpu", "Voodoo 2"},
                                             {"run", write("add_one.cu", add_one), "--device", "quantum"},
                                             {"run", write("add_one.cu", add_one), "--dump", "out"},
                                             {"run", write("add_one.cu", add_one), "--image", "out=8:p.png"},
                                             {"run", "no-such-lesson"},
                                             {"run", (folder() / "missing.cu").string()},
                                             {"check"},
                                             {"check", "no-such-lesson"},
                                             {"check", "x", "--format", "morse"},
                                             {"quiz", "no-such-lesson"},
                                             {"new-lesson", "Bad Slug"},
                                             {"list", "--root", folder().string()},
                                             {"--lesson", "x", "list"},
                                             {"--screenshot", "p.png"}}) {
    const auto ran = run_warpbook(arguments);
    INFO(warpbook::join(arguments, " "));
    CHECK(ran.exit_code == 4);
    CHECK(ran.err.find("error:") != std::string::npos);
  }
}

TEST_CASE("4: errors of set-up still print one object with --json") {
  const auto ran = run_warpbook({"run", (folder() / "missing.cu").string(), "--json"});
  CHECK(ran.exit_code == 4);
  const json out = object_of(ran);
  CHECK(out["diagnostics"].size() == 1);
  CHECK_FALSE(out["diagnostics"][0]["message"].get<std::string>().empty());
  CHECK(object_of(run_warpbook({"run", "--json", "--bogus"}))["status"] == "bad-arguments");
}

TEST_CASE("4: --device cuda says why it cannot be used") {
  const auto ran = run_warpbook({"run", write("add_one.cu", add_one), "--device", "cuda"});
  CHECK(ran.exit_code == 4);
  CHECK(ran.err.find("There is no usable GPU") != std::string::npos);
  CHECK(ran.err.find("--device emulated") != std::string::npos);
}

TEST_CASE("4: without NVRTC the message says how to get it") {
  setenv("WARPBOOK_NVRTC", "/nowhere/libnvrtc.so", 1);
  const auto ran = run_warpbook({"run", write("add_one.cu", add_one), "--json"});
  unsetenv("WARPBOOK_NVRTC");
  CHECK(ran.exit_code == 4);
  CHECK(object_of(ran)["diagnostics"][0]["message"].get<std::string>().find("NVRTC") != std::string::npos);
}

TEST_CASE("Help and version") {
  for (const char* name : {"run", "check", "watch", "list", "quiz", "devices", "bench", "new-lesson"}) {
    const auto ran = run_warpbook({name, "--help"});
    INFO(name);
    CHECK(ran.exit_code == 0);
    CHECK(ran.out.find("Examples:") != std::string::npos);
  }
  CHECK(run_warpbook({"--help"}).out.find("compile-worker") == std::string::npos);
  const auto version = run_warpbook({"--version"});
  CHECK(version.exit_code == 0);
  CHECK(version.out.find("warpbook 0.") == 0);
}
