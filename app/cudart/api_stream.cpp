// Streams and what is put into them from the host's side. Everything is executed in the order of the calls,
// which is an order that the rules of streams allow; what could overlap, the modelled times say.
#include <algorithm>

#include "cudart/runtime.h"

using namespace warpbook;
using namespace warpbook::cudart;

namespace {

using StreamCallback = void (*)(Handle stream, int status, void* data);
using HostFunction = void (*)(void* data);

int create(const char* name, Handle* to, unsigned flags, int priority) {
  Call call(name);
  if (flags) call.argument("flags", uint64_t(flags));
  if (priority) call.argument("priority", priority);
  if (call.refused()) return call.finish();
  if (!to || flags > 1) return call.finish(invalid_value);
  auto stream = std::make_unique<Stream>();
  stream->number = call.runtime.next_stream++;
  stream->flags = flags;
  stream->priority = std::clamp(priority, -5, 0);
  call.row.stream = int64_t(stream->number);
  *to = stream.get();
  call.runtime.streams.emplace(*to, std::move(stream));
  return call.finish(success);
}

int synchronize(Handle handle) {
  Call call("cudaStreamSynchronize");
  Stream* stream = call.stream(handle);
  if (call.refused()) return call.finish();
  return call.finish(call.wait(std::max(stream->ready_ms, call.runtime.timeline.starts_at(*stream))));
}

int query(Handle handle) {
  Call call("cudaStreamQuery");
  Stream* stream = call.stream(handle);
  if (call.refused()) return call.finish();
  Timeline& time = call.runtime.timeline;
  if (stream->ready_ms > time.host_ms()) {
    // Programs ask again and again: each time the host gets a good part of the way.
    time.wait_until(time.host_ms() + std::max(0.001, (stream->ready_ms - time.host_ms()) / 4));
    return call.finish(not_ready);
  }
  return call.finish(call.wait(0));
}

int wait_event(Handle handle, Handle event_handle) {
  Call call("cudaStreamWaitEvent");
  Stream* stream = call.stream(handle);
  const Event* event = call.event("event", event_handle);
  if (call.refused()) return call.finish();
  if (event->recorded) call.runtime.timeline.ended(*stream, event->at_ms);
  return call.finish(success);
}

/// Calls a function of the program when the stream gets there, which is now. The lock is not held meanwhile:
/// the function may wait for other threads that call CUDA.
template <class Run>
int run_on_host(const char* name, Handle handle, const void* function, Run&& run) {
  Call call(name);
  call.argument("fn", function);
  Stream* stream = call.stream(handle);
  if (call.refused()) return call.finish();
  if (!function) return call.finish(invalid_value);
  call.row.begin_ms = call.row.end_ms = call.runtime.timeline.starts_at(*stream);
  call.write_in_progress();
  const int status = call.runtime.pending.code;
  call.unlock();
  call.thread.in_callback = true;
  run(status);
  call.thread.in_callback = false;
  call.lock();
  return call.finish(success);
}

int add_callback(Handle stream, StreamCallback callback, void* data) {
  return run_on_host("cudaStreamAddCallback", stream, reinterpret_cast<const void*>(callback),
                     [&](int status) { callback(stream, status, data); });
}

int launch_host(Handle stream, HostFunction function, void* data) {
  return run_on_host("cudaLaunchHostFunc", stream, reinterpret_cast<const void*>(function),
                     [&](int) { function(data); });
}

template <class T>
int tell(const char* name, Handle handle, T* to, T (*value)(const Stream&)) {
  Call call(name);
  const Stream* stream = call.stream(handle);
  if (call.refused()) return call.finish();
  if (!to) return call.finish(invalid_value);
  *to = value(*stream);
  return call.finish(success);
}

int priority_of(Handle stream, int* to) {
  return tell<int>("cudaStreamGetPriority", stream, to, [](const Stream& s) { return s.priority; });
}
int flags_of(Handle stream, unsigned* to) {
  return tell<unsigned>("cudaStreamGetFlags", stream, to, [](const Stream& s) { return s.flags; });
}
int id_of(Handle stream, unsigned long long* to) {
  return tell<unsigned long long>("cudaStreamGetId", stream, to,
                                  [](const Stream& s) -> unsigned long long { return s.number; });
}
int device_of(Handle stream, int* to) {
  return tell<int>("cudaStreamGetDevice", stream, to, [](const Stream&) { return 0; });
}
/// 0 = not capturing.
int capturing(Handle stream, int* to) {
  return tell<int>("cudaStreamIsCapturing", stream, to, [](const Stream&) { return 0; });
}

/// Attributes steer caches and scheduling, which change no result.
int set_attribute(const char* name, Handle handle, int attribute) {
  Call call(name);
  call.argument("attr", attribute);
  call.stream(handle);
  return call.refused() ? call.finish() : call.finish(success);
}

}  // namespace

