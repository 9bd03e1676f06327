// See launch_advice.h. Threads run by warps of 32 (CUDA C++ Programming Guide, "SIMT Architecture"), and a
// block stays on one multiprocessor, so lanes and multiprocessors that a launch cannot fill stand idle for
// all of it.
#include "lab/launch_advice.h"

#include <fmt/format.h>

namespace warpbook {

namespace {

constexpr uint64_t lanes = 32;
/// Smaller launches are for looking at, not for speed.
constexpr uint64_t fewest_threads = 2048;
/// Blocks from this size on can be split in four and still fill their warps; a grid of a few smaller ones is
/// most often a small problem, which no other launch makes faster.
constexpr uint64_t large_block = 512;

Diagnosis note(std::string message, std::string hint) {
  Diagnosis d;
  d.severity = Severity::note;
  d.kind = "launch-advice";
  d.access = "launch";
  d.message = std::move(message);
  d.hint = std::move(hint);
  return d;
}

}  // namespace

std::vector<Diagnosis> launch_advice(const Launch& launch, const GpuRow& gpu) {
  std::vector<Diagnosis> notes;
  const uint64_t block = launch.block.count(), blocks = launch.grid.count();
  if (block * blocks < fewest_threads) return notes;
  if (const uint64_t left = block % lanes; left != 0) {
    const uint64_t full = block + lanes - left;
    notes.push_back(note(
        block < lanes
            ? fmt::format("A block of {} threads fills {} of the 32 lanes of its only warp.", block, left)
            : fmt::format("A block of {} threads is {} warps, and only {} of the 32 lanes of the last one "
                          "have a thread.",
                          block, full / lanes, left),
        fmt::format("A multiple of 32 wastes nothing: {} threads cost as many warps.", full)));
  }
  const auto sms = uint64_t(gpu.sms);
  if (blocks * 2 <= sms && block >= large_block) {
    notes.push_back(note(
        fmt::format(
            "{} block{} can keep {} of the {} multiprocessors of the {} busy; the others have nothing to do.",
            blocks, blocks == 1 ? "" : "s", blocks, sms, gpu.name),
        "Where the work allows it, launch more and smaller blocks."));
  }
  return notes;
}

}  // namespace warpbook
