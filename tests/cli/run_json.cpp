// Every key of `run --json` that is filled, and what options do to a run.
#include "command.h"

using namespace command;

TEST_CASE("run --json has every key of the contract") {
  if (!can_compile()) return;
  std::string source = add_one;
  source.insert(source.find("    if (i"), "    if (i == 0) printf(\"hello %d\\n\", n);\n");
  const json out = object_of(run_warpbook({"run", write("hello.cu", source), "--json"}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : out.items()) keys.push_back(key);
  for (const char* key :
       {"status", "engine", "device", "file", "kernel", "launch", "diagnostics", "outputs", "counters",
        "lines", "occupancy", "time", "printf", "fixed_order", "warp_instructions"})
    CHECK(out.contains(key));
  CHECK(out["engine"] == "emulator");
  CHECK(out["device"] == "A100 40 GB");
  CHECK(out["kernel"] == "add_one");
  CHECK(out["launch"]["grid"] == json::array({4, 1, 1}));
  CHECK(out["launch"]["block"] == json::array({32, 1, 1}));
  CHECK(out["launch"]["shared"] == 0);
  CHECK(out["printf"] == "hello 100\n");
  CHECK(out["occupancy"]["architecture"] == "sm_80");
  CHECK(out["occupancy"]["regs_per_thread"] > 0);
  CHECK(out["occupancy"]["active_blocks"] > 0);
  REQUIRE(out["modelled"].is_object());
  CHECK(out["modelled"]["stamp"] == "modelled (A100 40 GB)");
  CHECK(out["modelled"]["us"] > 2);
  CHECK(out["modelled"]["low_us"] < out["modelled"]["us"]);
  CHECK(out["modelled"]["formula"].get<std::string>().find("MHz") != std::string::npos);
  CHECK(out["outputs"]["out"]["type"] == "i32");
  CHECK(out["outputs"]["out"]["count"] == 100);
  CHECK(out["outputs"]["out"]["min"] == 1);
  CHECK(out["outputs"]["out"]["nan_count"] == 0);
  CHECK(out["outputs"]["out"]["checksum"].get<std::string>().size() == 16);
  CHECK(out["counters"]["threads"] == 128);
  CHECK(out["counters"]["global_store_requests"] == 4);
  CHECK(out["counters"]["global_store_lanes"] == 100);
  bool found = false;
  for (const json& line : out["lines"]) {
    for (const char* key :
         {"file", "line", "executions", "active_lane_share", "branches", "global", "shared", "local"})
      CHECK(line.contains(key));
    found = found || (line["line"] == 8 && line["global"]["requests"] == 8);
  }
  CHECK(found);
  const json& time = out["time"];
  for (const char* key :
       {"compile_ms", "cached", "load_ms", "copy_in_ms", "kernel_ms", "copy_out_ms", "stamp", "emulator_ms"})
    CHECK(time.contains(key));
  CHECK(time["compile_ms"].is_number());
  CHECK(time["emulator_ms"].is_number());
  CHECK(time["kernel_ms"].is_null());
}

TEST_CASE("A diagnosis has every key of the contract") {
  if (!can_compile()) return;
  std::string source = add_one;
  source.replace(source.find("if (i < n) "), 11, "");
  const json out = object_of(run_warpbook({"run", write("no_guard.cu", source), "--json"}));
  for (const char* key : {"severity", "kind", "message", "file", "line", "column", "access", "space",
                          "buffer", "index", "bytes", "block", "thread", "threads", "other", "count", "hint"})
    CHECK(out["diagnostics"][0].contains(key));
  CHECK(out["diagnostics"][0]["access"] == "read");
  CHECK(out["diagnostics"][0]["space"] == "global");
  CHECK(out["diagnostics"][0]["bytes"] == 4);
  CHECK(out["diagnostics"][0]["count"] == 28);
}

TEST_CASE("Options override the header, part by part") {
  if (!can_compile()) return;
  const std::string file = write("add_one.cu", add_one);
  const json out = object_of(run_warpbook(
      {"run", file, "--json", "--grid", "2", "--arg", "n=i32:50", "--arg", "out=buf:i32[100]:zeros"}));
  CHECK(out["status"] == "ok");
  CHECK(out["launch"]["grid"] == json::array({2, 1, 1}));
  CHECK(out["launch"]["block"] == json::array({32, 1, 1}));
  CHECK(out["outputs"]["out"]["max"] == 50);
}

TEST_CASE("Levels: run counts nothing, measure counts, check diagnoses") {
  if (!can_compile()) return;
  const std::string file = write("add_one.cu", add_one);
  CHECK(object_of(run_warpbook({"run", file, "--json", "--level", "run"}))["counters"].is_null());
  CHECK(object_of(run_warpbook(
            {"run", file, "--json", "--level", "measure"}))["counters"]["global_load_requests"] == 4);
}

TEST_CASE("Option --repeat launches on the same buffers, --schedules on fresh ones") {
  if (!can_compile()) return;
  const std::string file = write("count.cu", R"(// launch: grid=(1,1,1) block=(32,1,1)
// args: a=buf:i32[32]:zeros
extern "C" __global__ void count(int* a) { a[threadIdx.x] += 1; }
)");
  CHECK(object_of(run_warpbook({"run", file, "--json", "--repeat", "5"}))["outputs"]["a"]["min"] == 5);
  CHECK(object_of(run_warpbook({"run", file, "--json", "--schedules", "5"}))["outputs"]["a"]["max"] == 1);
}

TEST_CASE("An order that shows is a warning") {
  if (!can_compile()) return;
  const std::string file = write("last_wins.cu", R"(// launch: grid=(8,1,1) block=(32,1,1)
// args: out=buf:i32[1]:zeros
extern "C" __global__ void last_wins(int* out) { if (threadIdx.x == 0) atomicExch(out, int(blockIdx.x) + 1); }
)");
  const auto ran = run_warpbook({"run", file, "--json", "--schedules", "4"});
  CHECK(ran.exit_code == 0);
  bool found = false;
  const json out = object_of(ran);
  for (const json& diagnosis : out["diagnostics"])
    found = found || (diagnosis["kind"] == "schedule-dependent" && diagnosis["severity"] == "warning" &&
                      diagnosis["buffer"] == "out");
  CHECK(found);
}

TEST_CASE("Kernels are named as the source names them") {
  if (!can_compile()) return;
  const std::string file = write("names.cu", R"(// launch: grid=(1,1,1) block=(4,1,1)
namespace shapes { __global__ void fill(int* out) { out[threadIdx.x] = 1; } }
template <typename T, int N> __global__ void scaled(T* out) { out[threadIdx.x] = T(threadIdx.x * N) / T(2); }
)");
  const auto run_kernel = [&](const std::string& name, const std::string& spec) {
    return object_of(run_warpbook({"run", file, "--json", "--kernel", name, "--arg", spec}));
  };
  CHECK(run_kernel("shapes::fill", "out=buf:i32[4]:uninit")["outputs"]["out"]["max"] == 1);
  const json scaled = run_kernel("scaled<float, 3>", "out=buf:f32[4]:uninit");
  CHECK(scaled["kernel"] == "scaled<float, 3>");
  CHECK(scaled["outputs"]["out"]["max"] == 4.5);
  const auto several = run_warpbook({"run", file, "--json", "--arg", "out=buf:i32[4]:uninit"});
  CHECK(several.exit_code == 4);
  CHECK(object_of(several)["diagnostics"][0]["message"].get<std::string>().find("shapes::fill") !=
        std::string::npos);
  CHECK(run_warpbook({"run", file, "--kernel", "scaled", "--arg", "out=buf:f32[4]:uninit"}).exit_code == 4);
  CHECK(run_warpbook({"run", file, "--kernel", "fil", "--arg", "out=buf:f32[4]:uninit"}).exit_code == 4);
}

TEST_CASE("Options --dump and --image write files") {
  if (!can_compile()) return;
  const std::string file = write("add_one.cu", add_one);
  const std::string npy = (folder() / "out.npy").string(), png = (folder() / "out.png").string();
  CHECK(run_warpbook({"run", file, "--dump", "out=" + npy, "--image", "out=10x10:" + png}).exit_code == 0);
  const std::string array = read(npy);
  CHECK(array.substr(1, 5) == "NUMPY");
  CHECK(array.size() == 128 + 400);
  CHECK(array[array.size() - 4] == 100);
  CHECK(read(png).substr(1, 3) == "PNG");
  CHECK(run_warpbook({"run", file, "--dump", "nothing=" + npy}).exit_code == 4);
  CHECK(run_warpbook({"run", file, "--image", "out=10x11:" + png}).exit_code == 4);
  const std::string again = write("again.cu", add_one);
  const json out =
      object_of(run_warpbook({"run", again, "--json", "--arg", "a=buf:i32[100]:file(" + npy + ")"}));
  CHECK(out["outputs"]["out"]["max"] == 101);
}

TEST_CASE("Results do not depend on the number of worker threads") {
  if (!can_compile()) return;
  const std::string file = write("add_one.cu", add_one);
  json one = object_of(run_warpbook({"run", file, "--json", "--threads", "1"}));
  json four = object_of(run_warpbook({"run", file, "--json", "--threads", "4"}));
  one.erase("time");
  four.erase("time");
  CHECK(one == four);
}
