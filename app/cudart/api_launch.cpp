// Launches as nvcc's host code makes them (crt/host_runtime.h, launch_functions of CUDA 13), and as programs
// do themselves; kernels' attributes and occupancy.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/version.h"
#include "cudart/launching.h"

using namespace warpbook;
using namespace warpbook::cudart;

namespace {

constexpr int attribute_cooperative = 2, attribute_cluster = 4;
constexpr int function_most_dynamic_shared = 8, function_carveout = 9;

int launch_with_attributes(const LaunchConfiguration* configuration, const void* kernel, void** arguments) {
  LaunchRequest request;
  request.kernel = kernel;
  request.arguments = arguments;
  if (configuration) {
    request.grid = configuration->grid;
    request.block = configuration->block;
    request.shared_bytes = configuration->shared_bytes;
    request.stream = configuration->stream;
    for (unsigned i = 0; i < configuration->attribute_count; ++i) {
      const LaunchAttribute& a = configuration->attributes[i];
      if (a.id == attribute_cooperative) request.cooperative = a.value.cooperative != 0;
      const bool clusters = a.id == attribute_cluster &&
                            uint64_t(a.value.cluster[0]) * a.value.cluster[1] * a.value.cluster[2] > 1;
      if (clusters) {
        Call call("cudaLaunchKernelExC");
        call.row.modelled = false;
        return call.finish(not_supported, "Warpbook does not model clusters of blocks.");
      }
    }
  }
  return launch("cudaLaunchKernelExC", request);
}

/// For the calls below that ask about one kernel.
int with_kernel(const char* name, const void* function,
                int (*answer)(Call&, const LoadedKernel&, const void*), const void* more) {
  Call call(name);
  if (call.refused()) return call.finish();
  const LoadedKernel loaded = loaded_kernel(call.runtime, function);
  if (!loaded.known) return call.finish(loaded.code, loaded.note);
  call.argument("func", loaded.kernel->name);
  return answer(call, loaded, more);
}

int most_threads(const Runtime& runtime, const ProgramKernel& known, int registers) {
  const int by_registers = runtime.gpu().registers_per_sm / std::max(1, registers) / 32 * 32;
  const int bound = known.max_threads ? int(known.max_threads) : runtime.gpu().max_threads_per_block;
  return std::min({bound, by_registers, runtime.gpu().max_threads_per_block});
}

int occupancy(const char* name, int* blocks, const void* function, int block_size, size_t shared_bytes) {
  Call call(name);
  call.argument("blockSize", block_size).argument("dynamicSMemSize", shared_bytes);
  if (call.refused()) return call.finish();
  Kernel* kernel = call.runtime.registry.kernel(function);
  if (!blocks) return call.finish(invalid_value);
  if (!kernel) return call.finish(invalid_function, "This is no kernel of the program.");
  call.argument("func", kernel->name);
  const ActiveBlocks active = active_blocks(call.runtime, *kernel, block_size, shared_bytes);
  if (active.code != success) return call.finish(active.code, active.note);
  *blocks = active.blocks;
  call.argument("numBlocks", active.blocks);
  return call.finish(success);
}

int accepted(const char* name, const void* function, int value) {
  Call call(name);
  call.argument("value", value);
  if (call.refused()) return call.finish();
  return call.finish(call.runtime.registry.kernel(function) ? success : invalid_function);
}

}  // namespace

WARPBOOK_EXPORT unsigned __cudaPushCallConfiguration(GridSize grid, GridSize block, size_t shared_bytes,
                                                     Handle stream) {
  Runtime& runtime = Runtime::get();
  // <<<>>> stands where this was called from; the launch itself comes out of the kernel's stub.
  Runtime::thread().pushed.push_back({grid, block, shared_bytes, stream, runtime.tape.callers()});
  return 0;
}

WARPBOOK_EXPORT int __cudaPopCallConfiguration(GridSize* grid, GridSize* block, size_t* shared_bytes,
                                               void* stream) {
  ThreadState& thread = Runtime::thread();
  if (thread.pushed.empty()) return 52;  // cudaErrorMissingConfiguration
  PushedConfiguration& top = thread.pushed.back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<Handle*>(stream) = top.stream;
  thread.launch_frames = std::move(top.frames);
  thread.pushed.pop_back();
  return success;
}

WARPBOOK_EXPORT int __cudaGetKernel(Handle* handle, const void* stub) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  // A kernel that is not there fails when it is launched, where the program can be told.
  Kernel* kernel = runtime.registry.kernel(stub);
  *handle = kernel ? static_cast<void*>(kernel) : const_cast<void*>(stub);
  return success;
}

