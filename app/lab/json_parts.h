#pragma once
// Results as JSON values, shared by the writers. For .cpp files of lab only, which see nlohmann/json
// themselves.
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "lab/check.h"
#include "result/diagnosis.h"
#include "result/launch.h"

namespace warpbook {

/// null where there is nothing: an absent number or one that JSON cannot write, an empty text.
nlohmann::ordered_json or_null(const std::optional<double>& value);
nlohmann::ordered_json or_null(const std::string& text);

nlohmann::ordered_json json_of(const Dim3& size);
nlohmann::ordered_json json_of(const Diagnosis& diagnosis);
nlohmann::ordered_json json_of(const CheckReport& report);
/// Indented text; bytes that are no UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& value);

}  // namespace warpbook
