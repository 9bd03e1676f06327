// Findings about memory: copies, device pointers on the host, what is freed twice or never.
#include <fmt/format.h>

#include <algorithm>

#include "lab/finder.h"

namespace warpbook {

namespace {

std::string bytes_words(uint64_t bytes) {
  return fmt::format("{} {}", with_thousands(bytes), bytes == 1 ? "byte" : "bytes");
}

}  // namespace

void Finder::wrong_direction(const TapeRow& row) {
  if (!failed_itself(row) || !copies(row)) return;
  const TapePlace *to = target_of(row), *from = source_of(row);
  if (to == nullptr || from == nullptr) return;
  bool to_device = false, from_device = false;
  switch (row.direction) {
    case CopyDirection::host_to_device: to_device = true; break;
    case CopyDirection::device_to_host: from_device = true; break;
    case CopyDirection::device_to_device: to_device = from_device = true; break;
    case CopyDirection::host_to_host: break;
    case CopyDirection::none: return;
  }
  const auto contradicts = [](const TapePlace& place, bool device) {
    if (place.kind == MemoryKind::host) return device;
    return place.kind == MemoryKind::device && !device;
  };
  if (!contradicts(*to, to_device) && !contradicts(*from, from_device)) return;
  Diagnosis made = at(row, Severity::error, "wrong-direction");
  const auto side = [](const TapePlace& place) { return is_device(place.kind) ? "device" : "host"; };
  made.message =
      fmt::format("{} says {}, but its target is {} memory and its source {} memory, so nothing is copied",
                  row.call, name_of(row.direction), side(*to), side(*from));
  const bool swapped = contradicts(*to, to_device) && contradicts(*from, from_device);
  if (swapped)
    made.hint = fmt::format("Swap the two pointers, or say {}: the target comes first.",
                            is_device(to->kind) ? "cudaMemcpyHostToDevice" : "cudaMemcpyDeviceToHost");
  else
    made.hint = fmt::format("The direction goes from the second pointer to the first: {}To{}.",
                            is_device(from->kind) ? "cudaMemcpyDevice" : "cudaMemcpyHost",
                            is_device(to->kind) ? "Device" : "Host");
  if (to->allocation != 0)
    made.buffer = name(*to);
  else if (from->allocation != 0)
    made.buffer = name(*from);
  add(std::move(made));
}

void Finder::too_large(const TapeRow& row) {
  if (!failed_itself(row)) return;
  for (const TapePlace* place : {target_of(row), source_of(row)}) {
    if (place == nullptr || place->size == 0 || (place->allocation == 0 && place->variable.empty())) continue;
    if (place->kind == MemoryKind::freed || row.bytes == 0) continue;
    const bool before = place->offset < 0;
    if (!before && uint64_t(place->offset) + row.bytes <= place->size) continue;
    Diagnosis made = at(row, Severity::error, "copy-too-large");
    const char* verb = sets(row) ? "sets" : "copies";
    const char* way = place == source_of(row) ? "from" : sets(row) ? "of" : "to";
    made.message =
        fmt::format("{} {} {} {} {}, which has {}{}", row.call, verb, bytes_words(row.bytes), way,
                    name(*place), bytes_words(place->size),
                    place->offset != 0 ? fmt::format(" (it starts {} bytes {} its beginning)",
                                                     std::abs(place->offset), before ? "before" : "behind")
                                       : std::string{});
    const SourcePlace& made_at = program_.place_of(place->allocation).place;
    made.hint = made_at.line > 0
                    ? fmt::format(
                          "Compare the size with that of the allocation in line {}; both count bytes, so "
                          "elements are multiplied by sizeof.",
                          made_at.line)
                    : "Sizes count bytes, so elements are multiplied by sizeof.";
    made.buffer = name(*place);
    made.bytes = uint32_t(std::min<uint64_t>(row.bytes, UINT32_MAX));
    if (made_at.line > 0) made.other = Diagnosis::Other{made_at.line, {}, {}, {}};
    add(std::move(made));
    return;
  }
}

void Finder::read_before_write(const TapeRow& row) {
  if (!worked(row) || row.never_written == 0 || explained_.count(row.sequence) != 0) return;
  if (row.direction != CopyDirection::device_to_host) return;
  // A launch before it that did not run has left it so, and is told by itself.
  const bool refused = std::any_of(rows_.begin(), rows_.end(), [&](const TapeRow& r) {
    return r.launch && r.sequence < row.sequence && (r.code != 0 || r.launch->status == "launch-error");
  });
  if (refused) return;
  const TapePlace* from = source_of(row);
  // Rows of pitched memory end in bytes that nobody uses.
  if (from != nullptr && from->allocation != 0) {
    const TapeRow* allocation = program_.tape.row(from->allocation);
    if (allocation != nullptr &&
        (allocation->call == "cudaMallocPitch" || allocation->call == "cudaMalloc3D"))
      return;
  }
  Diagnosis made = at(row, Severity::error, "read-before-write");
  const std::string what = from != nullptr ? name(*from) : "device memory";
  made.message =
      row.never_written >= row.bytes
          ? fmt::format("{} copies {} back, and nothing on the device has written it", row.call, what)
          : fmt::format(
                "{} copies {} back, and nothing on the device has written {} of its {}, from byte {} on",
                row.call, what, with_thousands(row.never_written), bytes_words(row.bytes),
                row.first_never_written);
  made.hint =
      row.never_written >= row.bytes
          ? "Write it first: by a kernel that is launched before the copy, by cudaMemcpy or by cudaMemset."
          : "Are there enough blocks for all elements, and does every thread write its own?";
  made.buffer = what;
  made.access = "read";
  made.space = "global";
  add(std::move(made));
}

void Finder::host_fault(const TapeRow& row) {
  if (row.fault->kind != "device-pointer-on-host") return;
  Diagnosis made = at(row, Severity::error, "device-pointer-on-host");
  const TapePlace* place = row.places.empty() ? nullptr : &row.places.front();
  const std::string what = place != nullptr && place->allocation != 0 ? name(*place) : "a device pointer";
  made.message =
      fmt::format("the host {} through {}, which points to device memory, and the program dies of it",
                  row.fault->writes ? "writes" : "reads", what);
  made.hint = "The host cannot reach device memory: copy it with cudaMemcpy and use the host's own array.";
  made.access = row.fault->writes ? "write" : "read";
  made.space = "global";
  if (place != nullptr && place->allocation != 0) made.buffer = what;
  add(std::move(made));
}

void Finder::double_free(const TapeRow& row) {
  if (!failed_itself(row) || row.places.empty()) return;
  const TapePlace& place = row.places.front();
  if (place.kind != MemoryKind::freed) return;
  Diagnosis made = at(row, Severity::error, "double-free");
  // The row that freed it before.
  const TapeRow* first = nullptr;
  for (const TapeRow& other : rows_) {
    if (other.sequence >= row.sequence) break;
    if (starts_with(other.call, "cudaFree") && worked(other) && !other.places.empty() &&
        other.places.front().allocation == place.allocation)
      first = &other;
  }
  const SourcePlace before = first ? program_.place_of(first->sequence).place : SourcePlace{};
  made.message =
      fmt::format("{} is freed a second time{}", name(place),
                  before.line > 0 ? fmt::format("; line {} did it already", before.line) : std::string{});
  made.hint =
      "Free each allocation once; a pointer that is set to nullptr afterwards may be freed again without "
      "harm.";
  made.buffer = name(place);
  made.space = "global";
  if (before.line > 0) made.other = Diagnosis::Other{before.line, {}, {}, {}};
  add(std::move(made));
}

void Finder::leaks() {
  if (program_.exit != 0 || has_errors(found_)) return;  // a program that gives up cannot be asked to tidy up
  for (const TapeRow& row : rows_) {
    if (!row.end) continue;
    for (const TapeEnd::Allocation& left : row.end->allocations) {
      if (left.allocation == 0) continue;
      const TapeRow* origin = program_.tape.row(left.allocation);
      if (origin == nullptr || !program_.place_of(left.allocation).folded.empty()) continue;
      Diagnosis made = at(*origin, Severity::warning, "leak");
      const char* by = left.kind == MemoryKind::pinned ? "cudaFreeHost" : "cudaFree";
      made.message = fmt::format("{} of {} memory are never freed: {}", bytes_words(left.bytes),
                                 name_of(left.kind), program_.name_of(left.allocation));
      made.hint = fmt::format(
          "Call {} when it is no longer needed. The end of the program frees it too, but a "
          "program that runs long runs out of memory.",
          by);
      made.buffer = program_.name_of(left.allocation);
      made.bytes = uint32_t(std::min<uint64_t>(left.bytes, UINT32_MAX));
      add(std::move(made));
    }
  }
}

}  // namespace warpbook