WARPBOOK_EXPORT int cudaStreamCreate(Handle* stream) { return create("cudaStreamCreate", stream, 0, 0); }
WARPBOOK_EXPORT int cudaStreamCreateWithFlags(Handle* stream, unsigned flags) {
  return create("cudaStreamCreateWithFlags", stream, flags, 0);
}
WARPBOOK_EXPORT int cudaStreamCreateWithPriority(Handle* stream, unsigned flags, int priority) {
  return create("cudaStreamCreateWithPriority", stream, flags, priority);
}

WARPBOOK_EXPORT int cudaStreamDestroy(Handle handle) {
  Call call("cudaStreamDestroy");
  const Stream* stream = call.stream(handle);
  if (call.refused()) return call.finish();
  if (stream == &call.runtime.default_stream) return call.finish(invalid_handle, "The default stream stays.");
  call.runtime.streams.erase(handle);
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaStreamSynchronize(Handle stream) { return synchronize(stream); }
WARPBOOK_EXPORT int cudaStreamSynchronize_ptsz(Handle stream) { return synchronize(stream); }

WARPBOOK_EXPORT int cudaStreamQuery(Handle stream) { return query(stream); }
WARPBOOK_EXPORT int cudaStreamQuery_ptsz(Handle stream) { return query(stream); }

WARPBOOK_EXPORT int cudaStreamWaitEvent(Handle stream, Handle event, unsigned) {
  return wait_event(stream, event);
}
WARPBOOK_EXPORT int cudaStreamWaitEvent_ptsz(Handle stream, Handle event, unsigned) {
  return wait_event(stream, event);
}

WARPBOOK_EXPORT int cudaStreamAddCallback(Handle stream, StreamCallback callback, void* data, unsigned) {
  return add_callback(stream, callback, data);
}
WARPBOOK_EXPORT int cudaStreamAddCallback_ptsz(Handle stream, StreamCallback callback, void* data, unsigned) {
  return add_callback(stream, callback, data);
}

WARPBOOK_EXPORT int cudaLaunchHostFunc(Handle stream, HostFunction function, void* data) {
  return launch_host(stream, function, data);
}
WARPBOOK_EXPORT int cudaLaunchHostFunc_ptsz(Handle stream, HostFunction function, void* data) {
  return launch_host(stream, function, data);
}

WARPBOOK_EXPORT int cudaStreamGetPriority(Handle stream, int* to) { return priority_of(stream, to); }
WARPBOOK_EXPORT int cudaStreamGetPriority_ptsz(Handle stream, int* to) { return priority_of(stream, to); }

WARPBOOK_EXPORT int cudaStreamGetFlags(Handle stream, unsigned* to) { return flags_of(stream, to); }
WARPBOOK_EXPORT int cudaStreamGetFlags_ptsz(Handle stream, unsigned* to) { return flags_of(stream, to); }

WARPBOOK_EXPORT int cudaStreamGetId(Handle stream, unsigned long long* to) { return id_of(stream, to); }
WARPBOOK_EXPORT int cudaStreamGetId_ptsz(Handle stream, unsigned long long* to) { return id_of(stream, to); }

WARPBOOK_EXPORT int cudaStreamGetDevice(Handle stream, int* to) { return device_of(stream, to); }
WARPBOOK_EXPORT int cudaStreamGetDevice_ptsz(Handle stream, int* to) { return device_of(stream, to); }

WARPBOOK_EXPORT int cudaStreamIsCapturing(Handle stream, int* to) { return capturing(stream, to); }
WARPBOOK_EXPORT int cudaStreamIsCapturing_ptsz(Handle stream, int* to) { return capturing(stream, to); }

WARPBOOK_EXPORT int cudaStreamSetAttribute(Handle stream, int attribute, const void*) {
  return set_attribute("cudaStreamSetAttribute", stream, attribute);
}
WARPBOOK_EXPORT int cudaStreamSetAttribute_ptsz(Handle stream, int attribute, const void*) {
  return set_attribute("cudaStreamSetAttribute", stream, attribute);
}

WARPBOOK_EXPORT int cudaStreamCopyAttributes(Handle to, Handle) {
  return set_attribute("cudaStreamCopyAttributes", to, 0);
}
WARPBOOK_EXPORT int cudaStreamCopyAttributes_ptsz(Handle to, Handle) {
  return set_attribute("cudaStreamCopyAttributes", to, 0);
}

WARPBOOK_EXPORT int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  Call call("cudaDeviceGetStreamPriorityRange");
  if (call.refused()) return call.finish();
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return call.finish(success);
}
