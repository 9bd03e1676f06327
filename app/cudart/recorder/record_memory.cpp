// Memory: what the program allocates, copies, fills and frees on the GPU.
#include <fmt/format.h>

#include <algorithm>

#include "cudart/copying.h"
#include "cudart/recorder/forwarding.h"

using namespace warpbook;
using namespace warpbook::cudart;

namespace {

constexpr size_t sample_bytes = 64;

int note_new(Call& call, int code, void* const* pointer, uint64_t bytes, MemoryKind kind) {
  call.row.bytes = bytes;
  if (code == success && pointer && *pointer) {
    Block block;
    block.kind = kind;
    block.address = block.on_device = reinterpret_cast<uint64_t>(*pointer);
    block.bytes = bytes;
    block.row = call.row.sequence;
    call.runtime.memory.add(block);
    if (call.recording) call.row.places.push_back(call.runtime.memory.place("result", block.address));
  }
  return call.finish(code);
}

int note_freed(Call& call, int code, void* pointer) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  if (code == success && pointer && call.runtime.memory.starting(address)) call.runtime.memory.freed(address);
  return finish_waiting(call, code);
}

bool is_on_device(const Call& call, const void* pointer) {
  const Block* block = call.runtime.memory.holding(reinterpret_cast<uint64_t>(pointer), 1);
  return block && block->kind == MemoryKind::device;
}

template <class Forward>
int record_copy(const char* name, void* to, const void* from, size_t bytes, int kind, const Handle* stream,
                Forward forward) {
  Call call(name);
  call.memory("dst", to).memory("src", from).argument("count", bytes).argument("kind", kind_text(kind));
  call.row.bytes = bytes;
  call.row.direction = direction_of(kind, is_on_device(call, to), is_on_device(call, from));
  note_stream(call, stream ? *stream : nullptr);
  if (call.refused()) return call.finish();
  const bool to_host = call.row.direction == CopyDirection::device_to_host;
  const int code = forward(call);
  // Of an asynchronous copy to the host the bytes are not there yet.
  const void* const host = to_host                                               ? (stream ? nullptr : to)
                           : call.row.direction == CopyDirection::host_to_device ? from
                                                                                 : nullptr;
  if (code == success && call.recording && host)
    call.row.sample.assign(static_cast<const char*>(host), std::min(bytes, sample_bytes));
  return stream ? call.finish(code) : finish_waiting(call, code);
}

template <class Forward>
int record_fill(const char* name, void* to, int value, size_t bytes, const Handle* stream, Forward forward) {
  Call call(name);
  call.memory("devPtr", to).argument("value", value).argument("count", bytes);
  call.row.bytes = bytes;
  note_stream(call, stream ? *stream : nullptr);
  if (call.refused()) return call.finish();
  return call.finish(forward(call));
}

}  // namespace

WARPBOOK_EXPORT int cudaMalloc(void** pointer, size_t bytes) {
  Call call("cudaMalloc");
  call.argument("devPtr", pointer).argument("size", bytes);
  if (call.refused()) return call.finish();
  const int code = forward<void**, size_t>(call, "cudaMalloc", pointer, bytes);
  return note_new(call, code, pointer, bytes, MemoryKind::device);
}
WARPBOOK_EXPORT int cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  Call call("cudaMallocManaged");
  call.argument("devPtr", pointer).argument("size", bytes).argument("flags", uint64_t(flags));
  if (call.refused()) return call.finish();
  const int code = forward<void**, size_t, unsigned>(call, "cudaMallocManaged", pointer, bytes, flags);
  return note_new(call, code, pointer, bytes, MemoryKind::managed);
}
WARPBOOK_EXPORT int cudaMallocHost(void** pointer, size_t bytes) {
  Call call("cudaMallocHost");
  call.argument("ptr", pointer).argument("size", bytes);
  if (call.refused()) return call.finish();
  const int code = forward<void**, size_t>(call, "cudaMallocHost", pointer, bytes);
  return note_new(call, code, pointer, bytes, MemoryKind::pinned);
}
WARPBOOK_EXPORT int cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  Call call("cudaHostAlloc");
  call.argument("pHost", pointer).argument("size", bytes).argument("flags", uint64_t(flags));
  if (call.refused()) return call.finish();
  const int code = forward<void**, size_t, unsigned>(call, "cudaHostAlloc", pointer, bytes, flags);
  return note_new(call, code, pointer, bytes, MemoryKind::pinned);
}
WARPBOOK_EXPORT int cudaMallocAsync(void** pointer, size_t bytes, Handle stream) {
  Call call("cudaMallocAsync");
  call.argument("devPtr", pointer).argument("size", bytes);
  note_stream(call, stream);
  if (call.refused()) return call.finish();
  const int code = forward<void**, size_t, Handle>(call, "cudaMallocAsync", pointer, bytes, stream);
  return note_new(call, code, pointer, bytes, MemoryKind::device);
}
WARPBOOK_EXPORT int cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  Call call("cudaMallocPitch");
  call.argument("devPtr", pointer).argument("width", width).argument("height", height);
  if (call.refused()) return call.finish();
  const int code =
      forward<void**, size_t*, size_t, size_t>(call, "cudaMallocPitch", pointer, pitch, width, height);
  return note_new(call, code, pointer, code == success ? *pitch * height : 0, MemoryKind::device);
}

