#include "lab/schedules.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpbook {

namespace {

/// Warp instructions of one launch that nobody limited: some ten seconds of arithmetic on a slow machine.
/// Kernels that are slower to emulate meet max_seconds first.
constexpr uint64_t default_instruction_limit = 2'000'000'000;

}  // namespace

RunOptions run_options(const RunRequest& request, const Schedule& schedule, std::chrono::milliseconds left,
                       const RunProgress* progress) {
  RunOptions out;
  out.level = request.level;
  out.order = schedule.order;
  out.seed = schedule.seed;
  out.threads = request.threads;
  out.max_instructions = request.max_instructions ? request.max_instructions : default_instruction_limit;
  out.max_time = std::max(left, std::chrono::milliseconds(1));
  out.stop = progress ? &progress->stop : nullptr;
  out.stack_bytes = request.stack_bytes;
  out.write_maps = request.write_maps;
  out.per_warp = request.per_warp;
  out.record = request.record;
  out.record_block = request.record_block;
  return out;
}

Schedule schedule_numbered(uint64_t seed) {
  switch (seed) {
    case 0: return {Order::forward, seed};
    case 1: return {Order::reverse, seed};
    case 2: return {Order::round_robin, seed};
    default: return {Order::shuffled, seed};
  }
}

std::string name_of(const Schedule& schedule) {
  switch (schedule.order) {
    case Order::forward: return "blocks and warps one after the other";
    case Order::reverse: return "blocks and warps in reverse order";
    case Order::round_robin: return "warps in turns of a few instructions";
    case Order::shuffled: return "blocks and warps shuffled";
  }
  return {};
}

std::optional<Difference> first_difference(const std::vector<Output>& first,
                                           const std::vector<Output>& other) {
  for (size_t i = 0; i < first.size() && i < other.size(); ++i) {
    const Output& a = first[i];
    const Output& b = other[i];
    const auto place = std::mismatch(a.data.begin(), a.data.end(), b.data.begin(), b.data.end());
    if (place.first == a.data.end()) continue;
    const auto element = uint64_t(place.first - a.data.begin()) / bytes_of(a.type);
    return Difference{a.name, a.type, element, element_as_text(a.type, a.data.data(), element),
                      element_as_text(b.type, b.data.data(), element)};
  }
  return std::nullopt;
}

Diagnosis schedule_dependent(const Difference& difference, uint64_t first_seed, uint64_t other_seed,
                             int different, int tried) {
  Diagnosis d;
  d.severity = Severity::warning;
  d.kind = "schedule-dependent";
  d.buffer = difference.buffer;
  d.index = int64_t(difference.index);
  d.bytes = bytes_of(difference.type);
  d.message = fmt::format(
      "The result depends on the order in which threads run: {}[{}] is {} with --seed {} ({}) and {} with "
      "--seed "
      "{} ({}); {} of {} orders differ from the first.",
      difference.buffer, difference.index, difference.first, first_seed,
      name_of(schedule_numbered(first_seed)), difference.other, other_seed,
      name_of(schedule_numbered(other_seed)), different, tried);
  d.hint =
      "Nothing orders blocks, and within a block only barriers order warps. Where atomics add up floats, or "
      "hand "
      "out places, the order shows even without a race.";
  return d;
}

}  // namespace warpbook
