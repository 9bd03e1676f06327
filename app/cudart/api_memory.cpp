// Allocating and freeing, on the device and on the host.
#include <fmt/format.h>

#include "cudart/runtime.h"
#include "result/allocation_name.h"

using namespace warpbook;
using namespace warpbook::cudart;

namespace {

constexpr uint64_t pitch_alignment = 512;

std::string out_of_memory(const Runtime& runtime, uint64_t bytes) {
  return fmt::format("{} bytes are asked for; {} of the device's {} bytes are in use.", bytes,
                     runtime.memory.device_bytes(), runtime.total_memory());
}

int allocate(Call& call, void** to, uint64_t bytes, MemoryKind kind, unsigned flags = 0) {
  Runtime& runtime = call.runtime;
  call.row.bytes = bytes;
  if (!to) return call.finish(invalid_value, "There is no place for the address.");
  auto device = runtime.device();
  if (!device) return call.finish(initialization_error, device.error().message);
  const bool on_device = kind != MemoryKind::pinned;
  const uint64_t total = runtime.total_memory();
  if (on_device && (bytes > total || runtime.memory.device_bytes() > total - bytes)) {
    return call.finish(memory_allocation, out_of_memory(runtime, bytes));
  }
  const std::string name = allocation_name(call.row.sequence);
  auto address = kind == MemoryKind::device ? (*device)->allocate(bytes, name)
                                            : (*device)->allocate_visible(bytes, name);
  if (!address) return call.finish(memory_allocation, address.error().message);
  Block block;
  block.kind = kind;
  block.address = block.on_device = *address;
  block.bytes = bytes;
  block.row = call.row.sequence;
  block.flags = flags;
  runtime.memory.add(block);
  *to = reinterpret_cast<void*>(*address);
  if (call.recording) call.row.places.push_back(runtime.memory.place("result", *address));
  return call.finish(success);
}

/// Frees what starts at the address and is of one of two kinds.
int give_back(Call& call, void* pointer, MemoryKind kind, MemoryKind other) {
  Runtime& runtime = call.runtime;
  if (!pointer) return call.finish(success);
  const auto address = reinterpret_cast<uint64_t>(pointer);
  // Freeing waits for the device: kernels may still use the memory.
  if (const int late = call.wait(runtime.timeline.all_done_ms()); late != success) return call.finish(late);
  const Block* block = runtime.memory.starting(address);
  if (!block || (block->kind != kind && block->kind != other) || block->row == 0) {
    const Block* near = runtime.memory.near(address);
    if (near && near->live && near->address != address) {
      return call.finish(
          invalid_value,
          fmt::format("It points {} bytes into the allocation of row {}; only its start can be freed.",
                      int64_t(address - near->address), near->row));
    }
    return call.finish(invalid_value,
                       near ? "It is memory of another kind, which has a function of its own to free it."
                            : "It was not allocated by CUDA.");
  }
  if (!block->live) {
    return call.finish(invalid_value,
                       fmt::format("It was freed before; row {} had allocated it.", block->row));
  }
  (void)(*runtime.device())->free(block->on_device);
  runtime.memory.freed(address);
  return call.finish(success);
}

}  // namespace

WARPBOOK_EXPORT int cudaMalloc(void** pointer, size_t bytes) {
  Call call("cudaMalloc");
  call.argument("devPtr", pointer).argument("size", bytes);
  if (call.refused()) return call.finish();
  if (pointer && bytes == 0) {
    *pointer = nullptr;
    return call.finish(success);
  }
  return allocate(call, pointer, bytes, MemoryKind::device);
}

WARPBOOK_EXPORT int cudaFree(void* pointer) {
  Call call("cudaFree");
  call.memory("devPtr", pointer);
  if (call.refused()) return call.finish();
  return give_back(call, pointer, MemoryKind::device, MemoryKind::managed);
}

WARPBOOK_EXPORT int cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  Call call("cudaMallocManaged");
  call.argument("devPtr", pointer).argument("size", bytes).argument("flags", uint64_t(flags));
  if (call.refused()) return call.finish();
  if (bytes == 0) return call.finish(invalid_value, "Managed memory of no bytes cannot be allocated.");
  return allocate(call, pointer, bytes, MemoryKind::managed, flags);
}

WARPBOOK_EXPORT int cudaMallocHost(void** pointer, size_t bytes) {
  Call call("cudaMallocHost");
  call.argument("ptr", pointer).argument("size", bytes);
  if (call.refused()) return call.finish();
  return allocate(call, pointer, bytes, MemoryKind::pinned);
}

WARPBOOK_EXPORT int cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  Call call("cudaHostAlloc");
  call.argument("pHost", pointer).argument("size", bytes).argument("flags", uint64_t(flags));
  if (call.refused()) return call.finish();
  return allocate(call, pointer, bytes, MemoryKind::pinned, flags);
}

WARPBOOK_EXPORT int cudaFreeHost(void* pointer) {
  Call call("cudaFreeHost");
  call.memory("ptr", pointer);
  if (call.refused()) return call.finish();
  return give_back(call, pointer, MemoryKind::pinned, MemoryKind::pinned);
}

WARPBOOK_EXPORT int cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  Call call("cudaHostRegister");
  call.memory("ptr", pointer).argument("size", bytes).argument("flags", uint64_t(flags));
  if (call.refused()) return call.finish();
  const auto address = reinterpret_cast<uint64_t>(pointer);
  if (!pointer || bytes == 0) return call.finish(invalid_value, "There is no memory to register.");
  if (call.runtime.memory.holding(address, 1) || call.runtime.memory.holding(address + bytes - 1, 1)) {
    return call.finish(already_registered, "Part of this memory is known to CUDA already.");
  }
  auto device = call.runtime.device();
  if (!device) return call.finish(initialization_error, device.error().message);
  auto window = (*device)->adopt(static_cast<std::byte*>(pointer), bytes, allocation_name(call.row.sequence));
  if (!window) return call.finish(memory_allocation, window.error().message);
  Block block;
  block.kind = MemoryKind::pinned;
  block.address = address;
  block.on_device = *window;
  block.bytes = bytes;
  block.row = call.row.sequence;
  block.flags = flags;
  call.runtime.memory.add(block);
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaHostUnregister(void* pointer) {
  Call call("cudaHostUnregister");
  call.memory("ptr", pointer);
  if (call.refused()) return call.finish();
  const auto address = reinterpret_cast<uint64_t>(pointer);
  const Block* block = call.runtime.memory.starting(address);
  if (!block || block->address == block->on_device) {
    return call.finish(not_registered, "This memory was not registered.");
  }
  (void)(*call.runtime.device())->free(block->on_device);
  call.runtime.memory.remove(address);
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaHostGetDevicePointer(void** device_pointer, void* host, unsigned flags) {
  Call call("cudaHostGetDevicePointer");
  call.argument("pDevice", device_pointer).memory("pHost", host).argument("flags", uint64_t(flags));
  if (call.refused()) return call.finish();
  const auto address = reinterpret_cast<uint64_t>(host);
  const Block* block = call.runtime.memory.holding(address, 1);
  if (!device_pointer || !block || block->kind != MemoryKind::pinned) {
    return call.finish(invalid_value, "pHost is no pinned memory of this program.");
  }
  *device_pointer = reinterpret_cast<void*>(block->on_device + (address - block->address));
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaHostGetFlags(unsigned* flags, void* host) {
  Call call("cudaHostGetFlags");
  call.memory("pHost", host);
  if (call.refused()) return call.finish();
  const Block* block = call.runtime.memory.holding(reinterpret_cast<uint64_t>(host), 1);
  if (!flags || !block || block->kind != MemoryKind::pinned) return call.finish(invalid_value);
  *flags = block->flags;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  Call call("cudaMallocPitch");
  call.argument("devPtr", pointer).argument("width", width).argument("height", height);
  if (call.refused()) return call.finish();
  if (!pitch || !pointer) return call.finish(invalid_value);
  *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
  return allocate(call, pointer, *pitch * height, MemoryKind::device);
}

WARPBOOK_EXPORT int cudaMalloc3D(PitchedPointer* pitched, Extent extent) {
  Call call("cudaMalloc3D");
  call.argument("width", extent.width).argument("height", extent.height).argument("depth", extent.depth);
  if (call.refused()) return call.finish();
  if (!pitched) return call.finish(invalid_value);
  pitched->pitch = (extent.width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
  pitched->x_size = extent.width;
  pitched->y_size = extent.height;
  return allocate(call, &pitched->pointer, pitched->pitch * extent.height * extent.depth, MemoryKind::device);
}

WARPBOOK_EXPORT int cudaMemGetInfo(size_t* free_bytes, size_t* total) {
  Call call("cudaMemGetInfo");
  if (call.refused()) return call.finish();
  auto device = call.runtime.device();
  if (!device) return call.finish(initialization_error, device.error().message);
  const uint64_t all = call.runtime.total_memory();
  if (free_bytes) *free_bytes = all - call.runtime.memory.device_bytes();
  if (total) *total = all;
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  Call call("cudaPointerGetAttributes");
  call.memory("ptr", pointer);
  if (call.refused()) return call.finish();
  if (!attributes) return call.finish(invalid_value);
  *attributes = {};
  attributes->device = -2;  // cudaInvalidDeviceId
  const auto address = reinterpret_cast<uint64_t>(pointer);
  const Block* block = call.runtime.memory.holding(address, 1);
  if (!block) {
    attributes->host_pointer = const_cast<void*>(pointer);
    return call.finish(success);
  }
  attributes->type = block->kind == MemoryKind::pinned ? 1 : block->kind == MemoryKind::managed ? 3 : 2;
  attributes->device = 0;
  attributes->device_pointer = reinterpret_cast<void*>(block->on_device + (address - block->address));
  if (block->host_reaches()) attributes->host_pointer = const_cast<void*>(pointer);
  return call.finish(success);
}

// Where managed memory lies at any moment is not modelled: advice and prefetches are taken and change
// nothing.
WARPBOOK_EXPORT int cudaMemAdvise(const void* pointer, size_t bytes, int advice, MemoryLocation) {
  Call call("cudaMemAdvise");
  call.memory("devPtr", pointer).argument("count", bytes).argument("advice", advice);
  if (call.refused()) return call.finish();
  const Block* block = call.runtime.memory.holding(reinterpret_cast<uint64_t>(pointer), bytes);
  return call.finish(block && block->kind == MemoryKind::managed ? success : invalid_value);
}

namespace {

int prefetch(const void* pointer, size_t bytes, Handle handle) {
  Call call("cudaMemPrefetchAsync");
  call.memory("devPtr", pointer).argument("count", bytes);
  call.row.bytes = bytes;
  call.stream(handle);
  if (call.refused()) return call.finish();
  const Block* block = call.runtime.memory.holding(reinterpret_cast<uint64_t>(pointer), bytes);
  return call.finish(block && block->kind == MemoryKind::managed ? success : invalid_value,
                     block ? "" : "Only managed memory can be prefetched.");
}

int attach(Handle handle, const void* pointer) {
  Call call("cudaStreamAttachMemAsync");
  call.memory("devPtr", pointer);
  call.stream(handle);
  return call.refused() ? call.finish() : call.finish(success);
}

}  // namespace

WARPBOOK_EXPORT int cudaMemPrefetchAsync(const void* pointer, size_t bytes, MemoryLocation, unsigned,
                                         Handle stream) {
  return prefetch(pointer, bytes, stream);
}
WARPBOOK_EXPORT int cudaMemPrefetchAsync_ptsz(const void* pointer, size_t bytes, MemoryLocation, unsigned,
                                              Handle stream) {
  return prefetch(pointer, bytes, stream);
}
WARPBOOK_EXPORT int cudaStreamAttachMemAsync(Handle stream, void* pointer, size_t, unsigned) {
  return attach(stream, pointer);
}
WARPBOOK_EXPORT int cudaStreamAttachMemAsync_ptsz(Handle stream, void* pointer, size_t, unsigned) {
  return attach(stream, pointer);
}
