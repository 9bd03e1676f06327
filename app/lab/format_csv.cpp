// One line a file and check, for spreadsheets (RFC 4180).
#include <fmt/format.h>

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
    for (const CheckRow& row : report.rows) {
      text += fmt::format("{},{},{},{},{},{},{}\n", cell(report.lesson), cell(report.exercise),
                          cell(report.file), report.passed ? "yes" : "no", cell(row_name(row)),
                          row.passed    ? "passed"
                          : row.skipped ? "skipped"
                                        : "failed",
                          cell(row.message));
    }
  }
  return text;
}

}  // namespace warpbook
