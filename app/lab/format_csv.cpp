// For spreadsheets (RFC 4180): a line for each file with check "all", and behind it a line for each of its
// checks.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lab/formats.h"

namespace warpbook {

namespace {

std::string cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  return fmt::format("\"{}\"", replace_all(text, "\"", "\"\""));
}

}  // namespace

std::string checks_as_csv(const std::vector<CheckReport>& reports, const TextStyle&) {
  std::string text = "lesson,exercise,file,passed,check,status,message\n";
  for (const CheckReport& report : reports) {
    const auto line = [&](const std::string& check, const char* status, const std::string& message) {
      text +=
          fmt::format("{},{},{},{},{},{},{}\n", cell(report.lesson), cell(report.exercise), cell(report.file),
                      report.passed ? "yes" : "no", cell(check), status, cell(message));
    };
    const auto passed =
        std::count_if(report.rows.begin(), report.rows.end(), [](const CheckRow& row) { return row.passed; });
    line("all", report.passed ? "passed" : "failed",
         fmt::format("{} of {} checks passed", passed, report.rows.size()));
    for (const CheckRow& row : report.rows)
      line(row_name(row), row.passed ? "passed" : row.skipped ? "skipped" : "failed", row.message);
  }
  return text;
}

}  // namespace warpbook
