// The stand-in's GPUs, contexts and limits.
#include <cstring>

#include "driver/state.h"

using namespace standin;

STANDIN_ENTRY cuInit(unsigned flags) {
  Call call("cuInit");
  if (call.fails()) return call.code();
  if (flags != 0) return call.wrong("flags that do not exist", code::invalid_value);
  if (device_count() == 0) return code::no_device;
  State::get().initialised = true;
  return code::success;
}

STANDIN_ENTRY cuDriverGetVersion(int* version) {
  Call call("cuDriverGetVersion");
  if (call.fails()) return call.code();
  *version = std::stoi(setting("STANDIN_CUDA", "13000"));
  return code::success;
}

STANDIN_ENTRY cuGetErrorName(Code code, const char** name) {
  Call call("cuGetErrorName");
  if (call.fails()) return call.code();
  thread_local std::string text;
  text = "STANDIN_ERROR_" + std::to_string(code);
  *name = text.c_str();
  return code::success;
}

STANDIN_ENTRY cuGetErrorString(Code code, const char** words) {
  Call call("cuGetErrorString");
  if (call.fails()) return call.code();
  thread_local std::string text;
  text = "the stand-in's error " + std::to_string(code);
  *words = text.c_str();
  return code::success;
}

STANDIN_ENTRY cuDeviceGetCount(int* count) {
  Call call("cuDeviceGetCount");
  if (call.fails()) return call.code();
  *count = device_count();
  return code::success;
}

STANDIN_ENTRY cuDeviceGet(DeviceNumber* device, int ordinal) {
  Call call("cuDeviceGet");
  if (call.fails()) return call.code();
  if (ordinal < 0 || ordinal >= device_count()) return call.wrong("no such number", code::invalid_device);
  *device = 40 + ordinal;  // a handle is no ordinal, even where a driver makes them equal
  return code::success;
}

namespace {

bool is_device(DeviceNumber device) { return device >= 40 && device < 40 + device_count(); }

int attribute_value(int number) {
  const warpbook::GpuRow row = limits();
  switch (number) {
    case attribute::max_threads_per_block: return row.max_threads_per_block;
    case attribute::max_block_x: return row.max_block_x;
    case attribute::max_block_y: return row.max_block_y;
    case attribute::max_block_z: return row.max_block_z;
    case attribute::max_grid_x: return int(row.max_grid_x);
    case attribute::max_grid_y: return int(row.max_grid_y);
    case attribute::max_grid_z: return int(row.max_grid_z);
    case attribute::shared_per_block: return int(row.shared_per_block);
    case attribute::shared_per_block_optin: return int(row.shared_per_block_optin);
    case attribute::shared_per_multiprocessor: return int(row.shared_per_sm);
    case attribute::shared_reserved_per_block: return int(row.shared_reserved);
    case attribute::warp_size: return 32;
    case attribute::registers_per_block:
    case attribute::registers_per_multiprocessor: return row.registers_per_sm;
    case attribute::multiprocessors: return row.sms;
    case attribute::threads_per_multiprocessor: return row.max_warps_per_sm * 32;
    case attribute::blocks_per_multiprocessor: return row.max_blocks_per_sm;
    case attribute::clock_khz: return 1500000;
    case attribute::memory_clock_khz: return 1200000;
    case attribute::memory_bus_bits: return 256;
    case attribute::l2_bytes: return 1 << 20;
    case attribute::compute_major: return compute_major();
    case attribute::compute_minor: return compute_minor();
    case attribute::unified_addressing:
    case attribute::cooperative_launch: return 1;
    default: return 0;
  }
}

}  // namespace

STANDIN_ENTRY cuDeviceGetName(char* name, int length, DeviceNumber device) {
  Call call("cuDeviceGetName");
  if (call.fails()) return call.code();
  if (!is_device(device)) return call.wrong("no such device", code::invalid_device);
  const std::string text = "Stand-in GPU " + std::to_string(device - 40);
  if (length <= int(text.size())) return call.wrong("too little room", code::invalid_value);
  std::memcpy(name, text.c_str(), text.size() + 1);
  return code::success;
}

