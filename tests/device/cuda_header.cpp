// Our declarations of the driver API against cuda.h and cudaGL.h, where a toolkit is present: parameter by
// parameter in kind and size, and number by number.
#ifdef WARPBOOK_HAVE_CUDA_HEADER
#include <cuda.h>
#if __has_include(<GL/gl.h>)
#include <cudaGL.h>
#define WARPBOOK_HAVE_CUDA_GL
#endif

#include <cstddef>
#include <type_traits>

#include "catch.h"
#include "device/cuda_driver.h"

namespace ours = warpbook::cuda;

namespace {

/// Integers, enums and pointers of one size pass alike.
template <class A, class B>
constexpr bool same_parameter = sizeof(A) == sizeof(B) && std::is_pointer_v<A> == std::is_pointer_v<B> &&
                                (std::is_integral_v<A> || std::is_enum_v<A> || std::is_pointer_v<A>);

template <class A, class B>
struct SameFunction : std::false_type {};
template <class... A, class... B>
requires(sizeof...(A) == sizeof...(B)) struct SameFunction<ours::Code (*)(A...), CUresult(B...)>
    : std::bool_constant<(same_parameter<A, B> && ...)> {
};

#define HOLD(member, function) \
  static_assert(SameFunction<decltype(ours::Driver::member), decltype(function)>::value, #function)

HOLD(init, cuInit);
HOLD(driver_version, cuDriverGetVersion);
HOLD(error_name, cuGetErrorName);
HOLD(error_text, cuGetErrorString);
HOLD(device_count, cuDeviceGetCount);
HOLD(device_get, cuDeviceGet);
HOLD(device_name, cuDeviceGetName);
HOLD(device_uuid, cuDeviceGetUuid);
HOLD(device_memory, cuDeviceTotalMem);
HOLD(device_attribute, cuDeviceGetAttribute);
HOLD(context_retain, cuDevicePrimaryCtxRetain);
HOLD(context_release, cuDevicePrimaryCtxRelease);
HOLD(context_reset, cuDevicePrimaryCtxReset);
HOLD(context_push, cuCtxPushCurrent);
HOLD(context_pop, cuCtxPopCurrent);
HOLD(context_set_limit, cuCtxSetLimit);
HOLD(module_load, cuModuleLoadDataEx);
HOLD(module_unload, cuModuleUnload);
HOLD(module_function, cuModuleGetFunction);
HOLD(function_set, cuFuncSetAttribute);
HOLD(memory_info, cuMemGetInfo);
HOLD(allocate, cuMemAlloc);
HOLD(free, cuMemFree);
HOLD(host_allocate, cuMemHostAlloc);
HOLD(host_free, cuMemFreeHost);
HOLD(copy_in, cuMemcpyHtoDAsync);
HOLD(copy_out, cuMemcpyDtoHAsync);
HOLD(copy, cuMemcpyDtoDAsync);
HOLD(copy_2d, cuMemcpy2DAsync);
HOLD(fill, cuMemsetD8Async);
HOLD(stream_create, cuStreamCreate);
HOLD(stream_destroy, cuStreamDestroy);
HOLD(stream_query, cuStreamQuery);
HOLD(event_create, cuEventCreate);
HOLD(event_destroy, cuEventDestroy);
HOLD(event_record, cuEventRecord);
HOLD(event_elapsed, cuEventElapsedTime);
HOLD(launch, cuLaunchKernel);
HOLD(launch_cooperative, cuLaunchCooperativeKernel);
HOLD(unregister, cuGraphicsUnregisterResource);
HOLD(map, cuGraphicsMapResources);
HOLD(unmap, cuGraphicsUnmapResources);
HOLD(mapped_array, cuGraphicsSubResourceGetMappedArray);
HOLD(mapped_pointer, cuGraphicsResourceGetMappedPointer);
#ifdef WARPBOOK_HAVE_CUDA_GL
HOLD(gl_devices, cuGLGetDevices);
HOLD(register_image, cuGraphicsGLRegisterImage);
HOLD(register_buffer, cuGraphicsGLRegisterBuffer);
static_assert(ours::gl_devices_all == CU_GL_DEVICE_LIST_ALL);
static_assert(ours::gl_texture_2d == GL_TEXTURE_2D);
#endif

static_assert(sizeof(ours::Uuid) == sizeof(CUuuid));
static_assert(sizeof(ours::Copy2D) == sizeof(CUDA_MEMCPY2D));
static_assert(offsetof(ours::Copy2D, source_kind) == offsetof(CUDA_MEMCPY2D, srcMemoryType));
static_assert(offsetof(ours::Copy2D, source_device) == offsetof(CUDA_MEMCPY2D, srcDevice));
static_assert(offsetof(ours::Copy2D, source_pitch) == offsetof(CUDA_MEMCPY2D, srcPitch));
static_assert(offsetof(ours::Copy2D, target_kind) == offsetof(CUDA_MEMCPY2D, dstMemoryType));
static_assert(offsetof(ours::Copy2D, target_array) == offsetof(CUDA_MEMCPY2D, dstArray));
static_assert(offsetof(ours::Copy2D, width_bytes) == offsetof(CUDA_MEMCPY2D, WidthInBytes));
static_assert(offsetof(ours::Copy2D, height) == offsetof(CUDA_MEMCPY2D, Height));

#define SAME(mine, theirs) static_assert(int(ours::mine) == int(theirs), #theirs)
SAME(code::invalid_value, CUDA_ERROR_INVALID_VALUE);
SAME(code::out_of_memory, CUDA_ERROR_OUT_OF_MEMORY);
SAME(code::not_initialized, CUDA_ERROR_NOT_INITIALIZED);
SAME(code::stub_library, CUDA_ERROR_STUB_LIBRARY);
SAME(code::device_unavailable, CUDA_ERROR_DEVICE_UNAVAILABLE);
SAME(code::no_device, CUDA_ERROR_NO_DEVICE);
SAME(code::invalid_device, CUDA_ERROR_INVALID_DEVICE);
SAME(code::invalid_image, CUDA_ERROR_INVALID_IMAGE);
SAME(code::invalid_context, CUDA_ERROR_INVALID_CONTEXT);
SAME(code::already_mapped, CUDA_ERROR_ALREADY_MAPPED);
SAME(code::no_binary_for_gpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME(code::not_mapped, CUDA_ERROR_NOT_MAPPED);
SAME(code::not_mapped_as_array, CUDA_ERROR_NOT_MAPPED_AS_ARRAY);
SAME(code::not_mapped_as_pointer, CUDA_ERROR_NOT_MAPPED_AS_POINTER);
SAME(code::ecc_uncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE);
SAME(code::unsupported_limit, CUDA_ERROR_UNSUPPORTED_LIMIT);
SAME(code::invalid_ptx, CUDA_ERROR_INVALID_PTX);
SAME(code::invalid_graphics_context, CUDA_ERROR_INVALID_GRAPHICS_CONTEXT);
SAME(code::jit_compiler_not_found, CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
SAME(code::unsupported_ptx_version, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME(code::operating_system, CUDA_ERROR_OPERATING_SYSTEM);
SAME(code::invalid_handle, CUDA_ERROR_INVALID_HANDLE);
SAME(code::not_found, CUDA_ERROR_NOT_FOUND);
SAME(code::not_ready, CUDA_ERROR_NOT_READY);
SAME(code::illegal_address, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME(code::launch_out_of_resources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
SAME(code::launch_timeout, CUDA_ERROR_LAUNCH_TIMEOUT);
SAME(code::context_is_destroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED);
SAME(code::assert_failed, CUDA_ERROR_ASSERT);
SAME(code::hardware_stack_error, CUDA_ERROR_HARDWARE_STACK_ERROR);
SAME(code::illegal_instruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
SAME(code::misaligned_address, CUDA_ERROR_MISALIGNED_ADDRESS);
SAME(code::invalid_address_space, CUDA_ERROR_INVALID_ADDRESS_SPACE);
SAME(code::invalid_pc, CUDA_ERROR_INVALID_PC);
SAME(code::launch_failed, CUDA_ERROR_LAUNCH_FAILED);
SAME(code::not_permitted, CUDA_ERROR_NOT_PERMITTED);
SAME(code::not_supported, CUDA_ERROR_NOT_SUPPORTED);
SAME(code::system_not_ready, CUDA_ERROR_SYSTEM_NOT_READY);
SAME(code::system_driver_mismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
SAME(code::unknown, CUDA_ERROR_UNKNOWN);
SAME(attribute::max_threads_per_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(attribute::max_grid_z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
SAME(attribute::shared_per_block, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
SAME(attribute::constant_memory, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
SAME(attribute::warp_size, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME(attribute::registers_per_block, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
SAME(attribute::clock_khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
SAME(attribute::multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(attribute::kernel_timeout, CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT);
SAME(attribute::integrated, CU_DEVICE_ATTRIBUTE_INTEGRATED);
SAME(attribute::can_map_host_memory, CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY);
SAME(attribute::compute_mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE);
SAME(attribute::concurrent_kernels, CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS);
SAME(attribute::ecc, CU_DEVICE_ATTRIBUTE_ECC_ENABLED);
SAME(attribute::pci_bus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
SAME(attribute::pci_device, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
SAME(attribute::memory_clock_khz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
SAME(attribute::memory_bus_bits, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
SAME(attribute::l2_bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME(attribute::threads_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
SAME(attribute::async_engines, CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
SAME(attribute::unified_addressing, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING);
SAME(attribute::pci_domain, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID);
SAME(attribute::compute_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(attribute::compute_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(attribute::shared_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME(attribute::registers_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
SAME(attribute::managed_memory, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY);
SAME(attribute::single_to_double_ratio, CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO);
SAME(attribute::compute_preemption, CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED);
SAME(attribute::cooperative_launch, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH);
SAME(attribute::shared_per_block_optin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME(attribute::blocks_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
SAME(attribute::persisting_l2_bytes, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE);
SAME(attribute::shared_reserved_per_block, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
SAME(attribute::memory_pools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
SAME(attribute::cluster_launch, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
SAME(function_attribute::static_shared_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(function_attribute::registers, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME(function_attribute::dynamic_shared_bytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(limit::stack_bytes, CU_LIMIT_STACK_SIZE);
SAME(limit::printf_bytes, CU_LIMIT_PRINTF_FIFO_SIZE);
SAME(limit::heap_bytes, CU_LIMIT_MALLOC_HEAP_SIZE);
SAME(jit::error_log, CU_JIT_ERROR_LOG_BUFFER);
SAME(jit::error_log_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(memory_device, CU_MEMORYTYPE_DEVICE);
SAME(memory_array, CU_MEMORYTYPE_ARRAY);
SAME(stream_non_blocking, CU_STREAM_NON_BLOCKING);
SAME(register_write_discard, CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD);

// cuda.h maps plain names to those with a suffix; the preprocessor spells out which.
#define SPELL_OUT(name) #name
#define SPELLED(name) SPELL_OUT(name)

}  // namespace

TEST_CASE("the table asks for the symbols that cuda.h maps its names to") {
  const auto has = [](std::string_view symbol) {
    for (const ours::EntryName& entry : ours::entry_names())
      if (entry.symbol == symbol) return true;
    return false;
  };
  for (const char* symbol :
       {SPELLED(cuDeviceTotalMem), SPELLED(cuDeviceGetUuid), SPELLED(cuDevicePrimaryCtxRelease),
        SPELLED(cuDevicePrimaryCtxReset), SPELLED(cuCtxPushCurrent), SPELLED(cuCtxPopCurrent),
        SPELLED(cuMemGetInfo), SPELLED(cuMemAlloc), SPELLED(cuMemFree), SPELLED(cuStreamDestroy),
        SPELLED(cuEventDestroy), SPELLED(cuGraphicsResourceGetMappedPointer)}) {
    INFO(symbol);
    CHECK(has(symbol));
  }
}
#endif
