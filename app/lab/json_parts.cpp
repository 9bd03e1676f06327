#include "lab/json_parts.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace warpbook {

using Json = nlohmann::ordered_json;

namespace {

Json count_or_null(int64_t number) { return number == 0 ? Json(nullptr) : Json(number); }
Json place_or_null(const std::optional<Dim3>& place) { return place ? json_of(*place) : Json(nullptr); }

}  // namespace

Json or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json json_of(const Dim3& size) { return Json::array({size.x, size.y, size.z}); }

Json json_of(const Diagnosis& d) {
  Json out;
  out["severity"] = std::string(name_of(d.severity));
  out["kind"] = d.kind;
  out["message"] = d.message;
  out["file"] = or_null(d.file);
  out["line"] = count_or_null(d.line);
  out["column"] = count_or_null(d.column);
  out["access"] = or_null(d.access);
  out["space"] = or_null(d.space);
  out["buffer"] = or_null(d.buffer);
  out["index"] = d.index ? Json(*d.index) : Json(nullptr);
  out["element"] = or_null(d.element);
  out["elements"] = d.elements ? Json(d.elements) : Json(nullptr);
  out["bytes"] = count_or_null(d.bytes);
  out["block"] = place_or_null(d.block);
  out["thread"] = place_or_null(d.thread);
  out["threads"] = or_null(d.threads);
  // An object even when there is no other place, so that readers may look into it.
  Json other = Json::object();
  if (d.other) {
    other["line"] = count_or_null(d.other->line);
    other["access"] = or_null(d.other->access);
    other["block"] = place_or_null(d.other->block);
    other["thread"] = place_or_null(d.other->thread);
  }
  out["other"] = std::move(other);
  out["count"] = d.count;
  Json variables = Json::object();
  for (const auto& variable : d.variables) variables[variable.name] = variable.value;
  out["variables"] = std::move(variables);
  out["hint"] = or_null(d.hint);
  return out;
}

Json json_of(const CheckReport& report) {
  Json out;
  out["lesson"] = report.lesson;
  out["exercise"] = report.exercise;
  out["file"] = report.file;
  out["seed"] = report.seed;
  out["passed"] = report.passed;
  out["exit_code"] = report.exit_code;
  out["seconds"] = report.seconds;
  out["checks"] = Json::array();
  for (const CheckRow& row : report.rows) {
    Json one;
    one["check"] = row.check;
    one["name"] = or_null(row.name);
    one["status"] = row.passed ? "passed" : row.skipped ? "skipped" : "failed";
    one["message"] = row.message;
    one["mismatch"] = nullptr;
    if (row.mismatch) {
      Json mismatch;
      mismatch["buffer"] = row.mismatch->buffer;
      mismatch["index"] = row.mismatch->index;
      mismatch["expected"] = row.mismatch->expected;
      mismatch["got"] = row.mismatch->got;
      mismatch["block"] = place_or_null(row.mismatch->block);
      mismatch["thread"] = place_or_null(row.mismatch->thread);
      mismatch["sizes"] = row.mismatch->sizes;
      one["mismatch"] = std::move(mismatch);
    }
    one["diagnostics"] = Json::array();
    for (const Diagnosis& diagnosis : row.diagnostics) one["diagnostics"].push_back(json_of(diagnosis));
    out["checks"].push_back(std::move(one));
  }
  return out;
}

std::string json_text(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpbook
