// The one device: its properties and attributes, out of the row of the GPU table.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/version.h"
#include "cudart/runtime.h"

using namespace warpbook;
using namespace warpbook::cudart;

namespace {

constexpr int runtime_version = 13000;
constexpr int largest_pitch = 2147483647;
constexpr int texture_alignment = 512;
constexpr int pitch_alignment = 32;
/// Samples leave at once when no part of L2 can be kept for persisting accesses. A quarter is what an A100
/// gives at most three of (CUDA C++ Programming Guide, "L2 set-aside").
constexpr double persisting_share = 0.25;

int major_of(const GpuSpec& gpu) { return version_number(gpu.compute) / 10; }
int minor_of(const GpuSpec& gpu) { return version_number(gpu.compute) % 10; }
int l2_bytes(const GpuSpec& gpu) { return int(gpu.l2_mb * 1048576.0); }
int limited(uint64_t value) { return int(std::min<uint64_t>(value, 2147483647)); }

/// Attributes by number (cudaDeviceAttr of driver_types.h). What is not listed is 0: not there.
int attribute_of(const Runtime& runtime, int attribute) {
  const GpuSpec& g = runtime.gpu();
  switch (attribute) {
    case 1: return g.max_threads_per_block;
    case 2: return g.max_block_x;
    case 3: return g.max_block_y;
    case 4: return g.max_block_z;
    case 5: return limited(g.max_grid_x);
    case 6: return limited(g.max_grid_y);
    case 7: return limited(g.max_grid_z);
    case 8: return int(g.shared_per_block);
    case 9: return 65536;  // constant memory, of every compute capability
    case 10: return 32;
    case 11: return largest_pitch;
    case 12: return 65536;  // registers a block
    case 13: return int(g.boost_mhz * 1000);
    case 14: return texture_alignment;
    case 15: return 1;  // copies and kernels overlap
    case 16: return runtime.multiprocessors();
    case 19: return 1;        // maps host memory
    case 31: return 1;        // concurrent kernels
    case 36: return 1215000;  // memory clock in kHz; with the bus below it gives the row's bandwidth
    case 37: return int(g.dram_gb_s * 1e6 * 8 / (2 * 1215000.0) / 32 + 0.5) * 32;  // channels of 32 bits
    case 38: return l2_bytes(g);
    case 39: return g.max_warps_per_sm * 32;
    case 40: return 2;  // a copy engine each way
    case 41: return 1;  // unified addressing
    case 51: return pitch_alignment;
    case 75: return major_of(g);
    case 76: return minor_of(g);
    case 78: return 1;  // stream priorities
    case 79:
    case 80: return 1;  // L1 caches global and local memory
    case 81: return int(g.shared_per_sm);
    case 82: return g.registers_per_sm;
    case 83: return 1;  // managed memory
    case 87: return g.fp64_lanes > 0 ? int(g.fp32_lanes / g.fp64_lanes) : 32;
    case 89: return 1;  // the host may touch managed memory while a kernel runs
    case 90: return 1;  // preemption
    case 95: return 1;  // cooperative launch
    case 97: return int(g.shared_per_block_optin);
    case 99: return 1;  // cudaHostRegister
    case 106: return g.max_blocks_per_sm;
    case 108: return int(l2_bytes(g) * persisting_share);
    case 109: return l2_bytes(g);
    case 111: return int(g.shared_reserved);
    case 115: return 1;  // memory pools
    default: return 0;
  }
}

void fill_properties(const Runtime& runtime, DeviceProperties& p) {
  const GpuSpec& g = runtime.gpu();
  const auto a = [&](int attribute) { return attribute_of(runtime, attribute); };
  std::memset(&p, 0, sizeof p);
  const std::string name = fmt::format("{} (Warpbook emulator)", g.name);
  std::snprintf(p.name, sizeof p.name, "%s", name.c_str());
  p.total_global_mem = runtime.total_memory();
  p.shared_mem_per_block = g.shared_per_block;
  p.regs_per_block = a(12);
  p.warp_size = 32;
  p.mem_pitch = largest_pitch;
  p.max_threads_per_block = a(1);
  for (int i = 0; i < 3; ++i) {
    p.max_threads_dim[i] = a(2 + i);
    p.max_grid_size[i] = a(5 + i);
  }
  p.total_const_mem = size_t(a(9));
  p.major = a(75);
  p.minor = a(76);
  p.texture_alignment = texture_alignment;
  p.texture_pitch_alignment = pitch_alignment;
  p.multi_processor_count = a(16);
  p.can_map_host_memory = 1;
  p.concurrent_kernels = 1;
  p.async_engine_count = a(40);
  p.unified_addressing = 1;
  p.memory_bus_width = a(37);
  p.l2_cache_size = a(38);
  p.persisting_l2_cache_max_size = a(108);
  p.max_threads_per_multi_processor = a(39);
  p.stream_priorities_supported = 1;
  p.global_l1_cache_supported = p.local_l1_cache_supported = 1;
  p.shared_mem_per_multiprocessor = g.shared_per_sm;
  p.regs_per_multiprocessor = g.registers_per_sm;
  p.managed_memory = 1;
  p.concurrent_managed_access = 1;
  p.compute_preemption_supported = 1;
  p.cooperative_launch = 1;
  p.shared_mem_per_block_optin = g.shared_per_block_optin;
  p.max_blocks_per_multi_processor = a(106);
  p.access_policy_max_window_size = a(109);
  p.reserved_shared_mem_per_block = g.shared_reserved;
  p.host_register_supported = 1;
  p.memory_pools_supported = 1;
}

/// Calls that only steer what is not modelled.
int accepted(const char* name) {
  Call call(name);
  return call.refused() ? call.finish() : call.finish(success);
}

/// A device number that there is, with the GPU's row loaded.
int check_device(Call& call, int device) {
  if (call.refused()) return call.finish();
  if (device != 0) return call.finish(invalid_device, "There is one device, number 0.");
  auto emulator = call.runtime.device();
  return emulator ? int(success) : call.finish(initialization_error, emulator.error().message);
}

/// What cudaDeviceGetLimit says before anybody set it: stack, printf buffer, heap.
size_t default_limit(int limit) {
  return limit == 0 ? 1024 : limit == 1 ? 1u << 20 : limit == 2 ? 8u << 20 : 0;
}
constexpr int limits = 7;

}  // namespace

