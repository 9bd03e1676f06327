// The stand-in's memory, copies, streams and events. Everything is done at the call; a hung kernel alone
// keeps its stream busy.
#include <cstring>

#include "driver/state.h"

using namespace standin;

namespace {

/// Whole allocations and parts of them; nothing beyond their ends.
bool is_inside(const ContextObject& context, Pointer address, size_t bytes) {
  auto after = context.allocations.upper_bound(address);
  if (after == context.allocations.begin()) return false;
  --after;
  return address - after->first <= after->second && bytes <= after->second - (address - after->first);
}

Code finish(Call& call, const warpbook::Result<warpbook::Done>& done) {
  return done ? code::success : call.wrong(done.error().message, code::invalid_value);
}

Code need_stream(Call& call, ContextObject& context, Stream stream) {
  if (stream != nullptr && context.streams.count(stream) == 0)
    return call.wrong("no such stream", code::invalid_handle);
  if (context.hung) return call.wrong("work behind a kernel that never ends", code::unknown);
  return code::success;
}

}  // namespace

STANDIN_ENTRY cuMemGetInfo_v2(size_t* free, size_t* total) {
  Call call("cuMemGetInfo_v2");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  *total = limits().memory_bytes;
  *free = *total - context->memory->bytes_in_use();
  return code::success;
}

STANDIN_ENTRY cuMemAlloc_v2(Pointer* address, size_t bytes) {
  Call call("cuMemAlloc_v2");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (bytes == 0) return call.wrong("no bytes", code::invalid_value);
  const auto made = context->memory->bytes_in_use() + bytes > limits().memory_bytes
                        ? warpbook::Result<uint64_t>(warpbook::Error{})
                        : context->memory->allocate(bytes, "buffer", 4);
  if (!made) return code::out_of_memory;
  context->allocations[*made] = bytes;
  *address = *made;
  return code::success;
}

STANDIN_ENTRY cuMemFree_v2(Pointer address) {
  Call call("cuMemFree_v2");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (context->hung) return call.wrong("a kernel still runs; a driver would wait for ever", code::unknown);
  if (context->allocations.erase(address) == 0) return call.wrong("no such memory", code::invalid_value);
  return finish(call, context->memory->free(address));
}

STANDIN_ENTRY cuMemHostAlloc(void** memory, size_t bytes, unsigned) {
  Call call("cuMemHostAlloc");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  auto made = std::make_unique<std::byte[]>(bytes);
  *memory = made.get();
  context->host[*memory] = std::move(made);
  return code::success;
}

STANDIN_ENTRY cuMemFreeHost(void* memory) {
  Call call("cuMemFreeHost");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  return context->host.erase(memory) > 0 ? code::success : call.wrong("no such memory", code::invalid_value);
}

STANDIN_ENTRY cuMemcpyHtoDAsync_v2(Pointer to, const void* from, size_t bytes, Stream stream) {
  Call call("cuMemcpyHtoDAsync_v2");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (const Code code = need_stream(call, *context, stream)) return code;
  if (!is_inside(*context, to, bytes)) return call.wrong("past the end of the buffer", code::invalid_value);
  return finish(call, context->memory->write(to, {static_cast<const std::byte*>(from), bytes}));
}

STANDIN_ENTRY cuMemcpyDtoHAsync_v2(void* to, Pointer from, size_t bytes, Stream stream) {
  Call call("cuMemcpyDtoHAsync_v2");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (const Code code = need_stream(call, *context, stream)) return code;
  if (!is_inside(*context, from, bytes)) return call.wrong("past the end of the buffer", code::invalid_value);
  return finish(call, context->memory->read(from, {static_cast<std::byte*>(to), bytes}));
}

STANDIN_ENTRY cuMemcpyDtoDAsync_v2(Pointer to, Pointer from, size_t bytes, Stream stream) {
  Call call("cuMemcpyDtoDAsync_v2");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (const Code code = need_stream(call, *context, stream)) return code;
  if (!is_inside(*context, from, bytes) || !is_inside(*context, to, bytes))
    return call.wrong("past the end of a buffer", code::invalid_value);
  std::vector<std::byte> bytes_between(bytes);
  if (const Code code = finish(call, context->memory->read(from, bytes_between))) return code;
  return finish(call, context->memory->write(to, bytes_between));
}

STANDIN_ENTRY cuMemsetD8Async(Pointer to, unsigned char value, size_t bytes, Stream stream) {
  Call call("cuMemsetD8Async");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (const Code code = need_stream(call, *context, stream)) return code;
  if (!is_inside(*context, to, bytes)) return call.wrong("past the end of the buffer", code::invalid_value);
  return finish(call, context->memory->write(to, std::vector<std::byte>(bytes, std::byte(value))));
}

STANDIN_ENTRY cuStreamCreate(Stream* stream, unsigned flags) {
  Call call("cuStreamCreate");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (flags > 1) return call.wrong("flags that do not exist", code::invalid_value);
  auto made = std::make_unique<StreamObject>();
  made->context = context;
  *stream = made.get();
  context->streams[*stream] = std::move(made);
  return code::success;
}

STANDIN_ENTRY cuStreamDestroy_v2(Stream stream) {
  Call call("cuStreamDestroy_v2");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (context->hung) return call.wrong("a kernel still runs in it", code::unknown);
  return context->streams.erase(stream) > 0 ? code::success
                                            : call.wrong("no such stream", code::invalid_handle);
}

STANDIN_ENTRY cuStreamQuery(Stream stream) {
  Call call("cuStreamQuery");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (context->streams.count(stream) == 0) return call.wrong("no such stream", code::invalid_handle);
  return context->hung ? Code(code::not_ready) : Code(code::success);
}

STANDIN_ENTRY cuEventCreate(Event* event, unsigned flags) {
  Call call("cuEventCreate");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (flags != 0) return call.wrong("flags that are not used here", code::invalid_value);
  auto made = std::make_unique<EventObject>();
  made->context = context;
  *event = made.get();
  context->events[*event] = std::move(made);
  return code::success;
}

STANDIN_ENTRY cuEventDestroy_v2(Event event) {
  Call call("cuEventDestroy_v2");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  return context->events.erase(event) > 0 ? code::success : call.wrong("no such event", code::invalid_handle);
}

STANDIN_ENTRY cuEventRecord(Event event, Stream stream) {
  Call call("cuEventRecord");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (context->events.count(event) == 0) return call.wrong("no such event", code::invalid_handle);
  if (stream != nullptr && context->streams.count(stream) == 0)
    return call.wrong("no such stream", code::invalid_handle);
  event->recorded = true;
  event->at_ms = now_ms();
  return code::success;
}

STANDIN_ENTRY cuEventElapsedTime_v2(float* milliseconds, Event start, Event end) {
  Call call("cuEventElapsedTime_v2");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (context->events.count(start) == 0 || context->events.count(end) == 0)
    return call.wrong("no such event", code::invalid_handle);
  if (!start->recorded || !end->recorded) return call.wrong("not recorded", code::invalid_handle);
  *milliseconds = float(end->at_ms - start->at_ms);
  return code::success;
}
