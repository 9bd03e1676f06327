// One function a kind. Each looks at rows only, so that a tape made by hand tests it.
#include "lab/program_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/text.h"

namespace warpbook {

namespace {

// cudaError_t of the runtime's header driver_types.h.
constexpr int invalid_value = 1, not_ready = 600, invalid_handle = 400, not_modelled = 801;

bool is_device(MemoryKind kind) { return kind == MemoryKind::device || kind == MemoryKind::managed; }

bool copies(const TapeRow& row) { return starts_with(row.call, "cudaMemcpy"); }

bool sets(const TapeRow& row) { return starts_with(row.call, "cudaMemset"); }

/// Rows of the learner's own calls that went through as far as the library knows.
bool worked(const TapeRow& row) { return row.code == 0 && !row.in_progress; }

std::string bytes_words(uint64_t bytes) {
  return fmt::format("{} {}", with_thousands(bytes), bytes == 1 ? "byte" : "bytes");
}

std::string in_line(const SourcePlace& place) {
  return place.line > 0 ? fmt::format(" in line {}", place.line) : std::string{};
}

const TapePlace* place_named(const TapeRow& row, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    for (const TapePlace& place : row.places)
      if (place.argument == name) return &place;
  return nullptr;
}
const TapePlace* target_of(const TapeRow& row) { return place_named(row, {"dst", "devPtr", "symbol"}); }
const TapePlace* source_of(const TapeRow& row) { return place_named(row, {"src"}); }

std::string argument_of(const TapeRow& row, std::string_view name) {
  for (const TapeArgument& argument : row.arguments)
    if (argument.name == name) return argument.value;
  return {};
}

class Finder {
 public:
  explicit Finder(const HostProgram& program) : program_(program), rows_(program.tape.rows) {}

  std::vector<Diagnosis> all() {
    kernels();
    for (const TapeRow& row : rows_) {
      if (!row.modelled) not_modelled_call(row);
      if (row.module && !row.module->problem.empty()) module_problem(row);
      if (row.fault) host_fault(row);
      if (copies(row) || sets(row)) {
        wrong_direction(row);
        too_large(row);
      }
      if (starts_with(row.call, "cudaFree")) double_free(row);
      if (starts_with(row.call, "cudaEvent")) event_misuse(row);
    }
    never_launched();
    for (const TapeRow& row : rows_)
      if (copies(row)) read_before_write(row);
    unchecked_errors();
    leaks();
    timing();
    return merge(std::move(found_));
  }

 private:
  Diagnosis at(const TapeRow& row, Severity severity, const char* kind) const {
    Diagnosis made;
    made.severity = severity;
    made.kind = kind;
    const SourcePlace& place = program_.place_of(row.sequence).place;
    made.file = place.file;
    made.line = place.line;
    return made;
  }
  void add(Diagnosis diagnosis) { found_.push_back(std::move(diagnosis)); }

  std::string name(const TapePlace& place) const {
    if (!place.variable.empty()) return place.variable;
    if (place.allocation != 0) return program_.name_of(place.allocation);
    if (place.kind == MemoryKind::host) return "host memory";
    return "memory";
  }

  SourcePlace kernel_place(const std::string& kernel) const {
    std::string bare = kernel.substr(0, kernel.find('<'));
    if (const size_t colon = bare.rfind("::"); colon != std::string::npos) bare.erase(0, colon + 2);
    const auto known = program_.kernels.find(bare);
    return known == program_.kernels.end() ? SourcePlace{} : known->second;
  }

  // --- kernels ------------------------------------------------------------------------------------------

  /// A pointer to host memory among the arguments of a launch that then touched what is nobody's.
  const TapePlace* host_argument(const TapeRow& row) const {
    for (const TapePlace& place : row.places)
      if (place.kind == MemoryKind::host || place.kind == MemoryKind::not_mapped) return &place;
    return nullptr;
  }

