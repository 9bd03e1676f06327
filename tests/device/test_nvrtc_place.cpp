// Where NVRTC is looked for: folders made to look like toolkits and wheels.
#include "catch.h"
#include "device/compiler_fixture.h"
#include "device/nvrtc_place.h"

using namespace warpbook;

namespace {

void put(const Path& file) { REQUIRE(write_file(file, "").ok()); }

/// Nothing of this machine's is found by accident before the part that is tested.
struct NothingSet {
  WithEnvironment nvrtc{"WARPBOOK_NVRTC", nullptr}, home{"CUDA_HOME", nullptr}, path{"CUDA_PATH", nullptr},
      deps{"WARPBOOK_DEPS", nullptr};
};

}  // namespace

TEST_CASE("WARPBOOK_NVRTC names a library or a folder, and nothing else is searched") {
  const NothingSet nothing;
  const TemporaryFolder folder;
  put(folder.path() / "lib" / "libnvrtc.so.12");
  put(folder.path() / "lib" / "libnvrtc.so.13");
  put(folder.path() / "lib" / "libnvrtc-builtins.so.13.1");
  put(folder.path() / "lib" / "libnvrtc.alt.so.13");
  put(folder.path() / "include" / "cuda_fp16.h");
  const Path real = std::filesystem::canonical(folder.path());
  {
    const WithEnvironment given("WARPBOOK_NVRTC", folder.path().c_str());
    const CompilerPlace place = find_compiler_place();
    CHECK(place.library == (real / "lib" / "libnvrtc.so.13").string());
    CHECK(place.version == "13.1");
    CHECK(place.include_folders == std::vector<Path>{folder.path() / "include"});
    CHECK(place.missing.empty());
  }
  {
    const WithEnvironment given("WARPBOOK_NVRTC", (folder.path() / "lib" / "libnvrtc.so.12").c_str());
    CHECK(find_compiler_place().library == (real / "lib" / "libnvrtc.so.12").string());
  }
  {
    const WithEnvironment given("WARPBOOK_NVRTC", "/nonexistent");
    const WithEnvironment home("CUDA_HOME", folder.path().c_str());
    const CompilerPlace place = find_compiler_place();
    CHECK(place.library.empty());
    CHECK(place.missing.find("/nonexistent") != std::string::npos);
    CHECK(place.missing.find("app/start") != std::string::npos);
  }
}

TEST_CASE("a toolkit of CUDA_HOME comes before the wheels, with the C++ library's folder") {
  const NothingSet nothing;
  const TemporaryFolder folder;
  put(folder.path() / "toolkit" / "lib64" / "libnvrtc.so.13");
  put(folder.path() / "toolkit" / "include" / "cuda_fp16.h");
  put(folder.path() / "toolkit" / "include" / "cccl" / "cuda" / "atomic");
  put(folder.path() / "wheels" / "nvidia" / "cu13" / "lib" / "libnvrtc.so.13");
  const WithEnvironment home("CUDA_HOME", (folder.path() / "toolkit").c_str());
  const WithEnvironment deps("WARPBOOK_DEPS", (folder.path() / "wheels").c_str());
  const CompilerPlace place = find_compiler_place();
  CHECK(place.library.find("toolkit/lib64/libnvrtc.so.13") != std::string::npos);
  REQUIRE(place.include_folders.size() == 2);
  CHECK(place.include_folders[1] == folder.path() / "toolkit" / "include" / "cccl");
}

TEST_CASE("unpacked wheels of CUDA 13 and of CUDA 12 are understood") {
  const NothingSet nothing;
  const TemporaryFolder folder;
  const Path thirteen = folder.path() / "13", twelve = folder.path() / "12";
  put(thirteen / "nvidia" / "cu13" / "lib" / "libnvrtc.so.13");
  put(thirteen / "nvidia" / "cu13" / "lib" / "libnvrtc-builtins.so.13.0");
  put(thirteen / "nvidia" / "cu13" / "include" / "cuda_fp16.h");
  put(thirteen / "nvidia" / "cu13" / "include" / "cccl" / "cuda" / "atomic");
  put(twelve / "nvidia" / "cuda_nvrtc" / "lib" / "libnvrtc.so.12");
  put(twelve / "nvidia" / "cuda_nvrtc" / "lib" / "libnvrtc-builtins.so.12.9");
  put(twelve / "nvidia" / "cuda_nvrtc" / "include" / "nvrtc.h");
  put(twelve / "nvidia" / "cuda_runtime" / "include" / "cuda_fp16.h");
  put(twelve / "nvidia" / "cuda_cccl" / "include" / "cuda" / "atomic");
  {
    const WithEnvironment given("WARPBOOK_NVRTC", thirteen.c_str());
    const CompilerPlace place = find_compiler_place();
    CHECK(place.version == "13.0");
    CHECK(place.include_folders == std::vector<Path>{thirteen / "nvidia" / "cu13" / "include",
                                                     thirteen / "nvidia" / "cu13" / "include" / "cccl"});
  }
  {
    const WithEnvironment given("WARPBOOK_NVRTC", twelve.c_str());
    const CompilerPlace place = find_compiler_place();
    CHECK(place.version == "12.9");
    CHECK(place.include_folders == std::vector<Path>{twelve / "nvidia" / "cuda_runtime" / "include",
                                                     twelve / "nvidia" / "cuda_cccl" / "include"});
  }
}

TEST_CASE("without NVRTC a compile is an error that says how to get it") {
  const WithEnvironment given("WARPBOOK_NVRTC", "/nonexistent");
  CompilerFixture fixture;
  const auto outcome = fixture.compiler->compile(request_for("__global__ void k() {}\n"));
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().trouble == Trouble::not_found);
  CHECK(outcome.error().message.find("CUDA Toolkit") != std::string::npos);
}

TEST_CASE("a file that is no NVRTC is an error with its name") {
  const TemporaryFolder folder;
  put(folder.path() / "libnvrtc.so.13");
  const WithEnvironment given("WARPBOOK_NVRTC", folder.path().c_str());
  CompilerFixture fixture;
  const auto outcome = fixture.compiler->compile(request_for("__global__ void k() {}\n"));
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().trouble == Trouble::not_found);
  CHECK(outcome.error().message.find("libnvrtc.so.13") != std::string::npos);
}
