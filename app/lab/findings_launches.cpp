// Findings about kernels: what they did wrong at the line of their launch, host pointers among their
// arguments, and those that nobody launched.
#include <fmt/format.h>

#include <algorithm>

#include "lab/finder.h"

namespace warpbook {

namespace {

std::string in_line(const SourcePlace& place) {
  return place.line > 0 ? fmt::format(" in line {}", place.line) : std::string{};
}

}  // namespace

/// A pointer to host memory among the arguments of a launch that then touched what is nobody's.
const TapePlace* Finder::host_argument(const TapeRow& row) const {
  for (const TapePlace& place : row.places)
    if (place.kind == MemoryKind::host || place.kind == MemoryKind::not_mapped) return &place;
  return nullptr;
}

void Finder::kernels() {
  for (const TapeRow& row : rows_) {
    if (!row.launch) continue;
    for (Diagnosis diagnosis : row.launch->diagnostics) {
      // A launch that is refused is wrong where it is launched, not where its kernel stands.
      const SourcePlace& place = program_.place_of(row.sequence).place;
      if (place.line > 0 && (diagnosis.access == "launch" || diagnosis.line == 0)) {
        diagnosis.file = place.file;
        diagnosis.line = place.line;
        diagnosis.column = 0;
      }
      if (diagnosis.file.empty()) diagnosis.file = place.file;
      const TapePlace* host = host_argument(row);
      const bool strays =
          diagnosis.access == "read" || diagnosis.access == "write" || diagnosis.access == "atomic";
      if (host != nullptr && strays && diagnosis.severity == Severity::error &&
          (diagnosis.buffer.empty() || diagnosis.buffer == host->argument) && diagnosis.space != "shared" &&
          diagnosis.space != "local") {
        host_pointer(row, *host, diagnosis);
        continue;
      }
      add(std::move(diagnosis));
    }
  }
}

void Finder::host_pointer(const TapeRow& row, const TapePlace& place, const Diagnosis& access) {
  Diagnosis made = at(row, Severity::error, "host-pointer-in-kernel");
  made.message = fmt::format(
      "{} is launched with {} = a pointer to host memory, and the kernel {} it in line {}",
      row.launch->kernel, place.argument, access.access == "read" ? "reads" : "writes", access.line);
  made.hint =
      "A kernel reaches device memory only: allocate a buffer with cudaMalloc, copy the data there, and "
      "pass that pointer.";
  made.buffer = place.argument;
  made.access = access.access;
  made.space = "global";
  made.block = access.block;
  made.thread = access.thread;
  made.count = access.count;
  made.other = Diagnosis::Other{access.line, access.access, access.block, access.thread};
  add(std::move(made));
}

/// A launch that was refused was not forgotten.
bool Finder::was_tried(const std::string& kernel) const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [&](const TapeRow& r) { return r.launch && r.launch->kernel == kernel; });
}

void Finder::never_launched() {
  const auto end =
      std::find_if(rows_.begin(), rows_.end(), [](const TapeRow& r) { return r.end.has_value(); });
  if (end == rows_.end() || end->end->never_launched.empty()) return;
  const bool any_launch =
      std::any_of(rows_.begin(), rows_.end(), [](const TapeRow& r) { return r.launch.has_value(); });
  // A program may well have kernels that this run does not need. It is a mistake when nothing was launched
  // and the output was used, or when what came back had been written by nobody.
  const TapeRow* output = nullptr;
  for (const TapeRow& row : rows_) {
    if (!copies(row) || !worked(row) || row.direction != CopyDirection::device_to_host) continue;
    if (!any_launch || (row.never_written > 0 && row.never_written == row.bytes)) {
      output = &row;
      break;
    }
  }
  const bool managed = std::any_of(rows_.begin(), rows_.end(), [](const TapeRow& r) {
    return worked(r) && r.call == "cudaMallocManaged";
  });
  if (output == nullptr && (any_launch || !managed)) return;
  std::vector<std::string> candidates;
  for (const std::string& kernel : end->end->never_launched)
    if (!was_tried(kernel) && (program_.kernels.empty() || kernel_place(kernel).line > 0))
      candidates.push_back(kernel);
  // Where other kernels ran, it cannot be told which of several was forgotten.
  if (candidates.empty() || (any_launch && candidates.size() > 1)) return;
  for (const std::string& kernel : candidates) {
    Diagnosis made;
    made.kind = "never-launched";
    const SourcePlace place = kernel_place(kernel);
    made.file = place.file;
    made.line = place.line;
    if (output != nullptr) {
      const SourcePlace& read = program_.place_of(output->sequence).place;
      const TapePlace* source = source_of(*output);
      made.message = fmt::format("{} is defined but never launched, and {} is copied back{} all the same",
                                 kernel, source ? name(*source) : "its result", in_line(read));
      made.other = Diagnosis::Other{read.line, "read", {}, {}};
      if (source) made.buffer = name(*source);
      explained_.insert(output->sequence);
    } else {
      made.message = fmt::format("{} is defined but never launched", kernel);
    }
    made.access = "launch";
    made.hint = fmt::format("A kernel runs only when it is launched: {}<<<blocks, threads>>>(...);", kernel);
    add(std::move(made));
  }
  // The same mistake is not told twice.
  for (const TapeRow& row : rows_)
    if (copies(row) && row.direction == CopyDirection::device_to_host && row.never_written == row.bytes)
      explained_.insert(row.sequence);
}

}  // namespace warpbook