WARPBOOK_EXPORT int cudaFree(void* pointer) {
  Call call("cudaFree");
  call.memory("devPtr", pointer);
  if (call.refused()) return call.finish();
  return note_freed(call, forward<void*>(call, "cudaFree", pointer), pointer);
}
WARPBOOK_EXPORT int cudaFreeHost(void* pointer) {
  Call call("cudaFreeHost");
  call.memory("ptr", pointer);
  if (call.refused()) return call.finish();
  return note_freed(call, forward<void*>(call, "cudaFreeHost", pointer), pointer);
}
WARPBOOK_EXPORT int cudaFreeAsync(void* pointer, Handle stream) {
  Call call("cudaFreeAsync");
  call.memory("devPtr", pointer);
  note_stream(call, stream);
  if (call.refused()) return call.finish();
  const int code = forward<void*, Handle>(call, "cudaFreeAsync", pointer, stream);
  if (code == success && call.runtime.memory.starting(reinterpret_cast<uint64_t>(pointer)))
    call.runtime.memory.freed(reinterpret_cast<uint64_t>(pointer));
  return call.finish(code);
}

WARPBOOK_EXPORT int cudaMemcpy(void* to, const void* from, size_t bytes, int kind) {
  return record_copy("cudaMemcpy", to, from, bytes, kind, nullptr, [&](Call& call) {
    return forward<void*, const void*, size_t, int>(call, "cudaMemcpy", to, from, bytes, kind);
  });
}
WARPBOOK_EXPORT int cudaMemcpyAsync(void* to, const void* from, size_t bytes, int kind, Handle stream) {
  return record_copy("cudaMemcpyAsync", to, from, bytes, kind, &stream, [&](Call& call) {
    return forward<void*, const void*, size_t, int, Handle>(call, "cudaMemcpyAsync", to, from, bytes, kind,
                                                            stream);
  });
}
WARPBOOK_EXPORT int cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                 size_t height, int kind) {
  Call call("cudaMemcpy2D");
  call.memory("dst", to).argument("dpitch", to_pitch).memory("src", from).argument("spitch", from_pitch);
  call.argument("width", width).argument("height", height).argument("kind", kind_text(kind));
  call.row.bytes = width * height;
  call.row.direction = direction_of(kind, is_on_device(call, to), is_on_device(call, from));
  note_stream(call, nullptr);
  if (call.refused()) return call.finish();
  return finish_waiting(call, forward<void*, size_t, const void*, size_t, size_t, size_t, int>(
                                  call, "cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind));
}
WARPBOOK_EXPORT int cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                                       int kind) {
  Call call("cudaMemcpyToSymbol");
  const RegisteredVariable* variable = call.runtime.registry.variable(symbol);
  call.argument("symbol", variable ? variable->name : pointer_text(symbol)).memory("src", from);
  call.argument("count", bytes).argument("offset", offset).argument("kind", kind_text(kind));
  call.row.bytes = bytes;
  call.row.direction = CopyDirection::host_to_device;
  note_stream(call, nullptr);
  if (call.refused()) return call.finish();
  return finish_waiting(call, forward<const void*, const void*, size_t, size_t, int>(
                                  call, "cudaMemcpyToSymbol", symbol, from, bytes, offset, kind));
}
WARPBOOK_EXPORT int cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                         int kind) {
  Call call("cudaMemcpyFromSymbol");
  const RegisteredVariable* variable = call.runtime.registry.variable(symbol);
  call.memory("dst", to).argument("symbol", variable ? variable->name : pointer_text(symbol));
  call.argument("count", bytes).argument("offset", offset).argument("kind", kind_text(kind));
  call.row.bytes = bytes;
  call.row.direction = CopyDirection::device_to_host;
  note_stream(call, nullptr);
  if (call.refused()) return call.finish();
  return finish_waiting(call, forward<void*, const void*, size_t, size_t, int>(
                                  call, "cudaMemcpyFromSymbol", to, symbol, bytes, offset, kind));
}
WARPBOOK_EXPORT int cudaMemset(void* to, int value, size_t bytes) {
  return record_fill("cudaMemset", to, value, bytes, nullptr, [&](Call& call) {
    return forward<void*, int, size_t>(call, "cudaMemset", to, value, bytes);
  });
}
WARPBOOK_EXPORT int cudaMemsetAsync(void* to, int value, size_t bytes, Handle stream) {
  return record_fill("cudaMemsetAsync", to, value, bytes, &stream, [&](Call& call) {
    return forward<void*, int, size_t, Handle>(call, "cudaMemsetAsync", to, value, bytes, stream);
  });
}
