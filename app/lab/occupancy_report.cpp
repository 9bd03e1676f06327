#include "lab/occupancy_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "lab/json_parts.h"
#include "lab/paint.h"
#include "model/occupancy.h"

namespace warpbook {

namespace {

using Json = nlohmann::ordered_json;

std::string blocks_text(int64_t limit) {
  return limit >= no_limit ? std::string("no limit") : with_thousands(uint64_t(limit));
}

std::string change_text(const OccupancyChange& change) {
  const std::string what = change.input == "block_size" ? fmt::format("{} threads a block", change.value)
                           : change.input == "registers"
                               ? fmt::format("{} registers a thread", change.value)
                               : fmt::format("{} of dynamic shared memory", bytes_in_words(change.value));
  if (change.active_blocks == 0) return what + ": does not fit";
  return fmt::format("{}: {} {}, {} warps ({:.1f} %)", what, change.active_blocks,
                     change.active_blocks == 1 ? "block" : "blocks", change.active_warps, change.percent);
}

}  // namespace

Result<OccupancyReport> occupancy_report(const GpuSpec& gpu, const OccupancyQuestion& question) {
  const auto occupancy = occupancy_of(gpu, question);
  if (!occupancy) return occupancy.error();
  return OccupancyReport{gpu, question, *occupancy, occupancy_changes(gpu, question)};
}

std::string occupancy_as_text(const OccupancyReport& report, const TextStyle& style) {
  const Paint paint{style.colour};
  const Occupancy& o = report.occupancy;
  const OccupancyQuestion& q = report.question;
  const std::string row = report.gpu.sms ? fmt::format("{} (compute {})", report.gpu.name, report.gpu.compute)
                                         : "compute " + report.gpu.compute;
  std::string text =
      fmt::format("{}: {} threads a block, {} registers a thread, {} of shared memory a block\n", row,
                  q.block_size, q.registers, bytes_in_words(q.static_bytes + q.dynamic_bytes));
  const std::string words = limit_in_words(q, o);
  text += fmt::format("\n  {} {} an SM, {:.1f} % occupancy\n  {}\n", o.active_blocks,
                      o.active_blocks == 1 ? "block" : "blocks", o.percent,
                      o.active_blocks == 0 ? paint.bad(words) : words);
  text += fmt::format("\n{}\n", paint.quiet("room for blocks, by resource:"));
  const auto limit = [&](const char* name, const char* key, int64_t blocks, std::string why) {
    const bool holds = std::find(o.limiting.begin(), o.limiting.end(), key) != o.limiting.end();
    text += fmt::format("  {:<14}{:>9}  {}{}\n", name, blocks_text(blocks), why, holds ? "  <- limits" : "");
  };
  limit("warps", "warps", o.limit_warps,
        fmt::format("{} of {} a block", (q.block_size + 31) / 32, o.max_warps));
  limit("registers", "registers", o.limit_registers,
        fmt::format("{} of {} a block", with_thousands(uint64_t(o.registers_per_block)),
                    with_thousands(uint64_t(report.gpu.registers_per_sm))));
  limit("shared memory", "shared_memory", o.limit_shared,
        fmt::format("{} of {} a block", bytes_in_words(o.shared_per_block), bytes_in_words(o.shared_pool)));
  limit("blocks", "blocks", o.limit_blocks, "places for blocks on an SM");
  if (o.limit_barriers < no_limit) limit("barriers", "barriers", o.limit_barriers, "barriers of an SM");
  if (!report.changes.empty()) {
    text += fmt::format("\n{}\n", paint.quiet("nearest changes:"));
    for (const OccupancyChange& change : report.changes) text += fmt::format("  {}\n", change_text(change));
  }
  return text;
}

Json json_of(const std::string& gpu, const std::string& compute, const OccupancyQuestion& q,
             const Occupancy& o, const std::vector<OccupancyChange>& changes) {
  Json out;
  out["gpu"] = gpu.empty() ? Json(nullptr) : Json(gpu);
  out["cc"] = compute;
  out["block_size"] = q.block_size;
  out["regs_per_thread"] = q.registers;
  out["static_smem"] = q.static_bytes;
  out["dynamic_smem"] = q.dynamic_bytes;
  out["carveout"] = q.carveout;
  out["active_blocks"] = o.active_blocks;
  out["active_warps"] = o.active_warps;
  out["max_warps"] = o.max_warps;
  out["occupancy_pct"] = o.percent;
  out["limit_warps"] = o.limit_warps;
  out["limit_registers"] = o.limit_registers;
  out["limit_shared_memory"] = o.limit_shared;
  out["limit_blocks"] = o.limit_blocks;
  out["limit_barriers"] = o.limit_barriers;
  out["regs_allocated_per_block"] = o.registers_per_block;
  out["smem_allocated_per_block"] = o.shared_per_block;
  out["smem_pool"] = o.shared_pool;
  out["limiting_factors"] = o.limiting;
  out["in_words"] = limit_in_words(q, o);
  out["changes"] = Json::array();
  for (const OccupancyChange& change : changes)
    out["changes"].push_back({{"input", change.input},
                              {"value", change.value},
                              {"active_blocks", change.active_blocks},
                              {"active_warps", change.active_warps},
                              {"occupancy_pct", change.percent}});
  return out;
}

std::string occupancy_as_json(const OccupancyReport& report) {
  return json_text(json_of(report.gpu.sms ? report.gpu.name : std::string{}, report.gpu.compute,
                           report.question, report.occupancy, report.changes));
}

}  // namespace warpbook
