// A whole program for people: how it ended, what is wrong, and the host's story line by line.
#include <fmt/format.h>
#include <string.h>

#include <algorithm>

#include "base/text.h"
#include "lab/paint.h"
#include "lab/tape_report.h"

namespace warpbook {

namespace {

constexpr size_t most_lines = 60;
constexpr size_t most_diagnoses = 20;

std::string ending(const RunResult& result, const HostProgram& program, const Paint& paint) {
  if (const std::string bad = bad_ending(program); !bad.empty()) return paint.bad(bad);
  if (result.status == "ok") return paint.good("ok");
  return paint.bad(result.status == "limit" ? "a launch was stopped at its limit, with no cause found"
                                            : result.status);
}

std::string outcome_of(const HostProgram& program, const TapeRow& row, const Paint& paint) {
  std::vector<std::string> parts;
  if (row.in_progress) return paint.bad("did not return");
  if (row.code != 0) {
    std::string words = "= " + row.code_name;
    if (row.injected) words += " (made to fail)";
    if (row.reports != 0) {
      const SourcePlace& origin = program.place_of(row.reports).place;
      if (origin.line > 0) words += fmt::format(" (from line {})", origin.line);
    }
    parts.push_back(paint.bad(words));
  }
  if (row.launch) {
    const TapeLaunch& launch = *row.launch;
    if (launch.status != "ok") parts.push_back(paint.bad(launch.status));
    if (launch.repeats != 0) parts.push_back(paint.quiet("equal to one before, not executed again"));
  }
  if (row.end_ms > row.begin_ms)
    parts.push_back(paint.quiet(fmt::format("{:.3g} ms modelled", row.end_ms - row.begin_ms)));
  return join(parts, "  ");
}

std::string tape_text(const HostProgram& program, const Paint& paint) {
  const auto lines = tape_lines(program);
  if (lines.empty()) return paint.quiet("The program called nothing of CUDA.") + "\n";
  struct Shown {
    std::string line, words, outcome;
  };
  std::vector<Shown> shown;
  size_t width = 4;
  std::string file;
  for (size_t i = 0; i < lines.size() && i < most_lines; ++i) {
    const TapeLine& line = lines[i];
    const TapeRow& row = program.tape.rows[line.first];
    const SourcePlace& place = program.places[line.first].place;
    Shown one;
    one.line = place.line > 0 ? std::to_string(place.line) : "-";
    // Files are named where they change.
    if (place.line > 0 && place.file != file) {
      if (!file.empty() || i > 0)
        one.line = fmt::format("{}:{}", Path(place.file).filename().string(), place.line);
      file = place.file;
    }
    one.words =
        line.folded.empty() ? words_of(program, row) : fmt::format("{} calls of {}", line.rows, line.folded);
    if (line.times > 1) one.words += fmt::format("  x{}", with_thousands(line.times));
    one.outcome = line.folded.empty() ? outcome_of(program, row, paint) : std::string{};
    width = std::max(width, one.line.size());
    shown.push_back(std::move(one));
  }
  std::string text = fmt::format("{}\n", paint.quiet("tape: what the host asked of CUDA, by line"));
  for (const Shown& one : shown)
    text += fmt::format("  {:>{}}  {}{}{}\n", one.line, width, one.words, one.outcome.empty() ? "" : "  ",
                        one.outcome);
  if (lines.size() > most_lines)
    text += fmt::format("  ... and {} more (--json has all)\n", with_thousands(lines.size() - most_lines));
  return text;
}

}  // namespace

std::string bad_ending(const HostProgram& program) {
  if (!program.stopped.empty()) return "it was stopped: " + program.stopped;
  if (program.signal != 0) {
    std::string words = fmt::format("it crashed ({})", strsignal(program.signal));
    const auto& rows = program.tape.rows;
    const auto fault =
        std::find_if(rows.begin(), rows.end(), [](const TapeRow& r) { return r.fault.has_value(); });
    if (fault != rows.end()) {
      const SourcePlace& place = program.place_of(fault->sequence).place;
      if (place.line > 0) words += fmt::format(" at {}:{}", place.file, place.line);
    }
    return words;
  }
  return program.exit == 0 ? "" : fmt::format("it ended with exit code {}", program.exit);
}

std::string program_as_text(const RunResult& result, std::string_view source, const TextStyle& style) {
  const Paint paint{style.colour};
  const HostProgram& program = *result.program;
  std::string text =
      fmt::format("{} on the {} (limits of {}, {}): {}\n", Path(result.file).filename().string(),
                  result.engine, result.gpu, program.mode, ending(result, program, paint));
  for (size_t i = 0; i < result.diagnostics.size() && i < most_diagnoses; ++i) {
    const Diagnosis& diagnosis = result.diagnostics[i];
    text += "\n" +
            diagnosis_as_text(diagnosis, diagnosis.file == result.file ? source : std::string_view{}, style);
  }
  if (result.diagnostics.size() > most_diagnoses)
    text += fmt::format("\n... and {} more.\n", result.diagnostics.size() - most_diagnoses);
  text += "\n" + tape_text(program, paint);
  if (program.tape.truncated) text += paint.quiet("The tape stops in the middle of a call.") + "\n";
  text += "\n" +
          paint.quiet(fmt::format("build {:.1f} ms{}, run {:.1f} ms", program.build_ms,
                                  program.cached ? " (cached)" : "", program.run_ms)) +
          "\n";
  return text;
}

}  // namespace warpbook
