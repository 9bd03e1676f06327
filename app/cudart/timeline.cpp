// See timeline.h.
#include "cudart/timeline.h"

#include <algorithm>

#include "model/occupancy.h"
#include "model/time_model.h"

namespace warpbook::cudart {
namespace {

/// A call that only puts work into a queue takes the host a few microseconds (CUDA's launch latency as
/// programs see it).
constexpr double call_ms = 0.002;
/// Until the first byte of a copy over the link moves.
constexpr double copy_start_ms = 0.006;
/// Pageable memory is first copied into pinned buffers by the driver: about half the link's rate remains.
constexpr double pageable_share = 0.5;
/// Events never stand at the same time: programs divide by the difference.
constexpr double least_ms = 0.0005;

}  // namespace

void Timeline::host_calls() { host_ms_ += call_ms; }

double Timeline::starts_at(const Stream& stream) const {
  double start = std::max(host_ms_, stream.ready_ms);
  if (stream.number == 0) return std::max(start, blocking_done_ms_);
  return (stream.flags & 1) != 0 ? start : std::max(start, default_done_ms_);
}

void Timeline::ended(Stream& stream, double ms) {
  stream.ready_ms = std::max(stream.ready_ms, ms);
  all_done_ms_ = std::max(all_done_ms_, ms);
  if (stream.number == 0) {
    default_done_ms_ = std::max(default_done_ms_, ms);
  } else if ((stream.flags & 1) == 0) {
    blocking_done_ms_ = std::max(blocking_done_ms_, ms);
  }
}

Span Timeline::occupy(Stream& stream, double& engine, double ms) {
  Span span;
  span.begin_ms = std::max(starts_at(stream), engine);
  span.end_ms = span.begin_ms + std::max(ms, least_ms);
  engine = span.end_ms;
  ended(stream, span.end_ms);
  return span;
}

Span Timeline::kernel(Stream& stream, double ms) { return occupy(stream, multiprocessors_ms_, ms); }

Span Timeline::copy(Stream& stream, CopyDirection direction, double ms) {
  double unused = 0;
  double& engine = direction == CopyDirection::host_to_device     ? to_device_ms_
                   : direction == CopyDirection::device_to_host   ? to_host_ms_
                   : direction == CopyDirection::device_to_device ? multiprocessors_ms_
                                                                  : unused;
  return occupy(stream, engine, ms);
}

void Timeline::wait_until(double ms) { host_ms_ = std::max(host_ms_, ms); }

double copy_ms(const GpuSpec& gpu, CopyDirection direction, uint64_t bytes, bool pinned) {
  if (direction == CopyDirection::device_to_device) {
    // Each byte is read and written.
    const double rate = gpu.dram_gb_s > 0 ? gpu.dram_gb_s * gpu.dram_copy_share : 500;
    return gpu.launch_us / 1e3 + 2.0 * double(bytes) / (rate * 1e6);
  }
  const double link = gpu.host_gb_s > 0 ? gpu.host_gb_s : 24;
  return copy_start_ms + double(bytes) / (link * (pinned ? 1.0 : pageable_share) * 1e6);
}

double kernel_ms(const GpuSpec& gpu, const KernelCost& cost) {
  OccupancyQuestion question;
  question.block_size = int64_t(cost.launch.block.count());
  question.registers = cost.registers;
  question.static_bytes = cost.static_shared_bytes;
  question.dynamic_bytes = cost.launch.shared_bytes;
  const auto occupancy = occupancy_of(gpu, question);
  if (cost.trace && occupancy && occupancy->active_blocks > 0) {
    TimeQuestion time;
    time.launch = cost.launch;
    time.trace = cost.trace;
    time.warp_instructions = cost.warp_instructions;
    time.occupancy = *occupancy;
    time.footprint_bytes = cost.footprint_bytes;
    if (const auto modelled = model_time(gpu, time)) return modelled->us / 1e3;
  }
  // Every scheduler issues one warp instruction a cycle at best.
  const double sms = std::min<double>(gpu.sms, std::max<double>(1, double(cost.launch.grid.count())));
  const double per_us = std::max(1.0, sms * gpu.schedulers * gpu.boost_mhz);
  return (gpu.launch_us + double(cost.warp_instructions) / per_us) / 1e3;
}

}  // namespace warpbook::cudart
