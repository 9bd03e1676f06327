// What the runs of an answer say, as one row a check.
#include <fmt/format.h>

#include <algorithm>

#include "base/complaint.h"
#include "base/text.h"
#include "lab/checker.h"
#include "lab/places.h"

namespace warpbook {

namespace {

std::string plural(uint64_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string told(const Mismatch& mismatch) {
  std::string text = fmt::format("{}[{}] is {}, but should be {} ({})", mismatch.buffer, mismatch.index,
                                 mismatch.got, mismatch.expected, mismatch.sizes);
  if (mismatch.block && mismatch.thread)
    text +=
        fmt::format("; thread {} of block {} wrote it", text_of(*mismatch.thread), text_of(*mismatch.block));
  else
    text += "; no thread wrote it";
  return text + ".";
}

}  // namespace

CheckReport report_of(const Lesson& lesson, const Exercise& exercise, const std::string& source,
                      const std::string& file) {
  CheckReport report;
  report.lesson = lesson.slug;
  report.exercise = exercise.name;
  report.file = file;
  report.source = source;
  return report;
}

void skip_checks(CheckReport& report, const Exercise& exercise) {
  for (const Check& check : exercise.checks) {
    CheckRow row;
    row.check = check.check;
    row.name = check.name;
    row.skipped = true;
    row.message = "Not tried.";
    report.rows.push_back(std::move(row));
  }
}

CheckReport finished(CheckReport report, Clock::time_point start) {
  report.passed =
      std::all_of(report.rows.begin(), report.rows.end(), [](const CheckRow& row) { return row.passed; });
  if (report.passed) report.exit_code = 0;
  report.seconds = seconds_since(start);
  return report;
}

CheckRow Checker::results_row(const Attempt& attempt, const Check&) {
  CheckRow row;
  row.check = "results";
  for (const Attempt::CaseRun& run : attempt.runs) {
    if (run.mismatch) {
      row.mismatch = run.mismatch;
      row.message = told(*run.mismatch);
      return row;
    }
    if (run.status == "ok") continue;
    row.message =
        run.status == "limit"
            ? fmt::format("The kernel did not come to an end within {} warp instructions ({}).",
                          with_thousands(options_for(run.index).max_instructions), cases_[run.index].label)
            : fmt::format("The kernel did not come to its end ({}).", cases_[run.index].label);
    for (const Diagnosis& diagnosis : attempt.diagnostics)
      if (diagnosis.severity == Severity::error) row.diagnostics.push_back(diagnosis);
    return row;
  }
  row.passed = true;
  row.message = fmt::format("Right in all {}.", plural(cases_.size(), "case"));
  return row;
}

CheckRow Checker::diagnoses_row(const Attempt& attempt) {
  CheckRow row;
  row.check = "no-diagnoses";
  for (const Diagnosis& diagnosis : attempt.diagnostics)
    if (diagnosis.severity != Severity::note) row.diagnostics.push_back(diagnosis);
  row.passed = row.diagnostics.empty() && !attempt.limit;
  row.message = !row.diagnostics.empty() ? plural(row.diagnostics.size(), "problem") + " found."
                : attempt.limit          ? "Not known: a run was stopped at its limit."
                                         : "Nothing to complain about.";
  return row;
}

Result<CheckRow> Checker::counter_row(const Attempt& attempt, const Check& check) {
  CheckRow row;
  row.check = "counter";
  row.name = check.name;
  double worst = 0;
  std::string where;
  for (const Attempt::CaseRun& run : attempt.runs) {
    if (run.status != "ok") {
      row.skipped = true;
      row.message = "Not counted: the kernel did not come to its end.";
      return row;
    }
    const auto value = counter_value(run.counters, check.name);
    if (!value)
      return complaint(fmt::format("exercise {}: there is no counter called {}", exercise_.name, check.name));
    const CheckCase& one = cases_[run.index];
    const auto bound = [&](const std::optional<double>& fixed,
                           const std::string& expression) -> Result<std::optional<double>> {
      if (expression.empty()) return fixed;
      const auto computed = evaluate(expression, one.values);
      if (!computed) return computed.error();
      return std::optional<double>(double(*computed));
    };
    const auto most = bound(check.at_most, check.at_most_expression);
    const auto least = bound(check.at_least, check.at_least_expression);
    if (!most) return most.error();
    if (!least) return least.error();
    if (*most && *value > **most) {
      row.message =
          fmt::format("{} is {:.6g}, but may be at most {:.6g} ({}).", check.name, *value, **most, one.label);
      return row;
    }
    if (*least && *value < **least) {
      row.message = fmt::format("{} is {:.6g}, but must be at least {:.6g} ({}).", check.name, *value,
                                **least, one.label);
      return row;
    }
    if (where.empty() || (*most && *value > worst) || (*least && *value < worst)) {
      worst = *value;
      where = one.label;
    }
  }
  row.passed = true;
  row.message = fmt::format("Within bounds everywhere; the closest is {:.6g} ({}).", worst, where);
  return row;
}

}  // namespace warpbook
