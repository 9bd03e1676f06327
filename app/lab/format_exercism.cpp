// Exercism's results.json, version 2 of the test runner interface with per-test results.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "lab/formats.h"
#include "lab/json_parts.h"

namespace warpbook {

std::string checks_as_exercism(const std::vector<CheckReport>& reports, const TextStyle&) {
  using Json = nlohmann::ordered_json;
  /// The interface's own bound on messages.
  constexpr size_t most = 65535;
  Json out;
  out["version"] = 2;
  out["status"] = "pass";
  Json tests = Json::array();
  // An error is that nothing was executed at all.
  const bool nothing_ran =
      !reports.empty() && std::all_of(reports.begin(), reports.end(),
                                      [](const CheckReport& report) { return report.exit_code == 2; });
  if (nothing_ran) {
    out["status"] = "error";
    out["message"] = row_as_text(reports.front().rows.front()).substr(0, most);
  }
  for (const CheckReport& report : reports) {
    if (!report.passed && !nothing_ran) out["status"] = "fail";
    for (const CheckRow& row : report.rows) {
      Json test;
      test["name"] = row_name(row);
      test["status"] = row.passed ? "pass" : row.skipped ? "error" : "fail";
      if (!row.passed) test["message"] = row_as_text(row).substr(0, most);
      tests.push_back(std::move(test));
    }
  }
  out["tests"] = std::move(tests);
  return json_text(out);
}

}  // namespace warpbook
