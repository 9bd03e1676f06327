#pragma once
// The few types and numbers of the CUDA driver API that are used, declared here so that no CUDA header is
// needed. Facts from cuda.h and cudaGL.h of CUDA 13.0; tests/device/cuda_header.cpp holds them against the
// header where a toolkit is present.
#include <cstddef>
#include <cstdint>

namespace warpbook::cuda {

using Code = int;          ///< CUresult
using DeviceNumber = int;  ///< CUdevice
using Pointer = uint64_t;  ///< CUdeviceptr
using Context = struct ContextObject*;
using Module = struct ModuleObject*;
using Function = struct FunctionObject*;
using Stream = struct StreamObject*;
using Event = struct EventObject*;
using Array = struct ArrayObject*;
using GraphicsResource = struct GraphicsResourceObject*;

struct Uuid {
  unsigned char bytes[16];
};

/// CUDA_MEMCPY2D
struct Copy2D {
  size_t source_x = 0, source_y = 0;  ///< bytes, rows
  unsigned source_kind = 0;
  const void* source_host = nullptr;
  Pointer source_device = 0;
  Array source_array = nullptr;
  size_t source_pitch = 0;
  size_t target_x = 0, target_y = 0;
  unsigned target_kind = 0;
  void* target_host = nullptr;
  Pointer target_device = 0;
  Array target_array = nullptr;
  size_t target_pitch = 0;
  size_t width_bytes = 0, height = 0;
};

namespace code {
enum : Code {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  stub_library = 34,
  device_unavailable = 46,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  already_mapped = 208,
  no_binary_for_gpu = 209,
  not_mapped = 211,
  not_mapped_as_array = 212,
  not_mapped_as_pointer = 213,
  ecc_uncorrectable = 214,
  unsupported_limit = 215,
  invalid_ptx = 218,
  invalid_graphics_context = 219,
  jit_compiler_not_found = 221,
  unsupported_ptx_version = 222,
  operating_system = 304,
  invalid_handle = 400,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  context_is_destroyed = 709,
  assert_failed = 710,
  hardware_stack_error = 714,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  invalid_pc = 718,
  launch_failed = 719,
  not_permitted = 800,
  not_supported = 801,
  system_not_ready = 802,
  system_driver_mismatch = 803,
  unknown = 999
};
}  // namespace code

namespace attribute {
enum : int {  // CUdevice_attribute
  max_threads_per_block = 1,
  max_block_x = 2,
  max_block_y = 3,
  max_block_z = 4,
  max_grid_x = 5,
  max_grid_y = 6,
  max_grid_z = 7,
  shared_per_block = 8,
  constant_memory = 9,
  warp_size = 10,
  registers_per_block = 12,
  clock_khz = 13,
  multiprocessors = 16,
  kernel_timeout = 17,
  integrated = 18,
  can_map_host_memory = 19,
  compute_mode = 20,
  concurrent_kernels = 31,
  ecc = 32,
  pci_bus = 33,
  pci_device = 34,
  memory_clock_khz = 36,
  memory_bus_bits = 37,
  l2_bytes = 38,
  threads_per_multiprocessor = 39,
  async_engines = 40,
  unified_addressing = 41,
  pci_domain = 50,
  compute_major = 75,
  compute_minor = 76,
  shared_per_multiprocessor = 81,
  registers_per_multiprocessor = 82,
  managed_memory = 83,
  single_to_double_ratio = 87,
  compute_preemption = 90,
  cooperative_launch = 95,
  shared_per_block_optin = 97,
  blocks_per_multiprocessor = 106,
  persisting_l2_bytes = 108,
  shared_reserved_per_block = 111,
  memory_pools = 115,
  cluster_launch = 120
};
}  // namespace attribute

namespace function_attribute {
enum : int {  // CUfunction_attribute
  max_threads_per_block = 0,
  static_shared_bytes = 1,
  registers = 4,
  dynamic_shared_bytes = 8
};
}  // namespace function_attribute

namespace limit {
enum : int { stack_bytes = 0, printf_bytes = 1, heap_bytes = 2 };  // CUlimit
}

namespace jit {
enum : int {  // CUjit_option
  info_log = 3,
  info_log_bytes = 4,
  error_log = 5,
  error_log_bytes = 6
};
}

inline constexpr unsigned memory_host = 1, memory_device = 2, memory_array = 3;  // CUmemorytype
inline constexpr unsigned stream_non_blocking = 1;                               // CUstream_flags
inline constexpr unsigned register_write_discard = 2;                            // CUgraphicsRegisterFlags
inline constexpr unsigned gl_devices_all = 1;                                    // CUGLDeviceList
inline constexpr unsigned gl_texture_2d = 0x0DE1;  // GL_TEXTURE_2D (OpenGL registry)

}  // namespace warpbook::cuda
