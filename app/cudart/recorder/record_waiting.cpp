// Streams, events, waiting and the last error.
#include <fmt/format.h>

#include "cudart/recorder/forwarding.h"

using namespace warpbook::cudart;

namespace {

template <class Forward>
int record_stream(const char* name, Handle* to, Forward forward) {
  Call call(name);
  if (call.refused()) return call.finish();
  const int code = forward(call);
  if (code == success && to) {
    auto stream = std::make_unique<Stream>();
    stream->number = call.runtime.next_stream++;
    call.row.stream = int64_t(stream->number);
    call.runtime.streams[*to] = std::move(stream);
  }
  return call.finish(code);
}

template <class Forward>
int record_event(const char* name, Handle* to, Forward forward) {
  Call call(name);
  if (call.refused()) return call.finish();
  const int code = forward(call);
  if (code == success && to) {
    auto event = std::make_unique<Event>();
    event->number = call.runtime.next_event++;
    call.argument("event", fmt::format("event {}", event->number));
    call.runtime.events[*to] = std::move(event);
  }
  return call.finish(code);
}

int last_error(const char* name, bool reset) {
  Call call(name, Call::any_time);
  const int code = forward<>(call, name);
  ThreadState& thread = call.thread;
  // A failure that was planned never reached NVIDIA's runtime.
  const int told = code == success ? thread.last_error : code;
  call.row.reports = thread.last_error_row;
  if (reset) {
    thread.last_error = success;
    thread.last_error_row = 0;
    thread.last_error_from_launch = false;
  }
  return call.finish(told);
}

}  // namespace

WARPBOOK_EXPORT int cudaDeviceSynchronize() {
  Call call("cudaDeviceSynchronize");
  if (call.refused()) return call.finish();
  return finish_waiting(call, forward<>(call, "cudaDeviceSynchronize"));
}

WARPBOOK_EXPORT int cudaStreamCreate(Handle* stream) {
  return record_stream("cudaStreamCreate", stream,
                       [&](Call& call) { return forward<Handle*>(call, "cudaStreamCreate", stream); });
}
WARPBOOK_EXPORT int cudaStreamCreateWithFlags(Handle* stream, unsigned flags) {
  return record_stream("cudaStreamCreateWithFlags", stream, [&](Call& call) {
    return forward<Handle*, unsigned>(call, "cudaStreamCreateWithFlags", stream, flags);
  });
}
WARPBOOK_EXPORT int cudaStreamDestroy(Handle stream) {
  Call call("cudaStreamDestroy");
  note_stream(call, stream);
  if (call.refused()) return call.finish();
  const int code = forward<Handle>(call, "cudaStreamDestroy", stream);
  if (code == success) call.runtime.streams.erase(stream);
  return call.finish(code);
}
WARPBOOK_EXPORT int cudaStreamSynchronize(Handle stream) {
  Call call("cudaStreamSynchronize");
  note_stream(call, stream);
  if (call.refused()) return call.finish();
  return finish_waiting(call, forward<Handle>(call, "cudaStreamSynchronize", stream));
}
WARPBOOK_EXPORT int cudaStreamWaitEvent(Handle stream, Handle event, unsigned flags) {
  Call call("cudaStreamWaitEvent");
  note_stream(call, stream);
  note_event(call, "event", event);
  if (call.refused()) return call.finish();
  return call.finish(forward<Handle, Handle, unsigned>(call, "cudaStreamWaitEvent", stream, event, flags));
}

WARPBOOK_EXPORT int cudaEventCreate(Handle* event) {
  return record_event("cudaEventCreate", event,
                      [&](Call& call) { return forward<Handle*>(call, "cudaEventCreate", event); });
}
WARPBOOK_EXPORT int cudaEventCreateWithFlags(Handle* event, unsigned flags) {
  return record_event("cudaEventCreateWithFlags", event, [&](Call& call) {
    return forward<Handle*, unsigned>(call, "cudaEventCreateWithFlags", event, flags);
  });
}
WARPBOOK_EXPORT int cudaEventRecord(Handle event, Handle stream) {
  Call call("cudaEventRecord");
  note_event(call, "event", event);
  note_stream(call, stream);
  if (call.refused()) return call.finish();
  return call.finish(forward<Handle, Handle>(call, "cudaEventRecord", event, stream));
}
WARPBOOK_EXPORT int cudaEventSynchronize(Handle event) {
  Call call("cudaEventSynchronize");
  note_event(call, "event", event);
  if (call.refused()) return call.finish();
  return finish_waiting(call, forward<Handle>(call, "cudaEventSynchronize", event));
}
WARPBOOK_EXPORT int cudaEventElapsedTime(float* milliseconds, Handle from, Handle to) {
  Call call("cudaEventElapsedTime");
  note_event(call, "start", from);
  note_event(call, "end", to);
  if (call.refused()) return call.finish();
  const int code = forward<float*, Handle, Handle>(call, "cudaEventElapsedTime", milliseconds, from, to);
  if (code == success) call.argument("ms", double(*milliseconds));
  return call.finish(code);
}
WARPBOOK_EXPORT int cudaEventDestroy(Handle event) {
  Call call("cudaEventDestroy");
  note_event(call, "event", event);
  if (call.refused()) return call.finish();
  const int code = forward<Handle>(call, "cudaEventDestroy", event);
  if (code == success) call.runtime.events.erase(event);
  return call.finish(code);
}

WARPBOOK_EXPORT int cudaGetLastError() { return last_error("cudaGetLastError", true); }
WARPBOOK_EXPORT int cudaPeekAtLastError() { return last_error("cudaPeekAtLastError", false); }
