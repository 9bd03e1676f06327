// Sums over workers. Instructions are counted a basic block at a time; here they are shared out to source
// lines, with each instruction's own corrections, so that the lines add up to the totals exactly.
#include "simt/exec/summary.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "simt/exec/diagnose.h"
#include "simt/exec/trace.h"

namespace warpbook::simt {
namespace {

/// More than anybody reads.
constexpr size_t most_diagnoses = 64;

bool is_conditional_branch(const std::string& name, const Inst& inst) {
  return (name.rfind("bra", 0) == 0 && inst.guard != 0) || name.rfind("brx", 0) == 0;
}

struct LineTable {
  const Code& code;
  std::map<std::pair<std::string, int>, LineCounters> lines;
  std::map<int32_t, LineCounters*> by_point;

  LineCounters& of(uint32_t site) {
    const int32_t point = code.sites[site].point;
    LineCounters*& known = by_point[point];
    if (!known) {
      const LearnerLine at = learner_line(code, point);
      // What no line owns is one row, whatever file it came from.
      known = &lines[{at.line ? at.file : std::string(), at.line}];
      known->file = at.line ? at.file : std::string();
      known->line = at.line;
    }
    return *known;
  }
};

void count_function(const LaunchContext& context, const CodeFunction& function,
                    const std::vector<std::unique_ptr<Worker>>& workers,
                    const std::vector<SiteTraffic>& traffic, Counters& totals, LineTable& lines) {
  std::vector<BlockCount> counts(function.blocks.size());
  std::vector<InstructionCount> details(function.instructions.size());
  for (const auto& worker : workers) {
    for (size_t b = 0; b < counts.size(); ++b) {
      counts[b].warps += worker->counts[function.index][b].warps;
      counts[b].lanes += worker->counts[function.index][b].lanes;
    }
    for (size_t i = 0; i < details.size(); ++i) {
      const InstructionCount& from = worker->details[function.index][i];
      details[i].tail_warps += from.tail_warps;
      details[i].tail_lanes += from.tail_lanes;
      details[i].lanes_off += from.lanes_off;
      details[i].divergent += from.divergent;
    }
  }
  for (size_t b = 0; b < counts.size(); ++b) {
    if (counts[b].warps == 0) continue;
    const BasicBlock& block = function.blocks[b];
    int64_t warps = int64_t(counts[b].warps);
    int64_t active = int64_t(counts[b].lanes);
    for (uint32_t i = block.first; i < block.first + block.counted; ++i) {
      warps -= details[i].tail_warps;
      active -= details[i].tail_lanes;
      if (warps == 0) continue;
      const Inst& inst = function.instructions[i];
      LineCounters& line = lines.of(inst.site);
      const uint64_t lanes = uint64_t(active) - details[i].lanes_off;
      line.warp_instructions += uint64_t(warps);
      line.thread_instructions += lanes;
      totals.warp_instructions += uint64_t(warps);
      const uint32_t at = function.source_index[i];
      const InstructionKind kind = at == ~0u ? InstructionKind::branch : kind_of(function.source->body[at]);
      totals.issued[size_t(kind)] += uint64_t(warps);
      totals.thread_instructions += lanes;
      if (is_conditional_branch(context.code->sites[inst.site].name, inst)) {
        line.branches += uint64_t(warps);
        line.divergent_branches += details[i].divergent;
        totals.branches += uint64_t(warps);
        totals.divergent_branches += details[i].divergent;
      }
      const SiteTraffic& site = traffic[inst.site];
      if (site.kind == SiteTraffic::Kind::none) continue;
      add_traffic(totals, site);
      line.global.add(site.global);
      line.shared.add(site.shared);
      line.shared.add(site.copied_to_shared);
      line.local.add(site.local);
    }
  }
}

std::string all_printed(std::vector<std::unique_ptr<Worker>>& workers, uint64_t limit) {
  std::vector<Worker::Printed> all;
  for (const auto& worker : workers) {
    std::move(worker->printed.begin(), worker->printed.end(), std::back_inserter(all));
  }
  std::sort(all.begin(), all.end(), [](const Worker::Printed& a, const Worker::Printed& b) {
    return std::tie(a.block, a.warp, a.order) < std::tie(b.block, b.warp, b.order);
  });
  std::string text;
  for (const Worker::Printed& piece : all) {
    if (text.size() + piece.text.size() > limit) {
      text.append(piece.text, 0, limit - text.size());
      break;
    }
    text += piece.text;
  }
  return text;
}

}  // namespace

namespace {

/// Steps were recorded by their sites.
void name_lines(const Code& code, BlockRecording& recording) {
  std::map<int, int> line_at;
  for (RecordedStep& step : recording.steps) {
    const auto [known, fresh] = line_at.try_emplace(step.line, 0);
    if (fresh) known->second = line_of(code, uint32_t(step.line));
    step.line = known->second;
  }
}

}  // namespace

void summarise(LaunchContext& context, std::vector<std::unique_ptr<Worker>>& workers, RunReport& report) {
  std::vector<MemoryWorkerPtr> memories;
  for (const auto& worker : workers) {
    report.counters.threads += worker->threads;
    report.counters.blocks += worker->blocks;
    report.counters.warps += worker->warps;
    if (worker->recording) {
      report.block_recording = std::move(worker->recording);
      report.block_recording->accesses = take_step_accesses(*worker);
      name_lines(*context.code, *report.block_recording);
    }
    memories.push_back(std::move(worker->memory));
  }
  std::vector<SiteTraffic> traffic;
  collect(*context.memory, memories, traffic, report);
  traffic.resize(context.code->sites.size());
  report.warp_instructions = context.instructions.load();
  if (context.options.level != Level::run) {
    LineTable lines{*context.code, {}, {}};
    for (const auto& function : context.code->functions) {
      if (context.plans[function->index].ready) {
        count_function(context, *function, workers, traffic, report.counters, lines);
      }
    }
    for (auto& [key, line] : lines.lines) report.lines.push_back(std::move(line));
    uint64_t least = ~uint64_t(0);
    for (const auto& worker : workers) {
      report.counters.barriers += worker->barriers;
      least = std::min(least, worker->least_in_block);
      report.counters.most_in_block = std::max(report.counters.most_in_block, worker->most_in_block);
      report.warps.insert(report.warps.end(), worker->per_warp.begin(), worker->per_warp.end());
    }
    std::sort(report.warps.begin(), report.warps.end(), [](const WarpCounters& a, const WarpCounters& b) {
      return std::tie(a.block, a.warp) < std::tie(b.block, b.warp);
    });
    if (report.counters.blocks != 0) report.counters.least_in_block = least;
    report.warp_instructions = report.counters.warp_instructions;
  }
  report.printf = all_printed(workers, context.options.max_printf_bytes);

  for (const auto& worker : workers) {
    std::move(worker->found.begin(), worker->found.end(), std::back_inserter(report.diagnostics));
  }
  report.diagnostics = merge(std::move(report.diagnostics));
  // Sorted by severity and line: what is kept does not depend on who came first.
  if (report.diagnostics.size() > most_diagnoses) report.diagnostics.resize(most_diagnoses);
  const auto is_error = [](const Diagnosis& d) { return d.severity == Severity::error; };
  const bool faulty = std::any_of(report.diagnostics.begin(), report.diagnostics.end(), is_error);
  const bool only_unsupported =
      faulty && std::all_of(report.diagnostics.begin(), report.diagnostics.end(),
                            [&](const Diagnosis& d) { return !is_error(d) || d.kind == "unsupported"; });
  report.status = context.cancelled     ? RunStatus::cancelled
                  : only_unsupported    ? RunStatus::unsupported
                  : faulty              ? RunStatus::fault
                  : context.out_of_time ? RunStatus::limit
                                        : RunStatus::ok;
}

}  // namespace warpbook::simt
