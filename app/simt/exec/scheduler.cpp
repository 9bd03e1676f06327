// Warps run one after the other until they wait or their slice ends. Where blocks can see each other, one
// worker keeps them all resident (as far as memory goes) and goes round; everything there has one fixed
// order.
#include "simt/exec/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "simt/exec/barriers.h"
#include "simt/exec/diagnose.h"
#include "simt/exec/frames.h"
#include "simt/exec/loop_watch.h"
#include "simt/exec/run_loop.h"
#include "simt/exec/trace.h"
#include "simt/exec/turns.h"

namespace warpbook::simt {
namespace {

/// How much a block that others may wait for runs before it is their turn.
constexpr int slices_in_turn = 8;
constexpr uint64_t resident_bytes = 512u << 20;
constexpr uint64_t resident_blocks = 1u << 16;

std::unique_ptr<BlockState> start(Worker& worker, uint64_t number) {
  LaunchContext& context = *worker.launch;
  std::unique_ptr<BlockState> block;
  const bool first_use = worker.free_blocks.empty();
  if (first_use) {
    block = std::make_unique<BlockState>();
  } else {
    block = std::move(worker.free_blocks.back());
    worker.free_blocks.pop_back();
  }
  const Dim3 grid = context.launch.grid;
  block->launch = &context;
  block->worker = &worker;
  block->number = number;
  block->index = {uint32_t(number % grid.x), uint32_t(number / grid.x % grid.y),
                  uint32_t(number / (uint64_t(grid.x) * grid.y))};
  block->threads = uint32_t(context.launch.block.count());
  const uint32_t warps = (block->threads + 31) / 32;
  block->live_warps = warps;
  block->exited_threads = 0;
  block->faulted = false;
  block->touched = block->touched_seen = 0;
  block->recorded = context.options.level != Level::run && context.options.record_block == block->index;
  block->traced =
      context.options.level != Level::run && !context.options.moments && is_sampled(context, number);
  if (block->recorded) {
    worker.recording.emplace();
    worker.recording->block = block->index;
    worker.recording->threads = block->threads;
    worker.recording->warps = warps;
  }
  block->random = context.options.seed ^ (number * 0xd1342543de82ef95ull);
  for (; block->used_barriers; block->used_barriers &= block->used_barriers - 1) {
    block->barriers[size_t(std::countr_zero(block->used_barriers))] = Barrier{};
  }
  start_block(*block, context.local_bytes);
  block->warps.resize(warps);
  for (uint32_t i = 0; i < warps; ++i) {
    if (!block->warps[i]) {
      block->warps[i] = std::make_unique<Warp>();
      block->warps[i]->fragments.reserve(33);  // never moves while a warp runs
    }
    Warp& warp = *block->warps[i];
    warp.worker = &worker;
    warp.block = block.get();
    warp.index = i;
    const uint32_t threads = std::min<uint32_t>(32, block->threads - i * 32);
    warp.live = threads == 32 ? ~0u : (1u << threads) - 1;
    warp.exited = 0;
    warp.carry = 0;
    warp.clock = 0;
    warp.printed = 0;
    warp.steps = 0;
    warp.loop_site = 0;
    warp.merge_limit = 0;
    warp.running = 0;
    warp.warp_instructions = warp.thread_instructions = 0;
    start_watch(warp);
    refresh_kernel_frame(warp, first_use);
    warp.kernel_frame->lanes = warp.live;
    warp.fragments.clear();
    Fragment& fragment = warp.fragments.emplace_back();
    fragment.frame = warp.kernel_frame;
    fragment.mask = warp.live;
  }
  ++worker.blocks;
  worker.threads += block->threads;
  worker.warps += warps;
  return block;
}

void finish(Worker& worker, std::unique_ptr<BlockState> block) {
  const LaunchContext& context = *worker.launch;
  uint64_t instructions = 0;
  for (const auto& warp : block->warps) {
    instructions += warp->warp_instructions;
    // What a faulted block left open.
    for (const Fragment& fragment : warp->fragments) {
      for (Frame* frame = fragment.frame; frame->caller;) {
        Frame* const caller = frame->caller;
        frame->lanes &= ~fragment.mask;
        if (frame->lanes == 0) give_frame(worker, frame);
        frame = caller;
      }
    }
    warp->fragments.clear();
    if (context.options.per_warp && context.options.level != Level::run) {
      worker.per_warp.push_back(
          {block->number, warp->index, warp->warp_instructions, warp->thread_instructions});
    }
  }
  worker.least_in_block = std::min(worker.least_in_block, instructions);
  worker.most_in_block = std::max(worker.most_in_block, instructions);
  worker.free_blocks.push_back(std::move(block));
}

/// So many warp instructions, or so many slices, may pass before the clock and the stop flag are looked at.
constexpr uint64_t instructions_between_looks = 10'000;
constexpr uint32_t slices_between_looks = 128;

/// What this worker ran goes to the sum of all.
uint64_t hand_in(Worker& worker) {
  worker.slices = 0;
  const uint64_t own = std::exchange(worker.uncounted, 0);
  return worker.launch->instructions.fetch_add(own) + own;
}

void note_long_loop(Warp& warp, const std::string& limit) {
  if (warp.loop_site == 0) return;
  Diagnosis d = diagnosis_at(warp, warp.loop_site, 0, "long-loop", "loop");
  d.severity = Severity::note;
  d.count = 1;
  d.message = fmt::format("The loop of line {} was still making progress when {}.", d.line, limit);
  d.hint = "It may just be long work: raise the limit, or try a smaller input first.";
  report(*warp.worker, std::move(d));
}

/// Adds what a slice ran and looks at the limits and the stop flag. False: the launch ends.
bool account(Warp& warp, int64_t executed) {
  Worker& worker = *warp.worker;
  LaunchContext& context = *worker.launch;
  const RunOptions& options = context.options;
  worker.uncounted += uint64_t(executed);
  if (context.ends_when_suspicious && suspicious(*context.memory)) context.halt = true;
  const bool at_limit =
      options.max_instructions &&
      context.instructions.load(std::memory_order_relaxed) + worker.uncounted >= options.max_instructions;
  if (!at_limit && ++worker.slices < slices_between_looks && worker.uncounted < instructions_between_looks)
    return !context.halt.load(std::memory_order_relaxed);
  const uint64_t total = hand_in(worker);
  if (options.stop && options.stop->load(std::memory_order_relaxed)) {
    context.cancelled = true;
    context.halt = true;
  } else if (options.max_instructions && total >= options.max_instructions && !warp.block->faulted &&
             !warp.fragments.empty()) {
    if (!context.out_of_time.exchange(true)) {
      note_long_loop(warp,
                     fmt::format("the limit of {} warp instructions was reached", options.max_instructions));
    }
    context.halt = true;
  } else if (options.max_time.count() &&
             std::chrono::steady_clock::now() - context.started >= options.max_time) {
    if (!context.out_of_time.exchange(true)) {
      note_long_loop(warp, fmt::format("the time limit of {} ms was reached", options.max_time.count()));
    }
    context.halt = true;
  }
  return !context.halt.load(std::memory_order_relaxed);
}

enum class Turn {
  goes_on,
  blocked,  ///< nobody in the block can go on by itself
  ended,    ///< finished or faulted
  halted,   ///< the launch ends
};

/// One slice for each warp of the block.
Turn pass(BlockState& block) {
  Worker& worker = *block.worker;
  const LaunchContext& context = *worker.launch;
  const size_t count = block.warps.size();
  const auto [first, step] = warps_in_order(block);
  bool moved = false;
  bool alive = false;
  size_t index = first;
  for (size_t i = 0; i < count; ++i) {
    Warp& warp = *block.warps[index];
    index += step;
    if (index >= count) index -= count;
    if (warp.fragments.empty()) continue;
    int64_t slice = turn_length(block);
    if (context.options.max_instructions) {
      const uint64_t used = context.instructions.load(std::memory_order_relaxed) + worker.uncounted;
      const uint64_t rest =
          context.options.max_instructions > used ? context.options.max_instructions - used : 1;
      slice = int64_t(std::min<uint64_t>(rest, uint64_t(slice)));
    }
    int64_t left = slice;
    warp.moved = false;
    const SliceEnd end = run_slice(warp, left);
    moved |= warp.moved;
    if (block.touched != block.touched_seen) {
      block.touched_seen = block.touched;
      ++worker.epoch;
    }
    if (!account(warp, slice - left)) return Turn::halted;
    if (end == SliceEnd::faulted) {
      ++worker.faulted_blocks;
      return Turn::ended;
    }
    alive |= end != SliceEnd::finished;
  }
  if (!alive) {
    const bool all_done = std::all_of(block.warps.begin(), block.warps.end(),
                                      [](const auto& warp) { return warp->fragments.empty(); });
    if (all_done) return Turn::ended;
  }
  return moved ? Turn::goes_on : Turn::blocked;
}

bool has_spinning(const BlockState& block) {
  return std::any_of(block.warps.begin(), block.warps.end(), [](const auto& warp) {
    return std::any_of(warp->fragments.begin(), warp->fragments.end(),
                       [](const Fragment& fragment) { return fragment.state == FragmentState::parked; });
  });
}

uint64_t capacity(const LaunchContext& context) {
  const uint64_t threads = context.launch.block.count();
  const uint64_t warps = (threads + 31) / 32;
  const uint64_t frame = context.plans[context.kernel->index].image.size();
  uint64_t bytes = shared_bytes(*context.memory) + threads * context.local_bytes;
  if (context.options.level == Level::check) bytes *= 2;
  bytes += warps * (frame + sizeof(Warp) + 33 * sizeof(Fragment)) + sizeof(BlockState);
  return std::clamp<uint64_t>(resident_bytes / bytes, 1, resident_blocks);
}

/// Blocks that the chosen GPU can hold at once, as far as threads, blocks and shared memory go (registers can
/// only make it fewer).
uint64_t blocks_on_gpu(const LaunchContext& context) {
  const GpuRow& gpu = context.gpu;
  if (gpu.sms <= 0 || gpu.max_blocks_per_sm <= 0 || gpu.max_warps_per_sm <= 0) return ~0ull;  // not known
  const uint64_t warps = (context.launch.block.count() + 31) / 32;
  uint64_t fit = std::min(uint64_t(gpu.max_blocks_per_sm), uint64_t(gpu.max_warps_per_sm) / warps);
  const uint64_t shared = shared_bytes(*context.memory) + gpu.shared_reserved;
  if (shared != 0 && gpu.shared_per_sm != 0) fit = std::min(fit, gpu.shared_per_sm / shared);
  return std::max<uint64_t>(1, fit) * uint64_t(gpu.sms);
}

/// All blocks that fit on the GPU wait, and the next can only start when one of them ends.
void report_blocks_that_cannot_start(BlockState& block, uint64_t residents, uint64_t started) {
  for (const auto& warp : block.warps) {
    for (const Fragment& fragment : warp->fragments) {
      if (fragment.state != FragmentState::parked) continue;
      const LaunchContext& context = *block.launch;
      Diagnosis d = diagnosis_at(*warp, fragment.site, fragment.mask, "deadlock", "loop");
      d.message = fmt::format(
          "The loop of line {} waits for blocks that cannot start: {} blocks fit on {} at once, all of them "
          "wait, and {} of the {} blocks of the grid have not begun.",
          d.line, residents, context.gpu.name, context.launch.grid.count() - started,
          context.launch.grid.count());
      d.hint =
          "Blocks may only wait for each other when all of them fit on the GPU: launch fewer, or end the "
          "kernel "
          "and start the next step as another launch.";
      report(*block.worker, std::move(d));
      block.faulted = true;
      return;
    }
  }
}

}  // namespace

void run_independent_blocks(Worker& worker) {
  LaunchContext& context = *worker.launch;
  const uint64_t count = blocks_to_run(context);
  while (!context.halt.load(std::memory_order_relaxed)) {
    const uint64_t i = context.next_block.fetch_add(1);
    if (i >= count) break;
    std::unique_ptr<BlockState> block = start(worker, block_in_order(context, i));
    Turn turn = Turn::goes_on;
    while (turn == Turn::goes_on) turn = pass(*block);
    if (turn == Turn::blocked) diagnose_stuck(*block, false);
    finish(worker, std::move(block));
  }
  hand_in(worker);
}

void run_in_fixed_order(Worker& worker) {
  LaunchContext& context = *worker.launch;
  const uint64_t count = blocks_to_run(context);
  const uint64_t on_gpu = blocks_on_gpu(context);
  const uint64_t most = std::min(capacity(context), on_gpu);
  std::vector<std::unique_ptr<BlockState>> residents;
  uint64_t next = 0;
  // Runs a block's turn; true when it is still there afterwards.
  bool moved = false;
  const auto take_turn = [&](BlockState& block) {
    Turn turn = Turn::goes_on;
    bool ran = false;
    for (int i = 0; i < slices_in_turn && turn == Turn::goes_on; ++i) {
      turn = pass(block);
      ran |= turn != Turn::blocked;
    }
    moved |= ran;
    if (turn == Turn::blocked && (!context.communicating || !has_spinning(block))) {
      diagnose_stuck(block, false);
      moved = true;
      return false;
    }
    return turn != Turn::ended;
  };
  while (!context.halt.load(std::memory_order_relaxed)) {
    moved = false;
    const uint64_t epoch = worker.epoch;
    for (size_t i = 0; i < residents.size() && !context.halt; ++i) {
      if (!take_turn(*residents[i])) finish(worker, std::move(residents[i]));
    }
    std::erase_if(residents, [](const auto& block) { return !block; });
    // New ones join in numbers that double, so that those that wait are not asked once for each.
    const size_t joining = std::max<size_t>(1, residents.size());
    for (size_t i = 0; i < joining && next < count && residents.size() < most && !context.halt;) {
      auto block = start(worker, block_in_order(context, next++));
      if (take_turn(*block)) {
        residents.push_back(std::move(block));
        ++i;
      } else {
        finish(worker, std::move(block));
      }
    }
    if (residents.empty() && next >= count) break;
    if (!moved && worker.epoch == epoch) {
      if (next < count && residents.size() == on_gpu && has_spinning(*residents.front())) {
        report_blocks_that_cannot_start(*residents.front(), on_gpu, next);
        context.halt = true;
        break;
      }
      for (auto& block : residents) {
        diagnose_stuck(*block, true);
        finish(worker, std::move(block));
      }
      residents.clear();
    }
  }
  for (auto& block : residents) {
    if (block) finish(worker, std::move(block));
  }
  hand_in(worker);
}

}  // namespace warpbook::simt
