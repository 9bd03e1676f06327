// The conformance table for people and for scripts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "lab/conform.h"
#include "lab/paint.h"

namespace warpbook {

namespace {

using Json = nlohmann::ordered_json;
using Status = ConformRow::Status;

const char* word_of(Status status) {
  switch (status) {
    case Status::same: return "same";
    case Status::within_bounds: return "within-bounds";
    case Status::different: return "different";
    case Status::not_run: return "not-run";
  }
  return "";
}

/// Groups and families in the order of their first row.
struct Tally {
  std::string group, family;
  std::map<Status, int> count;
  double largest_error = 0;
};

std::vector<Tally> tallies_of(const ConformReport& report) {
  std::vector<Tally> tallies;
  for (const ConformRow& row : report.rows) {
    auto at = std::find_if(tallies.begin(), tallies.end(),
                           [&](const Tally& t) { return t.group == row.group && t.family == row.family; });
    if (at == tallies.end()) at = tallies.insert(tallies.end(), {row.group, row.family, {}, 0});
    ++at->count[row.status];
    if (std::isfinite(row.largest_error)) at->largest_error = std::max(at->largest_error, row.largest_error);
  }
  return tallies;
}

}  // namespace

std::string conform_as_text(const ConformReport& report, bool colour) {
  const Paint paint{colour};
  std::string text = fmt::format("The emulator against the {} (driver {})\n\n", report.device, report.driver);
  text += fmt::format("{:<14}{:<18}{:>6}{:>8}{:>11}{:>9}  {}\n", "group", "family", "same", "bounds",
                      "different", "not run", "largest error");
  for (const Tally& t : tallies_of(report)) {
    const auto of = [&](Status status) {
      const auto found = t.count.find(status);
      return found == t.count.end() ? 0 : found->second;
    };
    text += fmt::format("{:<14}{:<18}{:>6}{:>8}{:>11}{:>9}  {}\n", t.group, t.family, of(Status::same),
                        of(Status::within_bounds), of(Status::different), of(Status::not_run),
                        t.largest_error > 0 ? fmt::format("{:.2g}", t.largest_error) : "");
  }
  for (const ConformRow& row : report.rows) {
    if (row.status != Status::different && row.status != Status::not_run) continue;
    text += fmt::format("\n{}: {} {}\n  {}\n",
                        row.status == Status::different ? paint.bad("different") : paint.warn("not run"),
                        row.family.empty() ? row.group : row.family, row.name, row.detail);
  }
  const auto count = [&](Status status) {
    return std::count_if(report.rows.begin(), report.rows.end(),
                         [&](const ConformRow& row) { return row.status == status; });
  };
  text += fmt::format("\n{} kernels: {} the same bit for bit, {} within bounds, {} different, {} not run\n",
                      report.rows.size(), count(Status::same), count(Status::within_bounds),
                      count(Status::different), count(Status::not_run));
  return text;
}

std::string conform_as_json(const ConformReport& report) {
  Json out;
  out["device"] = report.device;
  out["driver"] = report.driver;
  out["passed"] = report.passed();
  out["counts"] = {{"same", 0}, {"within-bounds", 0}, {"different", 0}, {"not-run", 0}};
  out["rows"] = Json::array();
  for (const ConformRow& row : report.rows) {
    const std::string status = word_of(row.status);
    out["counts"][status] = out["counts"][status].get<int>() + 1;
    Json one;
    one["group"] = row.group;
    one["family"] = row.family;
    one["name"] = row.name;
    one["status"] = status;
    one["detail"] = row.detail.empty() ? Json(nullptr) : Json(row.detail);
    one["largest_error"] = std::isfinite(row.largest_error) ? Json(row.largest_error) : Json(nullptr);
    out["rows"].push_back(std::move(one));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpbook
