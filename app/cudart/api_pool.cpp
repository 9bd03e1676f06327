// Stream-ordered allocation: memory out of pools. Order of calls is a legal order of streams, so that it is
// ordinary allocation here.
#include <fmt/format.h>

#include "cudart/runtime.h"
#include "result/allocation_name.h"

using namespace warpbook;
using namespace warpbook::cudart;

namespace {

Pool* pool_of(Runtime& runtime, Handle handle) {
  for (const auto& pool : runtime.pools) {
    if (pool.get() == handle) return pool.get();
  }
  return nullptr;
}

int allocate_in_order(const char* name, void** pointer, size_t bytes, Handle handle) {
  Call call(name);
  call.argument("devPtr", pointer).argument("size", bytes);
  call.row.bytes = bytes;
  call.stream(handle);
  if (call.refused()) return call.finish();
  if (!pointer) return call.finish(invalid_value);
  auto device = call.runtime.device();
  if (!device) return call.finish(initialization_error, device.error().message);
  const uint64_t total = call.runtime.total_memory();
  if (bytes > total || call.runtime.memory.device_bytes() > total - bytes) {
    return call.finish(memory_allocation,
                       fmt::format("{} bytes are asked for; {} of the device's {} bytes are in use.", bytes,
                                   call.runtime.memory.device_bytes(), total));
  }
  auto address = (*device)->allocate(bytes, allocation_name(call.row.sequence));
  if (!address) return call.finish(memory_allocation, address.error().message);
  Block block;
  block.address = block.on_device = *address;
  block.bytes = bytes;
  block.row = call.row.sequence;
  call.runtime.memory.add(block);
  *pointer = reinterpret_cast<void*>(*address);
  if (call.recording) call.row.places.push_back(call.runtime.memory.place("result", *address));
  return call.finish(success);
}

int free_in_order(void* pointer, Handle handle) {
  Call call("cudaFreeAsync");
  call.memory("devPtr", pointer);
  call.stream(handle);
  if (call.refused()) return call.finish();
  if (!pointer) return call.finish(success);
  const auto address = reinterpret_cast<uint64_t>(pointer);
  const Block* block = call.runtime.memory.starting(address);
  if (!block || !block->live || block->kind != MemoryKind::device || block->row == 0) {
    return call.finish(invalid_value,
                       block && !block->live ? "It was freed before." : "It is no device memory.");
  }
  (void)(*call.runtime.device())->free(block->on_device);
  call.runtime.memory.freed(address);
  return call.finish(success);
}

int give_pool(const char* name, Handle* to) {
  Call call(name);
  if (call.refused()) return call.finish();
  if (!to) return call.finish(invalid_value);
  *to = call.runtime.pools.front().get();
  return call.finish(success);
}

}  // namespace

WARPBOOK_EXPORT int cudaMallocAsync(void** pointer, size_t bytes, Handle stream) {
  return allocate_in_order("cudaMallocAsync", pointer, bytes, stream);
}
WARPBOOK_EXPORT int cudaMallocAsync_ptsz(void** pointer, size_t bytes, Handle stream) {
  return allocate_in_order("cudaMallocAsync", pointer, bytes, stream);
}
WARPBOOK_EXPORT int cudaMallocFromPoolAsync(void** pointer, size_t bytes, Handle, Handle stream) {
  return allocate_in_order("cudaMallocFromPoolAsync", pointer, bytes, stream);
}
WARPBOOK_EXPORT int cudaMallocFromPoolAsync_ptsz(void** pointer, size_t bytes, Handle, Handle stream) {
  return allocate_in_order("cudaMallocFromPoolAsync", pointer, bytes, stream);
}
WARPBOOK_EXPORT int cudaFreeAsync(void* pointer, Handle stream) { return free_in_order(pointer, stream); }
WARPBOOK_EXPORT int cudaFreeAsync_ptsz(void* pointer, Handle stream) {
  return free_in_order(pointer, stream);
}

WARPBOOK_EXPORT int cudaDeviceGetDefaultMemPool(Handle* pool, int) {
  return give_pool("cudaDeviceGetDefaultMemPool", pool);
}
WARPBOOK_EXPORT int cudaDeviceGetMemPool(Handle* pool, int) {
  return give_pool("cudaDeviceGetMemPool", pool);
}

WARPBOOK_EXPORT int cudaDeviceSetMemPool(int, Handle pool) {
  Call call("cudaDeviceSetMemPool");
  if (call.refused()) return call.finish();
  return call.finish(pool_of(call.runtime, pool) ? success : invalid_value);
}

WARPBOOK_EXPORT int cudaMemPoolCreate(Handle* to, const void*) {
  Call call("cudaMemPoolCreate");
  if (call.refused()) return call.finish();
  if (!to) return call.finish(invalid_value);
  auto pool = std::make_unique<Pool>();
  pool->number = ++call.runtime.next_pool;
  *to = pool.get();
  call.runtime.pools.push_back(std::move(pool));
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaMemPoolDestroy(Handle handle) {
  Call call("cudaMemPoolDestroy");
  if (call.refused()) return call.finish();
  const Pool* pool = pool_of(call.runtime, handle);
  if (!pool || pool->number == 0) return call.finish(invalid_value);
  std::erase_if(call.runtime.pools, [&](const auto& one) { return one.get() == pool; });
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaMemPoolSetAttribute(Handle handle, int attribute, void* value) {
  Call call("cudaMemPoolSetAttribute");
  call.argument("attr", attribute);
  if (call.refused()) return call.finish();
  Pool* pool = pool_of(call.runtime, handle);
  if (!pool || !value) return call.finish(invalid_value);
  // 1 to 3 are ints (reuse), 4 the 64-bit release threshold, the rest counters that only take 0.
  pool->attributes[attribute] =
      attribute <= 3 ? uint64_t(*static_cast<int*>(value)) : *static_cast<uint64_t*>(value);
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaMemPoolGetAttribute(Handle handle, int attribute, void* value) {
  Call call("cudaMemPoolGetAttribute");
  call.argument("attr", attribute);
  if (call.refused()) return call.finish();
  Pool* pool = pool_of(call.runtime, handle);
  if (!pool || !value) return call.finish(invalid_value);
  if (attribute <= 3) {
    *static_cast<int*>(value) = int(pool->attributes[attribute]);
  } else {
    *static_cast<uint64_t*>(value) =
        attribute == 4 ? pool->attributes[4] : call.runtime.memory.device_bytes();
  }
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaMemPoolTrimTo(Handle handle, size_t) {
  Call call("cudaMemPoolTrimTo");
  if (call.refused()) return call.finish();
  return call.finish(pool_of(call.runtime, handle) ? success : invalid_value);
}

WARPBOOK_EXPORT int cudaMemPoolSetAccess(Handle handle, const void*, size_t) {
  Call call("cudaMemPoolSetAccess");
  if (call.refused()) return call.finish();
  return call.finish(pool_of(call.runtime, handle) ? success : invalid_value);
}
