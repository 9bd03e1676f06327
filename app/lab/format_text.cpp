// A check for people: a line a check, the diagnoses under it, the verdict last.
#include <fmt/format.h>

#include <set>
#include <tuple>

#include "base/text.h"
#include "lab/formats.h"
#include "lab/paint.h"

namespace warpbook {

std::string checks_as_text(const std::vector<CheckReport>& reports, const TextStyle& style) {
  const Paint paint{style.colour};
  std::string text;
  int passed = 0;
  for (const CheckReport& report : reports) {
    text += fmt::format("{}/{}: {} (seed {})\n", report.lesson, report.exercise, report.file, report.seed);
    std::set<std::tuple<std::string, int, std::string>> shown;
    for (const CheckRow& row : report.rows) {
      const std::string mark = row.passed    ? paint.good("pass")
                               : row.skipped ? paint.quiet("skip")
                                             : paint.bad("fail");
      text += fmt::format("  {}  {}: {}\n", mark, row_name(row), row.message);
      if (row.passed) continue;
      for (const Diagnosis& diagnosis : row.diagnostics) {
        // What failed the results fails no-diagnoses as well; once is enough.
        if (!shown.emplace(diagnosis.kind, diagnosis.line, diagnosis.buffer).second) continue;
        const std::string story = diagnosis_as_text(diagnosis, report.source, style);
        for (std::string_view line : lines_of(story)) text += fmt::format("        {}\n", line);
      }
    }
    text += report.passed ? paint.good("Passed") : paint.bad("Not passed");
    text += fmt::format(" in {:.1f} s.\n", report.seconds);
    passed += report.passed;
  }
  if (reports.size() > 1) text += fmt::format("{} of {} passed.\n", passed, reports.size());
  return text;
}

}  // namespace warpbook
