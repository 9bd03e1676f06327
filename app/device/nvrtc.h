#pragma once
// NVRTC as a table of functions: our own declarations of the few that are used, so that no CUDA header is
// needed.
#include <string>
#include <utility>
#include <vector>

#include "base/dynamic_library.h"
#include "base/result.h"
#include "result/occupancy.h"

namespace warpbook {

struct NvrtcJob {
  std::string source;
  std::string file;
  std::vector<std::string> options;           ///< all but the architecture
  std::vector<std::string> optional_options;  ///< left out when this NVRTC does not know them
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> headers;  ///< name, text
  int architecture = 80;    ///< compute_80; the nearest that this NVRTC knows is taken
  bool cubin = false;       ///< let ptxas compile as well, for what it says of registers and memory
  bool keep_cubin = false;  ///< ... and for the machine code itself
};

struct NvrtcAnswer {
  bool compiled = false;
  std::string ptx;
  std::string log;
  std::vector<std::pair<std::string, std::string>> names;
  int architecture = 0;
  std::vector<KernelResources> resources;  ///< when `cubin` was asked for
  std::string cubin;                       ///< when it was to be kept
};

class Nvrtc {
 public:
  static Result<Nvrtc> load(const std::string& path);
  /// A source that does not compile is an answer; an error is trouble with NVRTC itself.
  Result<NvrtcAnswer> compile(const NvrtcJob& job) const;

 private:
  struct Program;
  // nvrtcProgram is an opaque pointer, nvrtcResult an enum (CUDA Toolkit documentation, "NVRTC").
  using Code = int;
  using Handle = void*;
  explicit Nvrtc(DynamicLibrary library) : library_(std::move(library)) {}
  Error trouble(const char* doing, Code code) const;
  int nearest_architecture(int wanted) const;
  std::string machine_code(Handle program) const;
  std::vector<KernelResources> resources(const std::string& cubin, NvrtcAnswer& answer) const;

  DynamicLibrary library_;
  std::vector<DynamicLibrary> builtins_;  ///< open for as long as the library may ask for them
  Code (*create_)(Handle*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  Code (*destroy_)(Handle*) = nullptr;
  Code (*compile_)(Handle, int, const char* const*) = nullptr;
  Code (*log_size_)(Handle, size_t*) = nullptr;
  Code (*log_)(Handle, char*) = nullptr;
  Code (*ptx_size_)(Handle, size_t*) = nullptr;
  Code (*ptx_)(Handle, char*) = nullptr;
  Code (*cubin_size_)(Handle, size_t*) = nullptr;  ///< since CUDA 11.1; may be null
  Code (*cubin_)(Handle, char*) = nullptr;
  Code (*add_name_)(Handle, const char*) = nullptr;
  Code (*lowered_name_)(Handle, const char*, const char**) = nullptr;
  const char* (*error_text_)(Code) = nullptr;
  Code (*count_architectures_)(int*) = nullptr;  ///< since CUDA 11.2; may be null
  Code (*architectures_)(int*) = nullptr;
};

}  // namespace warpbook
