// One row a check, each a function of the runs.
#include "lab/program_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/complaint.h"
#include "base/text.h"
#include "lab/checker.h"
#include "lab/tape_report.h"

namespace warpbook {

namespace {

constexpr double seconds_a_run = 20;

std::string arguments_words(const std::vector<std::string>& arguments) {
  return arguments.empty() ? std::string{} : fmt::format(" (with the arguments {})", join(arguments, " "));
}

/// Lines without blanks at their ends: how a program ends its lines is no matter.
std::vector<std::string> printed_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string_view line : lines_of(text)) {
    const size_t last = line.find_last_not_of(" \t\r");
    lines.emplace_back(last == std::string_view::npos ? std::string_view{} : line.substr(0, last + 1));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

bool same_output(const RunResult& a, const RunResult& b) {
  return a.program && b.program && printed_lines(a.program->out) == printed_lines(b.program->out);
}

/// How a program ended, when that was not well.
std::string bad_end(const RunResult& result) {
  return result.program ? bad_ending(*result.program) : "it does not compile";
}

/// Bytes copied in each direction, in all.
std::array<uint64_t, 5> copied(const HostProgram& program) {
  std::array<uint64_t, 5> bytes{};
  for (const TapeRow& row : program.tape.rows)
    if (row.code == 0 && size_t(row.direction) < bytes.size()) bytes[size_t(row.direction)] += row.bytes;
  return bytes;
}

bool matches(const TapeRow& row, std::string_view wanted) {
  if (row.in_progress || row.code != 0) return false;
  if (wanted == "launch") return row.launch.has_value();
  constexpr std::string_view launch = "launch ";
  if (starts_with(wanted, launch)) {
    const std::string kernel = row.launch ? row.launch->kernel.substr(0, row.launch->kernel.find('<')) : "";
    return row.launch && kernel == wanted.substr(launch.size());
  }
  const size_t blank = wanted.find(' ');
  if (row.call != wanted.substr(0, blank)) return false;
  return blank == std::string_view::npos || name_of(row.direction) == wanted.substr(blank + 1);
}

}  // namespace

std::string missing_call(const HostProgram& program, const std::vector<std::string>& order) {
  const auto& rows = program.tape.rows;
  auto from = rows.begin();
  for (size_t i = 0; i < order.size(); ++i) {
    const auto fits = [&](const TapeRow& row) { return matches(row, order[i]); };
    const auto at = std::find_if(from, rows.end(), fits);
    if (at != rows.end()) {
      from = at + 1;
      continue;
    }
    if (std::any_of(rows.begin(), from, fits))
      return fmt::format("{} comes too early: it belongs behind {}", order[i], order[i - 1]);
    return i == 0 ? fmt::format("{} is missing", order[i])
                  : fmt::format("{} is missing behind {}", order[i], order[i - 1]);
  }
  return {};
}

ProgramChecker::ProgramChecker(Session& session, const Lesson& lesson, const Exercise& exercise,
                               CheckProgress* progress)
    : session_(session), lesson_(lesson), exercise_(exercise), progress_(progress) {}

Result<RunResult> ProgramChecker::run(const std::string& source, const std::string& file,
                                      const std::vector<std::string>& arguments, const std::string& fail,
                                      bool null_kernels) {
  RunRequest request;
  request.source = source;
  request.file = file;
  request.folder = lesson_.kernels.string();
  request.max_seconds = seconds_a_run;
  request.program.emplace();
  request.program->arguments = arguments;
  request.program->fail = fail;
  request.program->null_kernels = null_kernels;
  request.program->idle_seconds = seconds_a_run / 2;
  auto result = run_program(session_, request, progress_ ? &progress_->run : nullptr);
  if (progress_) ++progress_->done;
  return result;
}

Result<Done> ProgramChecker::prepare() {
  if (const std::string missing = programs_missing(session_); !missing.empty())
    return complaint(Trouble::not_found, missing);
  const Path path = exercise_folder(lesson_, exercise_) / "solution.cu";
  const auto source = read_file(path, 8u << 20);
  if (!source) return source.error();
  if (progress_) progress_->total = int(2 * exercise_.runs.size() + 1);
  for (const auto& arguments : exercise_.runs) {
    auto result = run(*source, path.string(), arguments, {}, false);
    if (!result) return result.error();
    if (result->status != "ok") {
      const Diagnosis* first = result->diagnostics.empty() ? nullptr : &result->diagnostics.front();
      return complaint(fmt::format("the exercise's own solution.cu is broken: {}",
                                   first ? first->message : bad_end(*result)),
                       {}, {path.string(), first ? first->line : 0, 0});
    }
    oracle_.push_back(std::move(*result));
  }
  return Done{};
}

CheckRow ProgramChecker::output_row(const std::vector<RunResult>& runs) const {
  CheckRow row;
  row.check = "output";
  for (size_t i = 0; i < runs.size(); ++i) {
    const std::string with = arguments_words(exercise_.runs[i]);
    if (const std::string end = bad_end(runs[i]); !end.empty()) {
      row.message = fmt::format("The program did not come to a good end: {}{}.", end, with);
      for (const Diagnosis& diagnosis : runs[i].diagnostics)
        if (diagnosis.severity == Severity::error) row.diagnostics.push_back(diagnosis);
      return row;
    }
    const auto got = printed_lines(runs[i].program->out), wanted = printed_lines(oracle_[i].program->out);
    for (size_t line = 0; line < std::max(got.size(), wanted.size()); ++line) {
      const std::string g = line < got.size() ? got[line] : "nothing more";
      const std::string w = line < wanted.size() ? wanted[line] : "nothing more";
      if (g == w) continue;
      row.message =
          fmt::format("Line {} of what it prints is \"{}\", but should be \"{}\"{}.", line + 1, g, w, with);
      row.mismatch = Mismatch{"stdout", line, w, g, {}, {}, join(exercise_.runs[i], " ")};
      return row;
    }
  }
  row.passed = true;
  row.message =
      fmt::format("It prints what it should in {} run{}.", runs.size(), runs.size() == 1 ? "" : "s");
  return row;
}

CheckRow ProgramChecker::calls_row(const std::vector<RunResult>& runs, const Check& check) const {
  CheckRow row;
  row.check = "calls";
  for (const RunResult& result : runs) {
    if (!result.program) continue;
    const std::string missing = missing_call(*result.program, check.order);
    if (missing.empty()) continue;
    row.message = fmt::format("In the order of the calls {}.", missing);
    return row;
  }
  row.passed = true;
  row.message = fmt::format("The calls come in their order: {}.", join(check.order, ", "));
  return row;
}

CheckRow ProgramChecker::sizes_row(const std::vector<RunResult>& runs) const {
  CheckRow row;
  row.check = "sizes";
  for (size_t i = 0; i < runs.size(); ++i) {
    const auto got = copied(*runs[i].program), wanted = copied(*oracle_[i].program);
    for (size_t d = 1; d < got.size(); ++d) {
      if (got[d] == wanted[d]) continue;
      row.message = fmt::format("{} bytes are copied {}, but {} are what it takes{}.", with_thousands(got[d]),
                                name_of(CopyDirection(d)), with_thousands(wanted[d]),
                                arguments_words(exercise_.runs[i]));
      return row;
    }
  }
  row.passed = true;
  row.message = "Every copy moves as many bytes as it takes.";
  return row;
}

CheckRow ProgramChecker::diagnoses_row(const std::vector<RunResult>& runs) const {
  CheckRow row;
  row.check = "no-diagnoses";
  for (const RunResult& result : runs)
    for (const Diagnosis& diagnosis : result.diagnostics)
      if (diagnosis.severity != Severity::note) row.diagnostics.push_back(diagnosis);
  row.diagnostics = merge(std::move(row.diagnostics));
  row.passed = row.diagnostics.empty();
  row.message = row.passed ? std::string("Nothing is found on the tape and in the kernels.")
                           : fmt::format("{}.", row.diagnostics.front().message);
  return row;
}

/// A program that prints the right thing with kernels that do nothing has not used them.
Result<CheckRow> ProgramChecker::kernels_row(const std::string& source, const std::string& file,
                                             const RunResult& first) {
  CheckRow row;
  row.check = "kernels";
  const auto result = run(source, file, exercise_.runs.front(), {}, true);
  if (!result) return result.error();
  row.passed = !same_output(*result, first);
  row.message = row.passed ? "What it prints comes from its kernels."
                           : "It prints the same when its kernels do nothing, so the host computes it.";
  return row;
}

Result<CheckRow> ProgramChecker::survives_row(const std::string& source, const std::string& file,
                                              const Check& check) {
  CheckRow row;
  row.check = "survives";
  row.name = check.name;
  const auto result = run(source, file, exercise_.runs.front(), check.name, false);
  if (!result) return result.error();
  const auto parts = split(check.name, ':');
  const std::string what = fmt::format("When call {} of {} fails", parts[1], parts[0]);
  const HostProgram& program = *result->program;
  const bool reached = std::any_of(program.tape.rows.begin(), program.tape.rows.end(),
                                   [](const TapeRow& one) { return one.injected; });
  if (!reached) {
    row.message =
        fmt::format("{} is not called {} times, so its failure could not be tried.", parts[0], parts[1]);
  } else if (!program.stopped.empty() || program.signal != 0) {
    row.message = fmt::format("{}, the program {}.", what, program.signal != 0 ? "crashes" : "hangs");
  } else if (program.exit == 0) {
    row.message = fmt::format("{}, the program ends with exit code 0 as if all were well.", what);
  } else if (program.err.empty() && program.out.empty()) {
    row.message = fmt::format("{}, the program ends without a word.", what);
  } else {
    row.passed = true;
    row.message = fmt::format("{}, the program says so and ends with exit code {}.", what, program.exit);
  }
  return row;
}

Result<CheckReport> ProgramChecker::check(const std::string& source, const std::string& file) {
  const Clock::time_point start = Clock::now();
  CheckReport report = report_of(lesson_, exercise_, source, file);
  std::vector<RunResult> runs;
  for (const auto& arguments : exercise_.runs) {
    auto result = run(source, file, arguments, {}, false);
    if (!result) return result.error();
    runs.push_back(std::move(*result));
    if (!runs.back().program) break;
  }
  CheckRow compiles;
  compiles.check = "compiles";
  compiles.passed = runs.back().program != nullptr;
  compiles.message = compiles.passed ? "The program compiles and links." : "The program does not compile.";
  if (!compiles.passed) {
    compiles.diagnostics = runs.back().diagnostics;
    report.rows.push_back(std::move(compiles));
    report.exit_code = 2;
    skip_checks(report, exercise_);
    return finished(std::move(report), start);
  }
  report.rows.push_back(std::move(compiles));
  if (std::any_of(runs.begin(), runs.end(), [](const RunResult& r) { return r.status == "limit"; }))
    report.exit_code = 3;
  for (const Check& check : exercise_.checks) {
    if (check.check == "output") {
      report.rows.push_back(output_row(runs));
      if (!report.rows.back().passed) continue;
      auto kernels = kernels_row(source, file, runs.front());
      if (!kernels) return kernels.error();
      report.rows.push_back(std::move(*kernels));
    } else if (check.check == "calls") {
      report.rows.push_back(calls_row(runs, check));
    } else if (check.check == "sizes") {
      report.rows.push_back(sizes_row(runs));
    } else if (check.check == "no-diagnoses") {
      report.rows.push_back(diagnoses_row(runs));
    } else if (check.check == "survives") {
      auto row = survives_row(source, file, check);
      if (!row) return row.error();
      report.rows.push_back(std::move(*row));
    } else {
      return complaint(fmt::format("exercise {}: there is no check called {}", exercise_.name, check.check));
    }
  }
  return finished(std::move(report), start);
}

}  // namespace warpbook
