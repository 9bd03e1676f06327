// Where the warps of a recorded block stand, step by step, and the step that a diagnosis speaks of.
#include "view/block_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace warpbook::view {

namespace {

using Event = RecordedStep::Event;

uint32_t thread_number(const Dim3& thread, const Dim3& size) {
  return thread.x + size.x * (thread.y + size.y * thread.z);
}

/// How well a step fits: the line counts most, since inlining and vector accesses change the rest.
int fit_of(const BlockRecording& recording, const RecordedStep& step, const Sought& sought, uint32_t lane) {
  if (!(step.mask >> lane & 1)) return -1;
  int fit = 0;
  if (sought.line > 0) fit += step.line == sought.line ? 16 : 0;
  const bool waits = step.event == Event::waits_at_barrier || step.event == Event::waits_for_lanes;
  if (sought.access == "barrier") fit += step.event == Event::waits_at_barrier ? 4 : 0;
  if (sought.access == "shuffle") fit += waits ? 4 : 0;
  if (sought.access == "exit") fit += step.event == Event::left ? 8 : 0;
  if (step.access < 0) return fit;
  const StepAccess& access = recording.accesses[size_t(step.access)];
  if (!(access.mask >> lane & 1)) return fit;
  if (access.access == sought.access) fit += 2;
  if (!sought.buffer.empty() && access.buffer == sought.buffer) fit += 4;
  if (sought.index && access.index[lane] == *sought.index) fit += 8;
  return fit;
}

}  // namespace

uint32_t lanes_of_warp(const BlockRecording& recording, uint32_t warp) {
  const uint32_t before = warp * 32;
  if (before >= recording.threads) return 0;
  const uint32_t count = std::min(32u, recording.threads - before);
  return count == 32 ? ~0u : (1u << count) - 1;
}

std::vector<WarpMoment> warps_after(const BlockRecording& recording, size_t step) {
  std::vector<WarpMoment> warps(recording.warps);
  for (uint32_t i = 0; i < recording.warps; ++i) warps[i].live = lanes_of_warp(recording, i);
  for (size_t i = 0; i <= step && i < recording.steps.size(); ++i) {
    const RecordedStep& one = recording.steps[i];
    if (one.warp >= warps.size()) continue;
    WarpMoment& warp = warps[one.warp];
    warp.begun = true;
    warp.now = i == step;
    warp.line = one.line;
    warp.ran = one.mask;
    warp.live = one.live;
    warp.for_lanes &= ~one.mask;
    warp.at_barrier &= ~one.mask;
    if (one.event == Event::waits_at_barrier) {
      warp.at_barrier |= one.mask;
      warp.barrier_line = one.line;
    }
    if (one.event == Event::waits_for_lanes) warp.for_lanes |= one.mask;
    if (one.event == Event::faulted) warp.faulted = true;
  }
  return warps;
}

std::optional<FoundStep> find_step(const BlockRecording& recording, const Dim3& block_size,
                                   const Sought& sought) {
  const uint32_t number = thread_number(sought.thread, block_size);
  const uint32_t warp = number / 32, lane = number % 32;
  // What ends in waiting is seen where the waiting ends; everything else where it happened first.
  const bool last = sought.access == "barrier" || sought.access == "loop" || sought.access == "exit";
  std::optional<FoundStep> found;
  int best = -1;
  for (size_t i = 0; i < recording.steps.size(); ++i) {
    const RecordedStep& step = recording.steps[i];
    if (step.warp != warp || step.event == Event::released) continue;
    const int fit = fit_of(recording, step, sought, lane);
    if (fit < 0 || fit < best || (fit == best && !last)) continue;
    best = fit;
    found = FoundStep{i, sought.line > 0 ? step.line == sought.line : fit > 0};
  }
  if (found && !found->exact && sought.line > 0) {
    // The optimised code has no step of that line: the last one that the thread made before it.
    for (size_t i = 0; i < recording.steps.size(); ++i) {
      const RecordedStep& step = recording.steps[i];
      if (step.warp == warp && (step.mask >> lane & 1) && step.line > 0 && step.line <= sought.line)
        found->step = i;
    }
  }
  return found;
}

