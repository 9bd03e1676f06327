// What people, editors and full disks do to a command line. Nothing may crash, hang, or end with 0 in
// silence.
#include "base/sanitized.h"
#include "command.h"

using namespace command;

namespace {

json refused(const std::vector<std::string>& arguments, int code) {
  std::vector<std::string> all = {"run"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.push_back("--json");
  const auto ran = run_warpbook(all);
  CHECK(ran.exit_code == code);
  return object_of(ran);
}

std::string with_arguments(const std::string& arguments) {
  std::string source = add_one;
  const size_t at = source.find("// args:");
  return source.replace(at, source.find('\n', at) - at, "// args: " + arguments);
}

}  // namespace

TEST_CASE("Sources that are no sources") {
  refused({write("empty.cu", "")}, 4);
  refused({write("blank.cu", "\n\n  \n")}, 4);
  refused({write("no_kernel.cu", "int x = 3;\n"), "--grid", "1", "--block", "1"}, 4);
  refused({write("program.cu",
                 "\x7f"
                 "ELF and more")},
          4);
  refused({folder().string()}, 4);
}

TEST_CASE("Sources that the compiler is not given") {
  if (!can_compile()) return;
  refused({write("big.cu", add_one + std::string(10u << 20, '/'))}, 2);
  std::string nul = add_one;
  nul[nul.size() - 3] = '\0';
  CHECK(refused({write("nul.cu", nul)}, 2)["diagnostics"][0]["line"] == 7);
}

TEST_CASE("A source with bytes that are no UTF-8 gives valid JSON") {
  if (!can_compile()) return;
  CHECK(refused({write("latin.cu", std::string(add_one) + "// caf\xe9\n")}, 2)["diagnostics"][0]["line"] ==
        9);
  refused({write("bytes.cu", std::string(add_one) + "\xff\xfe\n")}, 2);
}

TEST_CASE("Arguments of the wrong number and type name the parameter") {
  if (!can_compile()) return;
  const auto told = [&](const std::string& arguments) {
    const json out = refused({write("args.cu", with_arguments(arguments))}, 4);
    CHECK(first_error(out) == "bad-argument");
    return out["diagnostics"][0]["message"].get<std::string>() + " " +
           (out["diagnostics"][0]["hint"].is_string() ? out["diagnostics"][0]["hint"].get<std::string>()
                                                      : "");
  };
  CHECK(told("out=buf:i32[100]:zeros; a=buf:i32[100]:iota").find("n (int)") != std::string::npos);
  CHECK(told("out=buf:i32[100]:zeros; a=buf:i32[100]:iota; n=i32:1; m=i32:2").find("m") != std::string::npos);
  CHECK(told("out=buf:i32[100]:zeros; a=i32:5; n=i32:1").find("a (const int*)") != std::string::npos);
  CHECK(told("out=buf:i32[100]:zeros; a=buf:i32[100]:iota; n=buf:i32[1]:zeros").find("n (int)") !=
        std::string::npos);
  CHECK(told("a=buf:i32[100]:zeros; a=buf:i32[100]:iota; n=i32:1").find("a") != std::string::npos);
  CHECK(told("").find("out (int*)") != std::string::npos);
}

TEST_CASE("Element types that disagree are a warning that names both") {
  if (!can_compile()) return;
  const json out = refused(
      {write("types.cu", with_arguments("out=buf:f32[100]:zeros; a=buf:i32[100]:iota; n=i32:100"))}, 0);
  REQUIRE(out["diagnostics"].size() == 1);
  CHECK(out["diagnostics"][0]["kind"] == "arg-type-mismatch");
  CHECK(out["diagnostics"][0]["severity"] == "warning");
  const std::string message = out["diagnostics"][0]["message"];
  CHECK(message.find("f32") != std::string::npos);
  CHECK(message.find("i32") != std::string::npos);
}

TEST_CASE("A launch that is not said is refused") {
  const json out = refused({write("silent.cu", "extern \"C\" __global__ void k() {}\n")}, 4);
  CHECK(out["diagnostics"][0]["hint"].get<std::string>().find("--grid") != std::string::npos);
  refused({write("header.cu", "// launch: fast\nextern \"C\" __global__ void k() {}\n")}, 4);
}

TEST_CASE("Memory that is not there") {
  if (!can_compile()) return;
  const std::string file = write("add_one.cu", add_one);
  refused({file, "--arg", "a=buf:f64[1000000000000]:zeros"}, 4);
  const auto ran = run_warpbook({"run", file, "--json", "--arg", "a=buf:i32[1073741823]:uninit"});
  // Whether 4 GiB fit is the machine's business; a refusal must be a diagnosis.
  if (ran.exit_code != 0) CHECK(first_error(object_of(ran)) == "out-of-memory");
}

TEST_CASE("A million lines of printf stay bounded") {
  if (!can_compile()) return;
  // A sanitized emulator is ten times slower, and the time of a launch is limited.
  const char* blocks = warpbook::sanitized ? "100" : "1000";
  const std::string file =
      write("chatty.cu", "// launch: grid=(" + std::string(blocks) + R"(,1,1) block=(1000,1,1)
extern "C" __global__ void chatty() { printf("thread %d of block %d says hello\n", int(threadIdx.x), int(blockIdx.x)); }
)");
  const auto text = run_warpbook({"run", file});
  CHECK(text.exit_code == 0);
  CHECK(text.out.size() < 100000);
  const auto ran = run_warpbook({"run", file, "--json"});
  CHECK(ran.out.size() < (3u << 20));
  CHECK(object_of(ran)["status"] == "ok");
}

TEST_CASE("An endless loop and an endless recursion are found out") {
  if (!can_compile()) return;
  CHECK(first_error(refused({write("endless.cu", R"(// launch: grid=(1,1,1) block=(32,1,1)
// args: flag=buf:i32[1]:zeros
extern "C" __global__ void endless(volatile int* flag) { while (*flag == 0) { } flag[0] = 2; }
)")},
                            1)) == "infinite-loop");
  CHECK(first_error(refused({write("recursion.cu", R"(// launch: grid=(1,1,1) block=(32,1,1)
// args: out=buf:i32[32]:zeros; n=i32:1000000
__device__ __noinline__ int deep(int n, int k) { return n == 0 ? k : deep(n - 1, k * 3) + k * n; }
extern "C" __global__ void recursion(int* out, int n) { out[threadIdx.x] = deep(n, threadIdx.x); }
)")},
                            1)) == "stack-overflow");
}

TEST_CASE("Files that cannot be written are said") {
  if (!can_compile()) return;
  const std::string file = write("add_one.cu", add_one);
  const auto full = run_warpbook({"run", file, "--dump", "out=/dev/full"});
  CHECK(full.exit_code == 4);
  CHECK(full.err.find("/dev/full") != std::string::npos);
  CHECK(std::filesystem::is_character_file("/dev/full"));
  const auto nowhere = run_warpbook({"run", file, "--dump", "out=/proc/nowhere/out.npy"});
  CHECK(nowhere.exit_code == 4);
  CHECK_FALSE(nowhere.err.empty());
}

TEST_CASE("A full disk behind standard output is a failure") {
  const auto ran = warpbook::run_child(
      {"/bin/sh", "-c", std::string(WARPBOOK_BINARY_DIR) + "/warpbook devices > /dev/full"});
  REQUIRE(ran.ok());
  CHECK(ran->exit_code == 4);
}

TEST_CASE("A home that cannot be written costs the cache and no result") {
  if (!can_compile()) return;
  const std::string file = write("add_one.cu", add_one);
  setenv("WARPBOOK_HOME", "/proc/nowhere", 1);
  const auto ran = run_warpbook({"run", file, "--json"});
  setenv("WARPBOOK_HOME", (folder() / "home").c_str(), 1);
  CHECK(ran.exit_code == 0);
}
