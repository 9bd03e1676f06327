// Events. Their times are modelled, and an event is over when the host's modelled time has come that far: by
// waiting for it, or for something later.
#include <algorithm>

#include "cudart/runtime.h"

using namespace warpbook::cudart;

namespace {

int create(const char* name, Handle* to, unsigned flags) {
  Call call(name);
  if (flags) call.argument("flags", uint64_t(flags));
  if (call.refused()) return call.finish();
  if (!to || flags > 7) return call.finish(invalid_value);
  auto event = std::make_unique<Event>();
  event->number = call.runtime.next_event++;
  event->flags = flags;
  call.argument("event", "event " + std::to_string(event->number));
  *to = event.get();
  call.runtime.events.emplace(*to, std::move(event));
  return call.finish(success);
}

int record(Handle event_handle, Handle handle) {
  Call call("cudaEventRecord");
  Event* event = call.event("event", event_handle);
  Stream* stream = call.stream(handle);
  if (call.refused()) return call.finish();
  // A microsecond of its own, so that no two events of a stream stand at the same time.
  event->at_ms = call.runtime.timeline.starts_at(*stream) + 0.001;
  event->recorded = true;
  call.runtime.timeline.ended(*stream, event->at_ms);
  call.row.begin_ms = call.row.end_ms = event->at_ms;
  return call.finish(success);
}

}  // namespace

WARPBOOK_EXPORT int cudaEventCreate(Handle* event) { return create("cudaEventCreate", event, 0); }
WARPBOOK_EXPORT int cudaEventCreateWithFlags(Handle* event, unsigned flags) {
  return create("cudaEventCreateWithFlags", event, flags);
}

WARPBOOK_EXPORT int cudaEventRecord(Handle event, Handle stream) { return record(event, stream); }
WARPBOOK_EXPORT int cudaEventRecord_ptsz(Handle event, Handle stream) { return record(event, stream); }
WARPBOOK_EXPORT int cudaEventRecordWithFlags(Handle event, Handle stream, unsigned) {
  return record(event, stream);
}
WARPBOOK_EXPORT int cudaEventRecordWithFlags_ptsz(Handle event, Handle stream, unsigned) {
  return record(event, stream);
}

WARPBOOK_EXPORT int cudaEventSynchronize(Handle handle) {
  Call call("cudaEventSynchronize");
  const Event* event = call.event("event", handle);
  if (call.refused()) return call.finish();
  // An event that was never recorded counts as over.
  return call.finish(call.wait(event->recorded ? event->at_ms : 0));
}

WARPBOOK_EXPORT int cudaEventQuery(Handle handle) {
  Call call("cudaEventQuery");
  const Event* event = call.event("event", handle);
  if (call.refused()) return call.finish();
  Timeline& time = call.runtime.timeline;
  if (event->recorded && event->at_ms > time.host_ms()) {
    // Programs ask again and again: each time the host gets a good part of the way.
    time.wait_until(time.host_ms() + std::max(0.001, (event->at_ms - time.host_ms()) / 4));
    return call.finish(not_ready);
  }
  return call.finish(call.wait(0));
}

WARPBOOK_EXPORT int cudaEventElapsedTime(float* milliseconds, Handle from_handle, Handle to_handle) {
  Call call("cudaEventElapsedTime");
  const Event* from = call.event("start", from_handle);
  const Event* to = call.event("end", to_handle);
  if (call.refused()) return call.finish();
  if (!milliseconds) return call.finish(invalid_value);
  if (!from->recorded || !to->recorded) {
    return call.finish(invalid_handle, "An event was never recorded.");
  }
  if (((from->flags | to->flags) & 2) != 0) {
    return call.finish(invalid_handle, "An event was created without time (cudaEventDisableTiming).");
  }
  if (std::max(from->at_ms, to->at_ms) > call.runtime.timeline.host_ms()) {
    return call.finish(not_ready, "The work between the events is not over: nobody has waited for it.");
  }
  const double passed = to->at_ms - from->at_ms;
  *milliseconds = float(passed == 0 ? 0.001 : passed);
  call.argument("ms", double(*milliseconds));
  return call.finish(success);
}

WARPBOOK_EXPORT int cudaEventDestroy(Handle handle) {
  Call call("cudaEventDestroy");
  call.event("event", handle);
  if (call.refused()) return call.finish();
  call.runtime.events.erase(handle);
  return call.finish(success);
}