MomentOf moment_of(const BlockRecording& recording, const Dim3& block_size, const Diagnosis& diagnosis) {
  MomentOf moment;
  const auto same_block = [&](const std::optional<Dim3>& block) {
    return !block || *block == recording.block;
  };
  if (same_block(diagnosis.block)) {
    moment.one = find_step(recording, block_size,
                           {diagnosis.thread.value_or(Dim3{0, 0, 0}), diagnosis.line, diagnosis.access,
                            diagnosis.buffer, diagnosis.index});
  }
  if (!diagnosis.other) return moment;
  const Diagnosis::Other& other = *diagnosis.other;
  // An other place without a thread of its own is spoken of the same block as a whole.
  if (other.thread && same_block(other.block ? other.block : diagnosis.block)) {
    moment.other = find_step(recording, block_size,
                             {*other.thread, other.line, other.access, diagnosis.buffer, diagnosis.index});
  }
  return moment;
}

namespace {

/// "s[0] to s[31]", "s[7]", "32 elements of s": what the lanes of an access reach.
std::string reach_words(const StepAccess& access) {
  int64_t low = 0, high = 0;
  bool first = true;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(access.mask >> lane & 1)) continue;
    const int64_t index = access.index[size_t(lane)];
    low = first ? index : std::min(low, index);
    high = first ? index : std::max(high, index);
    first = false;
  }
  const std::string name = access.buffer.empty() ? access.space + " memory" : access.buffer;
  if (access.buffer.empty()) return name;
  return low == high ? fmt::format("{}[{}]", name, low)
                     : fmt::format("{}[{}] to {}[{}]", name, low, name, high);
}

}  // namespace

std::string step_words(const BlockRecording& recording, size_t step) {
  if (step >= recording.steps.size()) return {};
  const RecordedStep& one = recording.steps[step];
  const int lanes = __builtin_popcount(one.mask);
  const int all = __builtin_popcount(lanes_of_warp(recording, one.warp));
  std::string words = fmt::format("Step {} of {}: warp {}", with_thousands(step + 1),
                                  with_thousands(recording.steps.size()), one.warp);
  if (one.line > 0) words += fmt::format(", line {}", one.line);
  const std::string who = lanes == 1     ? fmt::format("lane {}", __builtin_ctz(one.mask))
                          : lanes == all ? fmt::format("all {} lanes", all)
                                         : fmt::format("{} of {} lanes", lanes, all);
  const char* s = lanes == 1 ? "s" : "";
  switch (one.event) {
    case Event::waits_at_barrier:
      return words + fmt::format(", {} come{} to the barrier and wait{}", who, s, s);
    case Event::waits_for_lanes: return words + fmt::format(", {} wait{} for the others of the warp", who, s);
    case Event::released:
      return words + fmt::format(", {} go{} on past the barrier", who, lanes == 1 ? "es" : "");
    case Event::left: return words + fmt::format(", {} leave{} the kernel", who, s);
    case Event::faulted: return words + fmt::format(", {} stop{} here with a fault", who, s);
    case Event::ran: break;
  }
  if (one.access < 0) return words + fmt::format(", {} run{} it", who, s);
  const StepAccess& access = recording.accesses[size_t(one.access)];
  const char* does = access.access == "read" ? "read" : access.access == "write" ? "write" : "change";
  return words + fmt::format(", {} {}{} {}", who, does, s, reach_words(access));
}

std::string warp_words(const WarpMoment& warp) {
  if (warp.faulted) return fmt::format("fault, line {}", warp.line);
  if (!warp.begun) return "not begun";
  if (warp.live == 0) return "has left";
  if (warp.at_barrier == warp.live) return fmt::format("waits, line {}", warp.barrier_line);
  std::string words = warp.line > 0 ? fmt::format("line {}", warp.line) : "runs";
  if (warp.at_barrier) words += fmt::format("; {} wait", __builtin_popcount(warp.at_barrier));
  return words;
}

}  // namespace warpbook::view