WARPBOOK_EXPORT int cudaGetDeviceCount(int* count) {
  Call call("cudaGetDeviceCount");
  if (call.refused()) return call.finish();
  if (!count) return call.finish(invalid_value);
  *count = 1;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaGetDevice(int* device) {
  Call call("cudaGetDevice");
  if (call.refused()) return call.finish();
  if (!device) return call.finish(invalid_value);
  *device = call.thread.device;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaSetDevice(int device) {
  Call call("cudaSetDevice");
  call.argument("device", device);
  if (const int code = check_device(call, device); code != success) return code;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaInitDevice(int device, unsigned, unsigned) {
  Call call("cudaInitDevice");
  call.argument("device", device);
  if (const int code = check_device(call, device); code != success) return code;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaGetDeviceProperties(DeviceProperties* properties, int device) {
  Call call("cudaGetDeviceProperties");
  call.argument("device", device);
  if (const int code = check_device(call, device); code != success) return code;
  if (!properties) return call.finish(invalid_value);
  fill_properties(call.runtime, *properties);
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaDeviceGetAttribute(int* value, int attribute, int device) {
  Call call("cudaDeviceGetAttribute");
  call.argument("attr", attribute).argument("device", device);
  if (const int code = check_device(call, device); code != success) return code;
  if (!value || attribute < 1 || attribute > 148) return call.finish(invalid_value);
  *value = attribute_of(call.runtime, attribute);
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaChooseDevice(int* device, const void*) {
  Call call("cudaChooseDevice");
  if (call.refused()) return call.finish();
  if (!device) return call.finish(invalid_value);
  *device = 0;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaDeviceSynchronize() {
  Call call("cudaDeviceSynchronize");
  if (call.refused()) return call.finish();
  return call.finish(call.wait(call.runtime.timeline.all_done_ms()));
}

WARPBOOK_EXPORT int cudaDeviceReset() {
  Call call("cudaDeviceReset");
  if (call.refused()) return call.finish();
  if (const int late = call.wait(call.runtime.timeline.all_done_ms()); late != success)
    return call.finish(late);
  auto device = call.runtime.device();
  for (const Block& block : call.runtime.memory.live()) {
    if (block.row == 0 || !device) continue;
    (void)(*device)->free(block.on_device);
    if (block.address == block.on_device) {
      call.runtime.memory.freed(block.address);
    } else {
      call.runtime.memory.remove(block.address);
    }
  }
  call.runtime.streams.clear();
  call.runtime.events.clear();
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaDriverGetVersion(int* version) {
  Call call("cudaDriverGetVersion");
  if (call.refused()) return call.finish();
  if (!version) return call.finish(invalid_value);
  *version = runtime_version;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaRuntimeGetVersion(int* version) {
  Call call("cudaRuntimeGetVersion");
  if (call.refused()) return call.finish();
  if (!version) return call.finish(invalid_value);
  *version = runtime_version;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaDeviceGetLimit(size_t* value, int limit) {
  Call call("cudaDeviceGetLimit");
  call.argument("limit", limit);
  if (call.refused()) return call.finish();
  if (!value) return call.finish(invalid_value);
  if (limit < 0 || limit >= limits) return call.finish(unsupported_limit);
  const auto set = call.runtime.limits.find(limit);
  *value = set == call.runtime.limits.end() ? default_limit(limit) : set->second;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaDeviceSetLimit(int limit, size_t value) {
  Call call("cudaDeviceSetLimit");
  call.argument("limit", limit).argument("value", value);
  if (call.refused()) return call.finish();
  if (limit < 0 || limit >= limits) return call.finish(unsupported_limit);
  call.runtime.limits[limit] = value;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  Call call("cudaDeviceCanAccessPeer");
  call.argument("device", device).argument("peerDevice", peer);
  if (call.refused()) return call.finish();
  if (!can || device != 0 || peer != 0) return call.finish(can ? invalid_device : invalid_value);
  *can = 0;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaDeviceGetPCIBusId(char* text, int length, int device) {
  Call call("cudaDeviceGetPCIBusId");
  if (const int code = check_device(call, device); code != success) return code;
  if (!text || length < 13) return call.finish(invalid_value);
  std::snprintf(text, size_t(length), "0000:00:00.0");
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaGetDeviceFlags(unsigned* flags) {
  Call call("cudaGetDeviceFlags");
  if (call.refused()) return call.finish();
  if (!flags) return call.finish(invalid_value);
  *flags = 8;  // cudaDeviceMapHost
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaSetDeviceFlags(unsigned) { return accepted("cudaSetDeviceFlags"); }
WARPBOOK_EXPORT int cudaSetValidDevices(int*, int) { return accepted("cudaSetValidDevices"); }
WARPBOOK_EXPORT int cudaDeviceSetCacheConfig(int) { return accepted("cudaDeviceSetCacheConfig"); }
WARPBOOK_EXPORT int cudaDeviceSetSharedMemConfig(int) { return accepted("cudaDeviceSetSharedMemConfig"); }
WARPBOOK_EXPORT int cudaCtxResetPersistingL2Cache() { return accepted("cudaCtxResetPersistingL2Cache"); }
WARPBOOK_EXPORT int cudaProfilerStart() { return accepted("cudaProfilerStart"); }
WARPBOOK_EXPORT int cudaProfilerStop() { return accepted("cudaProfilerStop"); }

WARPBOOK_EXPORT ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {x, y, z, w, kind};
}
