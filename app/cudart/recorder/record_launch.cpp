// Registration before main and launches, as nvcc's host code makes them (crt/host_runtime.h of CUDA 13).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "cudart/recorder/forwarding.h"

using namespace warpbook;
using namespace warpbook::cudart;

namespace {

/// NVIDIA's handles of what we know by our own.
struct Handles {
  std::unordered_map<void**, RegisteredModule*> modules;
  std::unordered_map<Handle, const void*> stubs;  ///< of kernels
};
Handles& handles() {
  static Handles* const one = new Handles;  // as the runtime: never destroyed
  return *one;
}

RegisteredModule* module_of(void** handle) {
  const auto found = handles().modules.find(handle);
  return found == handles().modules.end() ? nullptr : found->second;
}

/// Arguments whose types the kernel's name tells, up to the first whose size is not known.
void note_arguments(Call& call, Kernel& kernel, void** arguments) {
  if (!call.recording || !arguments) return;
  if (kernel.types.empty()) kernel.types = parameter_types(kernel.symbol);
  for (size_t i = 0; i < kernel.types.size(); ++i) {
    const ParameterType& type = kernel.types[i];
    const uint32_t bytes = type.pointer ? 8 : scalar_bytes(type.text);
    if (bytes == 0) return;
    const std::string name = fmt::format("{}", i + 1);
    call.argument(name.c_str(), value_text(type.text, arguments[i], bytes));
    if (!type.pointer) continue;
    uint64_t address = 0;
    std::memcpy(&address, arguments[i], sizeof address);
    call.row.places.push_back(call.runtime.memory.place(name, address));
  }
}

template <class Forward>
int record(const char* name, const void* stub_or_handle, GridSize grid, GridSize block, void** arguments,
           size_t shared_bytes, Handle stream, bool cooperative, Forward forward) {
  Call call(name);
  call.row.kind = TapeKind::launch;
  TapeLaunch& launch = call.row.launch.emplace();
  if (!call.thread.launch_frames.empty()) call.row.frames = std::move(call.thread.launch_frames);
  call.thread.launch_frames.clear();
  launch.launch.grid = {grid.x, grid.y, grid.z};
  launch.launch.block = {block.x, block.y, block.z};
  launch.launch.shared_bytes = uint32_t(std::min<size_t>(shared_bytes, UINT32_MAX));
  launch.cooperative = cooperative;
  const auto stub = handles().stubs.find(const_cast<void*>(stub_or_handle));
  Kernel* const kernel =
      call.runtime.registry.kernel(stub == handles().stubs.end() ? stub_or_handle : stub->second);
  if (kernel) {
    launch.kernel = kernel->name;
    launch.symbol = kernel->symbol;
    launch.module = kernel->module;
    note_arguments(call, *kernel, arguments);
  }
  const Stream* const known = call.runtime.stream(stream);
  call.row.stream = known ? int64_t(known->number) : -1;
  if (call.refused()) {
    launch.status = "launch-error";
    return call.finish();
  }
  const int code = forward(call);
  if (code != success) {
    launch.status = "launch-error";
    launch.error = code;
  } else {
    if (kernel) ++kernel->launches;
    call.runtime.last_launch = call.row.sequence;
  }
  return call.finish(code);
}

int with_configuration(const char* name, const LaunchConfiguration* configuration, const void* kernel,
                       void** arguments) {
  const LaunchConfiguration none{};
  const LaunchConfiguration& c = configuration ? *configuration : none;
  return record(name, kernel, c.grid, c.block, arguments, c.shared_bytes, c.stream, false, [&](Call& call) {
    return forward<const LaunchConfiguration*, const void*, void**>(call, name, configuration, kernel,
                                                                    arguments);
  });
}

int plain(const char* name, const void* kernel, GridSize grid, GridSize block, void** arguments,
          size_t shared_bytes, Handle stream, bool cooperative) {
  // Whatever stub nvcc's code calls, the learner wrote a launch.
  const char* const shown = cooperative ? "cudaLaunchCooperativeKernel" : "cudaLaunchKernel";
  return record(shown, kernel, grid, block, arguments, shared_bytes, stream, cooperative, [&](Call& call) {
    return forward<const void*, GridSize, GridSize, void**, size_t, Handle>(call, name, kernel, grid, block,
                                                                            arguments, shared_bytes, stream);
  });
}

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(next_function(name));
}

}  // namespace

WARPBOOK_EXPORT void** __cudaRegisterFatBinary(void* wrapper) {
  Runtime& runtime = Runtime::get();
  const auto there = real<void** (*)(void*)>("__cudaRegisterFatBinary");
  void** const handle = there ? there(wrapper) : nullptr;
  const std::lock_guard lock(runtime.mutex);
  handles().modules[handle] = &runtime.registry.add_module(wrapper);
  return handle;
}

