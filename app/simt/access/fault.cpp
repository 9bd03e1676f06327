// What went wrong with an address, in the learner's names: which buffer it was computed from, which element
// it meant, and one plain sentence about it.
#include <fmt/format.h>

#include <algorithm>

#include "result/hint.h"
#include "simt/access/worker.h"
#include "simt/exec/diagnose.h"
#include "simt/exec/moment.h"
#include "simt/exec/state.h"

namespace warpbook::simt {
namespace {

/// An index computed from a null pointer stays within what 32 bits of 4-byte elements reach.
constexpr uint64_t null_reach = 32ull << 30;

int64_t index_from(Address address, Address base, uint32_t element) {
  const int64_t distance = int64_t(address - base);
  // Rounds down, so that one byte before the start is element -1.
  return distance >= 0 ? distance / int64_t(element) : ~(~distance / int64_t(element));
}

}  // namespace

void keep_lowest(std::vector<WriteMap::Miss>& misses) {
  std::sort(misses.begin(), misses.end(), [](const WriteMap::Miss& x, const WriteMap::Miss& y) {
    return std::tie(x.thread, x.index) < std::tie(y.thread, y.index);
  });
  if (misses.size() > most_misses) misses.resize(most_misses);
}

namespace {

/// The array that an index without a sign has missed: below zero it wraps at 2^32, and code that goes on in
/// 64 bits ends so many elements behind all arrays. Their addresses have 32 bits.
const SharedArray* array_wrapped_from(const MemoryLaunch& launch, Address address) {
  if (address < shared_window) return nullptr;
  return launch.array_at(shared_window + uint32_t(address - shared_window));
}

}  // namespace

ObjectAt object_at(const Warp& warp, const Access& access, Address address) {
  const MemoryLaunch& launch = *warp.worker->memory->launch;
  ObjectAt o;
  // A little below the local window is a local array with a negative index.
  if (address >= local_window - (1ull << 32)) {
    o.space = "local";
    o.element_bytes = access.component_bytes;
    o.elements = warp.block->memory.local_bytes_per_thread / o.element_bytes;
    o.index = index_from(address, local_window, o.element_bytes);
    return o;
  }
  if (address >= shared_window - (1ull << 30)) {
    o.space = "shared";
    o.element_bytes = access.component_bytes;
    const SharedArray* array = launch.array_at(address);
    if (!array) array = array_wrapped_from(launch, address);
    if (!array && address < shared_window && !launch.arrays.empty()) array = &launch.arrays.front();
    if (!array) {
      o.index = index_from(address, shared_window, o.element_bytes);
      return o;
    }
    const bool dynamic = size_t(array - launch.arrays.data()) >= launch.first_dynamic;
    if (!dynamic || array->element_bytes > 1) o.element_bytes = array->element_bytes;
    o.name = array->name;
    o.elements = array->bytes / o.element_bytes;
    o.index = index_from(address, array->address, o.element_bytes);
    return o;
  }
  if (address >= parameter_window) {
    o.space = "const";
    o.element_bytes = access.component_bytes;
    o.index = index_from(address, parameter_window, o.element_bytes);
    o.elements = launch.parameter_bytes / o.element_bytes;
    o.read_only = true;
    for (const auto& p : launch.parameters) {
      const uint64_t at = address - parameter_window;
      if (at >= p.offset && at < p.offset + p.bytes) o.name = p.name;
    }
    return o;
  }
  if (const Allocation* a = launch.memory->window_of(address)) {
    o.name = a->info.name;
    o.space = a->info.read_only ? "const" : "global";
    o.element_bytes = a->heap ? access.component_bytes : a->info.element_bytes;
    o.elements = a->info.bytes / o.element_bytes;
    o.index = index_from(address, a->info.address, o.element_bytes);
    o.freed = !a->live;
    o.heap = a->heap;
    o.freed_line = a->freed_line;
    o.read_only = a->info.read_only;
    return o;
  }
  return o;
}

void note_fault(MemoryWorker& worker, Warp& warp, int lane, Fault fault) {
  fault.block = warp.block->number;
  fault.thread = thread_number(warp.index, lane);
  fault.count = 1;
  const uint32_t own_site = fault.site;
  fault.site = learner_site(warp, own_site);
  auto [entry, fresh] = worker.faults.try_emplace({fault.site, fault.kind, fault.buffer}, fault);
  Fault& known = entry->second;
  if (!fresh) {
    const uint64_t count = known.count + 1;
    const bool lower = std::tie(fault.block, fault.thread) < std::tie(known.block, known.thread);
    if (lower) known = fault;
    known.count = count;
    if (!lower) return;
  }
  known.moment = take_moment(warp, lane, own_site, fault.address, fault.element_bytes);
}

void note_address_fault(Warp& warp, const Access& access, int lane) {
  MemoryWorker& worker = *warp.worker->memory;
  const Address address = access.address[lane];
  const ObjectAt object = object_at(warp, access, address);
  Fault f;
  f.access = access.kind;
  f.site = access.site;
  f.bytes = access.bytes;
  f.address = address;
  f.buffer = object.name;
  f.space = object.space;
  f.index = object.index;
  f.elements = object.elements;
  f.element_bytes = object.element_bytes;
  f.has_index = !object.space.empty();
  const uint64_t begin_to_end = object.elements * object.element_bytes;
  const bool inside = f.has_index && object.index >= 0 &&
                      uint64_t(object.index) * object.element_bytes + access.bytes <=
                          std::max<uint64_t>(begin_to_end, access.bytes) &&
                      uint64_t(object.index) < object.elements;
  if (object.space.empty()) {
    const bool null = address < null_reach || address >= Address(0) - null_reach;
    f.kind = null ? FaultKind::null_pointer : FaultKind::nowhere;
    if (null) {
      f.space = "global";
      f.buffer = worker.launch->null_argument;
      f.element_bytes = access.component_bytes;
      f.index = index_from(address, 0, f.element_bytes);
      f.has_index = true;
    }
  } else if (access.space == ptx::Space::global && address >= parameter_window) {
    f.kind = FaultKind::wrong_space;
  } else if (object.freed) {
    f.kind = FaultKind::use_after_free;
    f.heap = object.heap;
    f.freed_line = object.freed_line;
  } else if (object.read_only && inside && access.kind != AccessKind::read) {
    f.kind = FaultKind::read_only;
  } else if (inside && (address & (access.bytes - 1)) != 0) {
    f.kind = FaultKind::misaligned;
  } else {
    f.kind = FaultKind::out_of_bounds;
    if (worker.launch->write_maps && access.kind != AccessKind::read && f.space == "global") {
      const uint64_t thread =
          warp.block->number * worker.launch->launch.block.count() + thread_number(warp.index, lane);
      auto& misses = worker.misses[f.buffer];
      misses.push_back({int64_t(thread), f.index});
      if (misses.size() >= 2 * most_misses) keep_lowest(misses);
    }
  }
  note_fault(worker, warp, lane, std::move(f));
}

namespace {

Dim3 split(uint64_t number, const Dim3& in) {
  return {uint32_t(number % in.x), uint32_t(number / in.x % in.y), uint32_t(number / in.x / in.y)};
}

std::string count_of(uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

/// "a[100]", or words for an array that the PTX does not name.
std::string place_of(const Fault& f) {
  if (!f.buffer.empty()) return fmt::format("{}[{}]", f.buffer, f.index);
  if (f.space == "local") return fmt::format("element {} of a local array", f.index);
  if (f.space == "shared") return fmt::format("shared memory at byte {}", f.index * int64_t(f.element_bytes));
  if (f.kind == FaultKind::null_pointer) return fmt::format("element {} of a null pointer", f.index);
  return fmt::format("address {:#x}", f.address);
}

std::string size_of(const Fault& f) {
  if (!f.buffer.empty()) return fmt::format("{} has {}", f.buffer, count_of(f.elements, "element"));
  if (f.space == "local") {
    return fmt::format("a thread has {} of local memory", count_of(f.elements * f.element_bytes, "byte"));
  }
  return "no shared array lies there";
}

std::string guard_hint(const Fault& f) {
  if (f.index < 0) return std::string(hints::index_below_zero);
  if (f.space == "shared") return std::string(hints::index_past_shared);
  if (f.elements > 0 && !f.buffer.empty()) {
    return fmt::format("{}, for instance with if (i < n), where n is {} here.", hints::guard_the_access,
                       f.elements);
  }
  return fmt::format("{} with if (i < n).", hints::guard_the_access);
}

}  // namespace

Diagnosis describe(const Fault& f, const MemoryLaunch& launch) {
  Diagnosis d;
  d.severity = Severity::error;
  d.access = f.access == AccessKind::read ? "read" : f.access == AccessKind::write ? "write" : "atomic";
  d.space = f.space;
  d.buffer = f.buffer;
  if (f.has_index) d.index = f.index;
  d.bytes = f.bytes;
  d.elements = f.elements;
  d.moment = f.moment;
  d.block = split(f.block, launch.launch.grid);
  d.thread = split(f.thread, launch.launch.block);
  d.count = f.count;
  const bool writes = f.access != AccessKind::read;
  const char* verb = f.access == AccessKind::read    ? "reads"
                     : f.access == AccessKind::write ? "writes"
                                                     : "updates";
  const std::string who = fmt::format("Thread ({},{},{}) of block ({},{},{})", d.thread->x, d.thread->y,
                                      d.thread->z, d.block->x, d.block->y, d.block->z);
  switch (f.kind) {
    case FaultKind::out_of_bounds:
      d.kind = writes ? "oob-write" : "oob-read";
      d.message = fmt::format("{} {} {}, but {}.", who, verb, place_of(f), size_of(f));
      d.hint = guard_hint(f);
      break;
    case FaultKind::nowhere:
      d.kind = writes ? "oob-write" : "oob-read";
      d.message = fmt::format("{} {} {}, which belongs to no buffer.", who, verb, place_of(f));
      d.hint =
          "Check how the pointer was computed, and that it points into a buffer that the kernel was given.";
      break;
    case FaultKind::null_pointer:
      d.kind = "null-pointer";
      d.message = f.buffer.empty()
                      ? fmt::format("{} {} {}.", who, verb, place_of(f))
                      : fmt::format("{} {} {}, but {} was given as null.", who, verb, place_of(f), f.buffer);
      d.hint = f.buffer.empty()
                   ? "Test the pointer before it is used."
                   : fmt::format("Give {} a buffer, or test the pointer before it is used.", f.buffer);
      break;
    case FaultKind::use_after_free:
      d.kind = "use-after-free";
      if (f.heap) {
        d.message = fmt::format("{} {} {}, but that memory was given back{}.", who, verb, place_of(f),
                                f.freed_line ? fmt::format(" by free in line {}", f.freed_line) : "");
        d.hint = "Call free when nobody uses the memory any more, and set the pointer to nullptr then.";
        break;
      }
      d.message =
          fmt::format("{} {} {}, but {} was freed before this launch.", who, verb, place_of(f), f.buffer);
      d.hint = fmt::format("Free {} only after the last kernel that uses it.", f.buffer);
      break;
    case FaultKind::misaligned: {
      d.kind = writes ? "misaligned-write" : "misaligned-read";
      d.message = fmt::format("{} {} {} bytes at {}, whose address is no multiple of {}.", who, verb, f.bytes,
                              place_of(f), f.bytes);
      d.hint =
          f.bytes > f.element_bytes
              ? fmt::format(
                    "A {}-byte access must start at a multiple of {} elements: start there, or access the "
                    "elements one by one.",
                    f.bytes, f.bytes / f.element_bytes)
              : fmt::format("A {}-byte access must start at an address that is a multiple of {}.", f.bytes,
                            f.bytes);
      break;
    }
    case FaultKind::uninitialised:
      d.kind = "uninit-read";
      d.message = fmt::format("{} reads {}, which nothing has written yet.", who, place_of(f));
      d.hint = f.space == "shared"
                   ? "Write every element that is read later, also for threads beyond the end of the data."
                   : "Write the element before it is read, for instance with zero.";
      break;
    case FaultKind::wrong_space:
      d.kind = writes ? "oob-write" : "oob-read";
      d.message = fmt::format("{} {} {} memory through a pointer that the code says is global: {}.", who,
                              verb, f.space, place_of(f));
      d.hint = "Give the pointer to the function as it is, without a cast or __cvta of your own.";
      break;
    case FaultKind::read_only:
      d.kind = "oob-write";
      d.message = fmt::format("{} {} {}, but {} is constant memory, which a kernel cannot write.", who, verb,
                              place_of(f), f.buffer.empty() ? "that" : f.buffer);
      d.hint = "Write to a buffer or a __device__ variable.";
      break;
  }
  return d;
}

}  // namespace warpbook::simt