STANDIN_ENTRY cuDeviceGetUuid_v2(Uuid* uuid, DeviceNumber device) {
  Call call("cuDeviceGetUuid_v2");
  if (call.fails()) return call.code();
  if (!is_device(device)) return call.wrong("no such device", code::invalid_device);
  for (int i = 0; i < 16; ++i) uuid->bytes[i] = uint8_t(16 * (device - 40 + 1) + i);
  return code::success;
}

STANDIN_ENTRY cuDeviceTotalMem_v2(size_t* bytes, DeviceNumber device) {
  Call call("cuDeviceTotalMem_v2");
  if (call.fails()) return call.code();
  if (!is_device(device)) return call.wrong("no such device", code::invalid_device);
  *bytes = limits().memory_bytes;
  return code::success;
}

STANDIN_ENTRY cuDeviceGetAttribute(int* value, int attribute, DeviceNumber device) {
  Call call("cuDeviceGetAttribute");
  if (call.fails()) return call.code();
  if (!is_device(device)) return call.wrong("no such device", code::invalid_device);
  *value = attribute_value(attribute);
  return code::success;
}

STANDIN_ENTRY cuDevicePrimaryCtxRetain(Context* context, DeviceNumber device) {
  Call call("cuDevicePrimaryCtxRetain");
  if (call.fails()) return call.code();
  if (!is_device(device)) return call.wrong("no such device", code::invalid_device);
  auto& one = State::get().contexts[device];
  if (!one) one = std::make_unique<ContextObject>();
  one->device = device;
  ++one->retained;
  *context = one.get();
  return code::success;
}

STANDIN_ENTRY cuDevicePrimaryCtxRelease_v2(DeviceNumber device) {
  Call call("cuDevicePrimaryCtxRelease_v2");
  if (call.fails()) return call.code();
  const auto found = State::get().contexts.find(device);
  if (found == State::get().contexts.end() || found->second->retained == 0)
    return call.wrong("it is not retained", code::invalid_context);
  if (found->second->hung)
    return call.wrong("a kernel still runs; a driver would wait for ever", code::unknown);
  --found->second->retained;
  return code::success;
}

STANDIN_ENTRY cuDevicePrimaryCtxReset_v2(DeviceNumber device) {
  Call call("cuDevicePrimaryCtxReset_v2");
  if (call.fails()) return call.code();
  const auto found = State::get().contexts.find(device);
  if (found == State::get().contexts.end()) return code::success;
  for (auto& [handle, module] : found->second->modules) module->instance.reset();
  const int retained = found->second->retained;
  *found->second = ContextObject();
  found->second->device = device;
  found->second->retained = retained;
  return code::success;
}

STANDIN_ENTRY cuCtxPushCurrent_v2(Context context) {
  Call call("cuCtxPushCurrent_v2");
  if (call.fails()) return call.code();
  bool known = false;
  for (const auto& [device, one] : State::get().contexts)
    known = known || (one.get() == context && one->retained > 0);
  if (!known) return call.wrong("no such context", code::invalid_context);
  stack_of_this_thread().push_back(context);
  return code::success;
}

STANDIN_ENTRY cuCtxPopCurrent_v2(Context* context) {
  Call call("cuCtxPopCurrent_v2");
  auto& stack = stack_of_this_thread();
  if (stack.empty()) return call.wrong("none is current", code::invalid_context);
  // Between calls of ours OpenGL draws: by then every picture must be its own again.
  for (const auto& [handle, resource] : stack.back()->graphics)
    if (resource->mapped) call.wrong("a picture is still mapped", code::success);
  *context = stack.back();
  stack.pop_back();
  return call.code();
}

STANDIN_ENTRY cuCtxSetLimit(int limit, size_t) {
  Call call("cuCtxSetLimit");
  if (call.fails()) return call.code();
  if (call.context() == nullptr) return call.code();
  if (limit < 0 || limit > 2) return call.wrong("no such limit", code::unsupported_limit);
  return code::success;
}