WARPBOOK_EXPORT void __cudaRegisterFunction(void** handle, const char* stub, char* name, const char* symbol,
                                            int limit, void* thread, void* block, void* block_size,
                                            void* grid_size, int* warp_size) {
  Runtime& runtime = Runtime::get();
  if (const auto there =
          real<void (*)(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*)>(
              "__cudaRegisterFunction"))
    there(handle, stub, name, symbol, limit, thread, block, block_size, grid_size, warp_size);
  const std::lock_guard lock(runtime.mutex);
  if (RegisteredModule* module = module_of(handle)) runtime.registry.add_kernel(*module, stub, symbol);
}

WARPBOOK_EXPORT void __cudaRegisterVar(void** handle, char* shadow, char* name, const char* symbol, int ext,
                                       size_t bytes, int constant, int global) {
  Runtime& runtime = Runtime::get();
  if (const auto there =
          real<void (*)(void**, char*, char*, const char*, int, size_t, int, int)>("__cudaRegisterVar"))
    there(handle, shadow, name, symbol, ext, bytes, constant, global);
  const std::lock_guard lock(runtime.mutex);
  if (RegisteredModule* module = module_of(handle))
    runtime.registry.add_variable(*module, shadow, symbol, bytes, constant != 0, nullptr);
}

WARPBOOK_EXPORT int __cudaGetKernel(Handle* handle, const void* stub) {
  Runtime& runtime = Runtime::get();
  const auto there = real<int (*)(Handle*, const void*)>("__cudaGetKernel");
  const int code = there ? there(handle, stub) : int(initialization_error);
  const std::lock_guard lock(runtime.mutex);
  if (code == success) handles().stubs[*handle] = stub;
  return code;
}

WARPBOOK_EXPORT unsigned __cudaPushCallConfiguration(GridSize grid, GridSize block, size_t shared_bytes,
                                                     Handle stream) {
  Runtime& runtime = Runtime::get();
  Runtime::thread().pushed.push_back({grid, block, shared_bytes, stream, runtime.tape.callers()});
  const auto there = real<unsigned (*)(GridSize, GridSize, size_t, Handle)>("__cudaPushCallConfiguration");
  return there ? there(grid, block, shared_bytes, stream) : 1;
}

WARPBOOK_EXPORT int __cudaPopCallConfiguration(GridSize* grid, GridSize* block, size_t* shared_bytes,
                                               void* stream) {
  ThreadState& thread = Runtime::thread();
  if (!thread.pushed.empty()) {
    thread.launch_frames = std::move(thread.pushed.back().frames);
    thread.pushed.pop_back();
  }
  const auto there = real<int (*)(GridSize*, GridSize*, size_t*, void*)>("__cudaPopCallConfiguration");
  return there ? there(grid, block, shared_bytes, stream) : int(initialization_error);
}

WARPBOOK_EXPORT int __cudaLaunchKernel(Handle kernel, GridSize grid, GridSize block, void** arguments,
                                       size_t shared_bytes, Handle stream) {
  return plain("__cudaLaunchKernel", kernel, grid, block, arguments, shared_bytes, stream, false);
}
WARPBOOK_EXPORT int __cudaLaunchKernel_ptsz(Handle kernel, GridSize grid, GridSize block, void** arguments,
                                            size_t shared_bytes, Handle stream) {
  return plain("__cudaLaunchKernel_ptsz", kernel, grid, block, arguments, shared_bytes, stream, false);
}
WARPBOOK_EXPORT int cudaLaunchKernel(const void* kernel, GridSize grid, GridSize block, void** arguments,
                                     size_t shared_bytes, Handle stream) {
  return plain("cudaLaunchKernel", kernel, grid, block, arguments, shared_bytes, stream, false);
}
WARPBOOK_EXPORT int cudaLaunchCooperativeKernel(const void* kernel, GridSize grid, GridSize block,
                                                void** arguments, size_t shared_bytes, Handle stream) {
  return plain("cudaLaunchCooperativeKernel", kernel, grid, block, arguments, shared_bytes, stream, true);
}
WARPBOOK_EXPORT int cudaLaunchKernelExC(const LaunchConfiguration* configuration, const void* kernel,
                                        void** arguments) {
  return with_configuration("cudaLaunchKernelExC", configuration, kernel, arguments);
}

/// Runs when the program has ended by itself, after its own destructors.
__attribute__((destructor)) static void program_ends() { Runtime::get().end(); }
