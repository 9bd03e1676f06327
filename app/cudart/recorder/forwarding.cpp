// See forwarding.h.
#include "cudart/recorder/forwarding.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace warpbook::cudart {

void* next_function(const char* name) { return dlsym(RTLD_NEXT, name); }

void note_stream(Call& call, Handle handle) {
  const Stream* const known = call.runtime.stream(handle);
  call.row.stream = known ? int64_t(known->number) : -1;
  call.argument("stream", known ? fmt::format("{}", known->number) : pointer_text(handle));
}

void note_event(Call& call, const char* argument, Handle handle) {
  const Event* const known = call.runtime.event(handle);
  call.argument(argument, known ? fmt::format("event {}", known->number) : pointer_text(handle));
}

int finish_waiting(Call& call, int code) {
  call.row.waits = true;
  if (code != success && is_sticky(code) && call.runtime.last_launch != 0) {
    call.row.reports = call.runtime.last_launch;
    call.row.note = "A kernel had failed before.";
  }
  return call.finish(code);
}

}  // namespace warpbook::cudart
