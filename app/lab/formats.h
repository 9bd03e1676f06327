#pragma once
// One function a check format; check_formats() is their table.
#include <string>
#include <vector>

#include "lab/report.h"

namespace warpbook {

std::string checks_as_text(const std::vector<CheckReport>& reports, const TextStyle& style);
std::string checks_as_json(const std::vector<CheckReport>& reports, const TextStyle& style);
std::string checks_as_junit(const std::vector<CheckReport>& reports, const TextStyle& style);
std::string checks_as_gradescope(const std::vector<CheckReport>& reports, const TextStyle& style);
std::string checks_as_exercism(const std::vector<CheckReport>& reports, const TextStyle& style);
std::string checks_as_csv(const std::vector<CheckReport>& reports, const TextStyle& style);

/// A row's whole story in plain text: message, then diagnoses.
std::string row_as_text(const CheckRow& row);
/// "counter global_store_requests", "results".
std::string row_name(const CheckRow& row);

}  // namespace warpbook
