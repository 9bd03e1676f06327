// Merging of diagnoses: what many threads did wrong in one place is told once, by the first of them.
#include "result/diagnosis.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpbook {

namespace {

/// x fastest, so z decides first; a diagnosis without a place comes after those with one.
std::tuple<bool, uint32_t, uint32_t, uint32_t> order_of(const std::optional<Dim3>& index) {
  if (!index) return {true, 0, 0, 0};
  return {false, index->z, index->y, index->x};
}

bool is_lower(const Diagnosis& a, const Diagnosis& b) {
  return std::make_tuple(order_of(a.block), order_of(a.thread)) <
         std::make_tuple(order_of(b.block), order_of(b.thread));
}

/// Several on one line may have nothing to do with each other.
bool is_known_by_its_words(const Diagnosis& found) {
  static constexpr std::string_view kinds[] = {"compile-error", "compile-warning", "printf-arguments",
                                               "launch-advice"};
  return std::find(std::begin(kinds), std::end(kinds), found.kind) != std::end(kinds);
}

}  // namespace

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
  }
  return {};
}

std::vector<Diagnosis> merge(std::vector<Diagnosis> found) {
  using Key = std::tuple<std::string, int, std::string, std::string>;
  std::map<Key, size_t> place_of;
  std::vector<Diagnosis> merged;
  for (Diagnosis& next : found) {
    const Key key{next.kind, next.line, next.buffer,
                  is_known_by_its_words(next) ? next.file + ": " + next.message : ""};
    const auto [at, is_new] = place_of.try_emplace(key, merged.size());
    if (is_new) {
      merged.push_back(std::move(next));
      continue;
    }
    Diagnosis& kept = merged[at->second];
    const uint64_t count = kept.count + next.count;
    if (is_lower(next, kept)) kept = std::move(next);
    kept.count = count;
  }
  std::stable_sort(merged.begin(), merged.end(), [](const Diagnosis& a, const Diagnosis& b) {
    return std::tie(a.severity, a.line, a.column, a.kind, a.buffer) <
           std::tie(b.severity, b.line, b.column, b.kind, b.buffer);
  });
  return merged;
}

bool has_errors(const std::vector<Diagnosis>& found) {
  return std::any_of(found.begin(), found.end(),
                     [](const Diagnosis& d) { return d.severity == Severity::error; });
}

}  // namespace warpbook