  void kernels() {
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

  void host_pointer(const TapeRow& row, const TapePlace& place, const Diagnosis& access) {
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
  bool was_tried(const std::string& kernel) const {
    return std::any_of(rows_.begin(), rows_.end(),
                       [&](const TapeRow& r) { return r.launch && r.launch->kernel == kernel; });
  }

  void never_launched() {
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
      made.hint =
          fmt::format("A kernel runs only when it is launched: {}<<<blocks, threads>>>(...);", kernel);
      add(std::move(made));
    }
    // The same mistake is not told twice.
    for (const TapeRow& row : rows_)
      if (copies(row) && row.direction == CopyDirection::device_to_host && row.never_written == row.bytes)
        explained_.insert(row.sequence);
  }

  // --- copies -------------------------------------------------------------------------------------------

  void wrong_direction(const TapeRow& row) {
    if (row.code == 0 || row.reports != 0 || row.injected || !copies(row)) return;
    const TapePlace *to = target_of(row), *from = source_of(row);
    if (to == nullptr || from == nullptr) return;
    const std::string kind = argument_of(row, "kind");
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

  void too_large(const TapeRow& row) {
    if (row.code == 0 || row.reports != 0 || row.injected) return;
    for (const TapePlace* place : {target_of(row), source_of(row)}) {
      if (place == nullptr || place->size == 0 || (place->allocation == 0 && place->variable.empty()))
        continue;
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

  void read_before_write(const TapeRow& row) {
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

  void host_fault(const TapeRow& row) {
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

  // --- memory -------------------------------------------------------------------------------------------

  void double_free(const TapeRow& row) {
    if (row.code == 0 || row.reports != 0 || row.injected || row.places.empty()) return;
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

  void leaks() {
    if (program_.exit != 0 || has_errors(found_))
      return;  // a program that gives up cannot be asked to tidy up
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

  // --- errors and time ----------------------------------------------------------------------------------

  void unchecked_errors() {
    for (const TapeRow& end : rows_) {
      if (!end.end) continue;
      for (const TapeEnd::Unread& unread : end.end->unread) {
        const TapeRow* row = program_.tape.row(unread.row);
        if (row == nullptr || !program_.place_of(row->sequence).folded.empty()) continue;
        // What a call returned directly may have been looked at; a program that then gives up has done so.
        const bool returned = !row->launch && row->reports == 0;
        if (returned && program_.exit != 0) continue;
        // What the call itself does wrong is told already.
        const SourcePlace& place = program_.place_of(row->sequence).place;
        const bool told = std::any_of(found_.begin(), found_.end(), [&](const Diagnosis& d) {
          return d.severity == Severity::error && d.line == place.line && d.file == place.file;
        });
        if (returned && told) continue;
        Diagnosis made = at(*row, returned ? Severity::warning : Severity::error, "unchecked-error");
        made.message =
            row->launch ? fmt::format("the launch of {} fails with {}, and the program never asks",
                                      row->launch->kernel, unread.name)
                        : fmt::format("{} fails with {}, and the program never asks", row->call, unread.name);
        if (!row->note.empty()) made.message += ": " + row->note;
        made.hint = row->launch
                        ? "After a launch ask cudaGetLastError(), and look at what cudaDeviceSynchronize() "
                          "returns: a launch itself returns nothing."
                        : "Look at what every call returns: a later cudaGetLastError() tells as well.";
        made.access = row->launch ? "launch" : "call";
        add(std::move(made));
      }
    }
  }

  void event_misuse(const TapeRow& row) {
    if (row.code == 0 || row.reports != 0 || row.injected) return;
    if (row.code == not_ready && row.call == "cudaEventQuery") return;  // an answer, no error
    if (row.code != not_ready && row.code != invalid_handle && row.code != invalid_value) return;
    Diagnosis made = at(row, Severity::error, "event-misuse");
    made.access = "call";
    if (row.code == not_ready) {
      made.message = fmt::format("{} asks for the time before both events have happened", row.call);
      made.hint = "Wait for the second event first: cudaEventSynchronize(stop).";
    } else if (row.call == "cudaEventElapsedTime") {
      made.message = "cudaEventElapsedTime is given an event that was never recorded";
      made.hint = "Record both events in the stream, before and behind what is to be timed.";
    } else {
      made.message = fmt::format("{} is given an event that does not exist (any more)", row.call);
      made.hint = "Create it with cudaEventCreate first, and destroy it last.";
    }
    if (!row.note.empty()) made.message += ": " + row.note;
    add(std::move(made));
  }

  /// A clock of the host read before and behind a launch, with nothing between that waits for the kernel:
  /// what the two readings enclose is the launch's call and not its work.
  void timing() {
    for (size_t i = 0; i < rows_.size(); ++i) {
      const TapeRow& row = rows_[i];
      if (!row.launch || i >= program_.places.size()) continue;
      const RowPlace& where = program_.places[i];
      const auto clocks = program_.clocks.find(where.place.file);
      if (where.place.line <= 0 || clocks == program_.clocks.end()) continue;
      const std::vector<int>& lines = clocks->second;
      const auto behind = std::upper_bound(lines.begin(), lines.end(), where.place.line);
      if (behind == lines.begin() || behind == lines.end() || *std::prev(behind) == where.place.line)
        continue;
      bool waits = false, read = false;
      for (size_t k = i + 1; k < rows_.size() && !waits && !read; ++k) {
        const SourcePlace& next = program_.places[k].place;
        const bool here = program_.places[k].function == where.function && next.file == where.place.file;
        if (here && next.line >= *behind && next.line > where.place.line) read = true;
        waits = !read && rows_[k].waits;
      }
      if (waits || !read || timed_.count({where.place.file, *behind}) != 0) continue;
      timed_.insert({where.place.file, *behind});
      Diagnosis made;
      made.severity = Severity::warning;
      made.kind = "timing-without-sync";
      made.file = where.place.file;
      made.line = *behind;
      made.access = "call";
      made.message =
          fmt::format("the clock is read while {} may still run: nothing since line {} waits for it",
                      row.launch->kernel, where.place.line);
      made.hint =
          "A launch returns at once. Call cudaDeviceSynchronize() before the second reading, or time with "
          "events.";
      made.other = Diagnosis::Other{where.place.line, "launch", {}, {}};
      add(std::move(made));
    }
  }

  // --- what is not here ---------------------------------------------------------------------------------

  void not_modelled_call(const TapeRow& row) {
    if (row.code != not_modelled) return;
    Diagnosis made = at(row, Severity::error, "unsupported");
    made.access = "call";
    made.message = fmt::format(
        "{} is a call that Warpbook's runtime does not know yet; it returned cudaErrorNotSupported",
        row.call);
    made.hint = "On a machine with a GPU the same program runs on NVIDIA's runtime.";
    add(std::move(made));
  }

  void module_problem(const TapeRow& row) {
    Diagnosis made = at(row, Severity::error, "unsupported");
    made.message = row.module->problem;
    add(std::move(made));
  }

  const HostProgram& program_;
  const std::vector<TapeRow>& rows_;
  std::vector<Diagnosis> found_;
  std::set<uint64_t> explained_;  ///< copies whose mistake another finding tells already
  std::set<std::pair<std::string, int>> timed_;
};

}  // namespace

std::vector<Diagnosis> findings_of(const HostProgram& program) { return Finder(program).all(); }

}  // namespace warpbook
