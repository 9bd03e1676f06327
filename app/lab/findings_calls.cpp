// Findings about calls: errors that nobody read, events, clocks that wait for nothing, and what is not here.
#include <fmt/format.h>

#include <algorithm>

#include "lab/finder.h"

namespace warpbook {

namespace {

// cudaError_t of the runtime's header driver_types.h.
constexpr int invalid_value = 1, not_ready = 600, invalid_handle = 400, not_modelled = 801;

}  // namespace

void Finder::unchecked_errors() {
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

void Finder::event_misuse(const TapeRow& row) {
  if (!failed_itself(row)) return;
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
void Finder::timing() {
  for (size_t i = 0; i < rows_.size(); ++i) {
    const TapeRow& row = rows_[i];
    if (!row.launch || i >= program_.places.size()) continue;
    const RowPlace& where = program_.places[i];
    const auto clocks = program_.clocks.find(where.place.file);
    if (where.place.line <= 0 || clocks == program_.clocks.end()) continue;
    const std::vector<int>& lines = clocks->second;
    const auto behind = std::upper_bound(lines.begin(), lines.end(), where.place.line);
    if (behind == lines.begin() || behind == lines.end() || *std::prev(behind) == where.place.line) continue;
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
    made.message = fmt::format("the clock is read while {} may still run: nothing since line {} waits for it",
                               row.launch->kernel, where.place.line);
    made.hint =
        "A launch returns at once. Call cudaDeviceSynchronize() before the second reading, or time with "
        "events.";
    made.other = Diagnosis::Other{where.place.line, "launch", {}, {}};
    add(std::move(made));
  }
}

void Finder::not_modelled_call(const TapeRow& row) {
  if (row.code != not_modelled) return;
  Diagnosis made = at(row, Severity::error, "unsupported");
  made.access = "call";
  made.message = fmt::format(
      "{} is a call that Warpbook's runtime does not know yet; it returned cudaErrorNotSupported", row.call);
  made.hint = "On a machine with a GPU the same program runs on NVIDIA's runtime.";
  add(std::move(made));
}

void Finder::module_problem(const TapeRow& row) {
  Diagnosis made = at(row, Severity::error, "unsupported");
  made.message = row.module->problem;
  add(std::move(made));
}

}  // namespace warpbook