WARPBOOK_EXPORT int __cudaLaunchKernel(Handle kernel, GridSize grid, GridSize block, void** arguments,
                                       size_t shared_bytes, Handle stream) {
  return launch("cudaLaunchKernel", {kernel, grid, block, arguments, shared_bytes, stream, false});
}
WARPBOOK_EXPORT int __cudaLaunchKernel_ptsz(Handle kernel, GridSize grid, GridSize block, void** arguments,
                                            size_t shared_bytes, Handle stream) {
  return launch("cudaLaunchKernel", {kernel, grid, block, arguments, shared_bytes, stream, false});
}
WARPBOOK_EXPORT int cudaLaunchKernel(const void* kernel, GridSize grid, GridSize block, void** arguments,
                                     size_t shared_bytes, Handle stream) {
  return launch("cudaLaunchKernel", {kernel, grid, block, arguments, shared_bytes, stream, false});
}
WARPBOOK_EXPORT int cudaLaunchKernel_ptsz(const void* kernel, GridSize grid, GridSize block, void** arguments,
                                          size_t shared_bytes, Handle stream) {
  return launch("cudaLaunchKernel", {kernel, grid, block, arguments, shared_bytes, stream, false});
}
WARPBOOK_EXPORT int cudaLaunchCooperativeKernel(const void* kernel, GridSize grid, GridSize block,
                                                void** arguments, size_t shared_bytes, Handle stream) {
  return launch("cudaLaunchCooperativeKernel", {kernel, grid, block, arguments, shared_bytes, stream, true});
}
WARPBOOK_EXPORT int cudaLaunchCooperativeKernel_ptsz(const void* kernel, GridSize grid, GridSize block,
                                                     void** arguments, size_t shared_bytes, Handle stream) {
  return launch("cudaLaunchCooperativeKernel", {kernel, grid, block, arguments, shared_bytes, stream, true});
}
WARPBOOK_EXPORT int cudaLaunchKernelExC(const LaunchConfiguration* configuration, const void* kernel,
                                        void** arguments) {
  return launch_with_attributes(configuration, kernel, arguments);
}
WARPBOOK_EXPORT int cudaLaunchKernelExC_ptsz(const LaunchConfiguration* configuration, const void* kernel,
                                             void** arguments) {
  return launch_with_attributes(configuration, kernel, arguments);
}

WARPBOOK_EXPORT int cudaGetKernel(Handle* to, const void* stub) {
  Call call("cudaGetKernel");
  if (call.refused()) return call.finish();
  Kernel* kernel = call.runtime.registry.kernel(stub);
  if (!to || !kernel) return call.finish(to ? invalid_function : invalid_value);
  *to = kernel;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function) {
  return with_kernel(
      "cudaFuncGetAttributes", function,
      [](Call& call, const LoadedKernel& loaded, const void* to) {
        if (!to) return call.finish(invalid_value);
        auto& a = *static_cast<FunctionAttributes*>(const_cast<void*>(to));
        const ProgramResources resources =
            (*call.runtime.device())->resources(loaded.module, loaded.kernel->symbol);
        const RegisteredModule& module = call.runtime.registry.module(loaded.kernel->module);
        std::memset(&a, 0, sizeof a);
        a.shared_size_bytes = loaded.known->info.static_shared_bytes;
        for (const RegisteredVariable* variable : module.variables) {
          a.const_size_bytes += variable->constant ? variable->bytes : 0;
        }
        a.local_size_bytes = resources.local_bytes;
        a.max_threads_per_block = most_threads(call.runtime, *loaded.known, resources.registers);
        a.num_regs = resources.registers;
        a.ptx_version = module.architecture;
        a.binary_version = version_number(call.runtime.gpu().compute);
        a.max_dynamic_shared_size_bytes =
            loaded.kernel->most_dynamic_shared >= 0
                ? loaded.kernel->most_dynamic_shared
                : int(call.runtime.gpu().shared_per_block - loaded.known->info.static_shared_bytes);
        a.preferred_shmem_carveout = loaded.kernel->carveout;
        return call.finish(success);
      },
      attributes);
}

WARPBOOK_EXPORT int cudaFuncSetAttribute(const void* function, int attribute, int value) {
  Call call("cudaFuncSetAttribute");
  call.argument("attr", attribute).argument("value", value);
  if (call.refused()) return call.finish();
  const LoadedKernel loaded = loaded_kernel(call.runtime, function);
  if (!loaded.known) return call.finish(loaded.code, loaded.note);
  call.argument("func", loaded.kernel->name);
  if (attribute == function_most_dynamic_shared) {
    const int64_t most =
        int64_t(call.runtime.gpu().shared_per_block_optin) - loaded.known->info.static_shared_bytes;
    if (value < 0 || value > most) {
      return call.finish(
          invalid_value,
          fmt::format("A block can be given at most {} bytes of dynamic shared memory.", most));
    }
    loaded.kernel->most_dynamic_shared = value;
  } else if (attribute == function_carveout) {
    if (value < -1 || value > 100) return call.finish(invalid_value);
    loaded.kernel->carveout = value;
  }
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaFuncSetCacheConfig(const void* function, int value) {
  return accepted("cudaFuncSetCacheConfig", function, value);
}
WARPBOOK_EXPORT int cudaFuncSetSharedMemConfig(const void* function, int value) {
  return accepted("cudaFuncSetSharedMemConfig", function, value);
}

WARPBOOK_EXPORT int cudaFuncGetName(const char** name, const void* function) {
  return with_kernel(
      "cudaFuncGetName", function,
      [](Call& call, const LoadedKernel& loaded, const void* to) {
        if (!to) return call.finish(invalid_value);
        *static_cast<const char**>(const_cast<void*>(to)) = loaded.kernel->symbol.c_str();
        return call.finish(success);
      },
      name);
}

WARPBOOK_EXPORT int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                                  int block_size, size_t shared_bytes) {
  return occupancy("cudaOccupancyMaxActiveBlocksPerMultiprocessor", blocks, function, block_size,
                   shared_bytes);
}
WARPBOOK_EXPORT int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                           int block_size,
                                                                           size_t shared_bytes, unsigned) {
  return occupancy("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, function, block_size,
                   shared_bytes);
}
