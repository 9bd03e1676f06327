// A check as JSON: the report itself, or a list of them where a folder was checked.
#include <nlohmann/json.hpp>

#include "lab/formats.h"
#include "lab/json_parts.h"

namespace warpbook {

std::string checks_as_json(const std::vector<CheckReport>& reports, const TextStyle&) {
  if (reports.size() == 1) return json_text(json_of(reports[0]));
  nlohmann::ordered_json out;
  out["passed"] = true;
  out["reports"] = nlohmann::ordered_json::array();
  for (const CheckReport& report : reports) {
    if (!report.passed) out["passed"] = false;
    out["reports"].push_back(json_of(report));
  }
  return json_text(out);
}

}  // namespace warpbook
