#pragma once
// A stand-in for the NVIDIA driver: the same names, executed through the emulator. It checks every handle,
// size and order, counts calls, and fails any call on demand, so that what needs a driver is tested where
// there is none. Environment, read at each call:
//   STANDIN_FAIL=call:nth:code[,...]  the nth call (from 1; 0 = every one) of an entry returns that code
//   STANDIN_DEVICES=2        how many GPUs (default 1)
//   STANDIN_COMPUTE=9.0      their compute capability
//   STANDIN_PTX=84           the newest PTX that the driver's compiler takes, times ten (default 99)
//   STANDIN_CUDA=12040       the CUDA version that it serves (default 13000)
//   STANDIN_GL=this|other|none  who draws OpenGL (default this)
//   STANDIN_HANG=text  STANDIN_KILL=text  STANDIN_CORRUPT=text   kernels whose name contains the text never
//                            end, kill the process, or give one wrong bit in each buffer
//   STANDIN_HUNGRY=text      kernels whose name contains the text take 4 GiB of the host's memory
//   STANDIN_REPORT=file      misuse and leaks are appended to it when the process ends
// Its state is one object a process, as a driver's is.
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/cuda_types.h"
#include "simt/emulator.h"

#define STANDIN_ENTRY extern "C" __attribute__((visibility("default"))) ::warpbook::cuda::Code

namespace standin {

using namespace warpbook::cuda;
namespace simt = warpbook::simt;

std::string setting(const char* name, const char* otherwise);
bool names_it(const char* variable, const std::string& kernel);

}  // namespace standin

// The driver's opaque objects are ours here.
namespace warpbook::cuda {

struct FunctionObject {
  ModuleObject* module = nullptr;
  simt::KernelInfo info;
  int dynamic_shared = 0;  ///< opted in to
};
struct ModuleObject {
  ContextObject* context = nullptr;
  std::string text;
  std::shared_ptr<const simt::Module> parsed;
  std::shared_ptr<simt::Instance> instance;
  std::map<std::string, std::unique_ptr<FunctionObject>> functions;
};
struct StreamObject {
  ContextObject* context = nullptr;
};
struct EventObject {
  ContextObject* context = nullptr;
  bool recorded = false;
  double at_ms = 0;
};
struct ArrayObject {
  GraphicsResourceObject* owner = nullptr;
};
struct GraphicsResourceObject {
  ContextObject* context = nullptr;
  unsigned object = 0;  ///< of OpenGL
  bool is_buffer = false, mapped = false;
  ArrayObject array;
  std::vector<uint32_t> pixels;
  uint32_t width = 0, height = 0;
  uint64_t address = 0;  ///< of a mapped buffer
  uint64_t bytes = 0;
};
struct ContextObject {
  int device = 0, retained = 0;
  Code sticky = code::success;
  std::string refused;  ///< the newest PTX of too late a version
  bool hung = false;
  std::unique_ptr<simt::Memory> memory = std::make_unique<simt::Memory>();
  std::map<Pointer, size_t> allocations;
  std::map<void*, std::unique_ptr<std::byte[]>> host;
  std::map<Module, std::unique_ptr<ModuleObject>> modules;
  std::map<Stream, std::unique_ptr<StreamObject>> streams;
  std::map<Event, std::unique_ptr<EventObject>> events;
  std::map<GraphicsResource, std::unique_ptr<GraphicsResourceObject>> graphics;
};

}  // namespace warpbook::cuda

namespace standin {

struct State {
  std::recursive_mutex mutex;
  bool initialised = false;
  std::map<int, std::unique_ptr<ContextObject>> contexts;  ///< by device
  std::vector<std::string> misuse;
  std::map<std::string, int> calls;        ///< since the start or standin_forget
  std::map<std::string, int> fail_counts;  ///< since STANDIN_FAIL last changed
  std::string fail_setting;
  std::map<unsigned, std::vector<uint32_t>> textures;  ///< what unmapping gave OpenGL

  static State& get();
  void wrong(std::string what) { misuse.push_back(std::move(what)); }
  std::vector<std::string> leaks() const;
};

std::vector<ContextObject*>& stack_of_this_thread();

/// One call of an entry: counted, and failed when that is asked for.
class Call {
 public:
  explicit Call(const char* name);
  /// The code that the environment asks for, or that the driver gives without any context.
  bool fails() const { return code_ != code::success; }
  Code code() const { return code_; }
  /// The current context; null, with the code to return, when there is none or an earlier fault ended it.
  ContextObject* context();
  Code wrong(const std::string& what, Code code);

 private:
  std::string name_;
  std::unique_lock<std::recursive_mutex> lock_;
  Code code_ = code::success;
};

int device_count();
int compute_major();
int compute_minor();
warpbook::GpuRow limits();
double now_ms();
/// Gives pixels to the texture of the GL context that is current on this thread, if there is one.
void upload_to_gl(unsigned texture, uint32_t width, uint32_t height, const uint32_t* pixels);
/// Width and height of a texture, zeros without a GL context.
void size_in_gl(unsigned texture, uint32_t& width, uint32_t& height);
/// Bytes of a GL buffer, 0 without a GL context; and filling it.
uint64_t buffer_bytes_in_gl(unsigned buffer);
void fill_buffer_in_gl(unsigned buffer, const std::vector<uint32_t>& pixels);

}  // namespace standin
