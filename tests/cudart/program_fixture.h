#pragma once
// Programs for our runtime library, without a toolkit: a forked child loads the library as the loader would,
// registers a fatbin made by hand around PTX of ours, and calls exported functions by name. What it printed,
// how it ended and its tape come back.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "result/tape.h"

namespace warpbook::cudart_test {

/// The exported functions, by name.
class Api {
 public:
  explicit Api(void* library) : library_(library) {}
  void* find(const char* name) const;
  template <class... Arguments>
  int operator()(const char* name, Arguments... arguments) const {
    return reinterpret_cast<int (*)(Arguments...)>(find(name))(arguments...);
  }
  template <class Result, class... Arguments>
  Result get(const char* name, Arguments... arguments) const {
    return reinterpret_cast<Result (*)(Arguments...)>(find(name))(arguments...);
  }
  /// As the object files of a program do before main: the module below with all its kernels and variables.
  void register_module(const std::string& fatbin);

 private:
  void* library_;
};

struct Sizes {  ///< dim3
  unsigned x = 1, y = 1, z = 1;
};

/// <<<grid, block, shared, stream>>> with the arguments' addresses, as nvcc's stubs do it.
int launch(Api& api, const void* stub, Sizes grid, Sizes block, std::vector<void*> arguments,
           size_t shared = 0, void* stream = nullptr);

/// Host stubs of the kernels and shadows of the variables in the module: only their addresses count.
struct Stubs {
  char scale = 0;        ///< scale(float* p, float by, int n): p[i] *= by
  char fill = 0;         ///< fill(int* p, int n): p[i] = i, and nothing is read
  char add_counter = 0;  ///< add_counter(int* p): p[0] = counter, a __device__ int that begins as 3
  char unused = 0;       ///< never launched
  char counter = 0;
  void* managed = nullptr;  ///< __managed__ int limit = 7
};
Stubs& stubs();

/// PTX of the module, and fatbins.
std::string module_ptx();
struct Image {
  uint16_t kind = 1;  ///< 1 PTX, 2 machine code
  uint32_t architecture = 80;
  uint64_t flags = 0x11;
  std::string bytes;
  uint64_t unpacked = 0;
};
std::string fatbin_of(const std::vector<Image>& images);
std::string plain_fatbin();

struct Outcome {
  int exit_code = -1;
  int signal = 0;
  std::string out, err;
  Tape tape;
  std::string tape_bytes;  ///< as it was written
  /// Rows of one call.
  std::vector<const TapeRow*> rows(const std::string& call) const;
};
/// Runs `body` in a child with the module registered; its result is the exit code. The environment comes on
/// top of WARPBOOK_ROOT and the tape.
Outcome in_program(const std::function<int(Api&)>& body,
                   const std::map<std::string, std::string>& environment = {});

}  // namespace warpbook::cudart_test
