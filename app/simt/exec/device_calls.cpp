// vprintf, __assertfail, malloc and free.
#include "simt/exec/device_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

#include "simt/exec/diagnose.h"

namespace warpbook::simt {
namespace {

uint64_t argument(Warp& warp, int lane, const CallInfo& call, size_t index) {
  uint64_t value = 0;
  if (index < call.argument_places.size()) {
    const CallInfo::Place& place = call.argument_places[index];
    read_bytes(warp, lane, local_window + warp.active->frame->local_base + place.offset, &value,
               std::min<uint32_t>(8, place.bytes));
  }
  return value;
}

void print(Warp& warp, std::string text) {
  Worker& worker = *warp.worker;
  const uint64_t limit = worker.launch->options.max_printf_bytes;
  worker.printed_bytes += text.size();
  worker.printed.push_back({warp.block->number, warp.index, warp.printed++, std::move(text)});
  if (worker.printed_bytes < 2 * limit + 4096) return;
  // Keep what comes first in the launch's order; the rest would be cut off at the end anyway.
  std::sort(worker.printed.begin(), worker.printed.end(),
            [](const Worker::Printed& a, const Worker::Printed& b) {
              return std::tie(a.block, a.warp, a.order) < std::tie(b.block, b.warp, b.order);
            });
  uint64_t bytes = 0;
  size_t kept = 0;
  while (kept < worker.printed.size() && bytes < limit) bytes += worker.printed[kept++].text.size();
  worker.printed.resize(kept);
  worker.printed_bytes = bytes;
}

Step call_printf(Warp& warp, const CallInfo& call, uint32_t lanes) {
  std::string format;
  Address format_at = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Address at = argument(warp, lane, call, 0);
    if (at != format_at) {
      format = read_string(warp, lane, at).value_or("");
      format_at = at;
    }
    DeviceText printed = format_device_text(warp, lane, format, argument(warp, lane, call, 1));
    if (!printed.text.empty()) print(warp, std::move(printed.text));
    if (!call.result_places.empty()) {
      const auto result = int32_t(printed.conversions);
      write_bytes(warp, lane, local_window + warp.active->frame->local_base + call.result_places[0].offset,
                  &result, 4);
    }
  }
  return Step::next;
}

/// void __assertfail(const char* message, const char* file, unsigned line, const char* function, size_t
/// charsize)
Step call_assertfail(Warp& warp, const Inst& inst, const CallInfo& call, uint32_t lanes) {
  const int lane = std::countr_zero(lanes);
  Diagnosis d = diagnosis_at(warp, inst.site, lanes, "assert", "call");
  const auto text = [&](size_t index) {
    return read_string(warp, lane, argument(warp, lane, call, index)).value_or("?");
  };
  const auto line = int(uint32_t(argument(warp, lane, call, 2)));
  d.message = fmt::format("The assertion `{}` in {} does not hold.", text(0), text(3));
  d.hint = "Look at what this thread computed just before: the assertion says what must be true there.";
  if (d.line == 0) {
    d.file = text(1);
    d.line = line;
  }
  report(*warp.worker, std::move(d));
  return Step::fault;
}

/// void* malloc(size_t)
Step call_malloc(Warp& warp, const CallInfo& call, uint32_t lanes) {
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Address address = heap_allocate(warp, argument(warp, lane, call, 0));
    if (call.result_places.empty()) continue;
    write_bytes(warp, lane, local_window + warp.active->frame->local_base + call.result_places[0].offset,
                &address, sizeof address);
  }
  ++warp.block->touched;
  return Step::next;
}

/// void free(void*)
Step call_free(Warp& warp, const Inst& inst, const CallInfo& call, uint32_t lanes) {
  Step step = Step::next;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Address address = argument(warp, lane, call, 0);
    if (address == 0) continue;
    Diagnosis d = diagnosis_at(warp, inst.site, 1u << lane, "double-free", "call");
    int before = 0;
    switch (heap_free(warp, address, d.line, before)) {
      case Freed::done: continue;
      case Freed::twice:
        d.message =
            before ? fmt::format("free is given memory that free in line {} has given back already.", before)
                   : "free is given memory that was given back already.";
        d.hint =
            "Free each allocation once: let one thread do it, and set the pointer to nullptr afterwards.";
        break;
      case Freed::not_a_start:
        d.message = "free is given an address inside an allocation, not the one that malloc returned.";
        d.hint = "Keep the pointer that malloc returned, and free that one.";
        break;
      case Freed::not_heap:
        d.message = "free is given an address that malloc in a kernel has never returned.";
        d.hint =
            "Only what malloc or new in device code returned may be freed there; buffers belong to the host.";
        break;
    }
    d.space = "global";
    d.buffer = "heap";
    report(*warp.worker, std::move(d));
    step = Step::fault;
  }
  ++warp.block->touched;
  return step;
}

}  // namespace

bool is_device_call(std::string_view name) {
  return name == "vprintf" || name == "__assertfail" || name == "malloc" || name == "free";
}

Step device_call(Warp& warp, const Inst& inst, const CallInfo& call, uint32_t lanes) {
  if (call.callee == "vprintf") return call_printf(warp, call, lanes);
  if (call.callee == "malloc") return call_malloc(warp, call, lanes);
  if (call.callee == "free") return call_free(warp, inst, call, lanes);
  return call_assertfail(warp, inst, call, lanes);
}

}  // namespace warpbook::simt
