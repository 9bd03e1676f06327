// The rules, in the order in which the calculator applies them. Every number is counted for one SM.
#include "model/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/complaint.h"
#include "base/text.h"

namespace warpbook {

namespace {

constexpr int64_t warp_size = 32;
/// The calculator takes one more than the instruction set has.
constexpr int64_t most_registers = 256;
/// Registers lie in one file for each scheduler; a warp lives in one of them.
constexpr int64_t partitions = 4;

int64_t divided_up(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t rounded_up(int64_t a, int64_t b) { return divided_up(a, b) * b; }

Result<Done> sensible(const OccupancyQuestion& q) {
  constexpr int64_t most_bytes = int64_t(1) << 31;
  if (q.block_size < 1)
    return complaint(fmt::format("a block of {} threads means nothing", q.block_size),
                     "a block has at least 1 thread");
  if (q.registers < 0 || q.registers > most_registers)
    return complaint(fmt::format("{} registers a thread mean nothing", q.registers),
                     fmt::format("a thread has 0 to {} registers", most_registers));
  for (const auto& [name, bytes] :
       {std::pair{"static", q.static_bytes}, std::pair{"dynamic", q.dynamic_bytes}})
    if (bytes < 0 || bytes > most_bytes)
      return complaint(fmt::format("{} bytes of {} shared memory mean nothing", bytes, name),
                       fmt::format("it is 0 to {}", most_bytes));
  if (q.carveout < -1 || q.carveout > 100)
    return complaint(fmt::format("a carve-out of {} means nothing", q.carveout),
                     "it is a percentage from 0 to 100, or -1 for the driver's own choice");
  if (q.barriers < 0 || q.barriers > 16)
    return complaint(fmt::format("{} barriers a block mean nothing", q.barriers), "a block has 16 barriers");
  return Done{};
}

int64_t warps_of(const OccupancyQuestion& q) { return divided_up(q.block_size, warp_size); }

int64_t limit_of_registers(const GpuSpec& gpu, const OccupancyQuestion& q) {
  const int64_t warps = warps_of(q), per_warp = rounded_up(q.registers * warp_size, gpu.register_unit);
  if (q.registers >= most_registers + 1) return 0;
  // A block is launched only if its warps fit when they are spread evenly over the register files.
  if (per_warp * rounded_up(warps, partitions) > gpu.registers_per_sm) return 0;
  if (q.registers == 0) return no_limit;
  const int64_t warps_a_file = gpu.registers_per_sm / partitions / per_warp;
  return partitions * warps_a_file / warps;
}

/// How much shared memory the SM is set to for blocks of `allocated` bytes.
int64_t pool_of(const GpuSpec& gpu, const OccupancyQuestion& q, int64_t allocated) {
  const auto at_least = [&](int64_t bytes) {
    for (const uint32_t size : gpu.carveouts)
      if (int64_t(size) >= bytes) return int64_t(size);
    return int64_t(gpu.shared_per_sm);
  };
  const int64_t preferred =
      q.carveout < 0 ? int64_t(gpu.shared_per_sm) : at_least(q.carveout * gpu.shared_per_sm / 100);
  // A preference never keeps a launch from working: one block has room at least.
  return preferred >= allocated ? preferred : at_least(allocated);
}

void apply_shared(const GpuSpec& gpu, const OccupancyQuestion& q, Occupancy& out) {
  const int64_t asked = q.static_bytes + q.dynamic_bytes + gpu.shared_reserved;
  out.shared_per_block = rounded_up(asked, gpu.shared_unit);
  const int64_t most = std::max(gpu.shared_per_block, gpu.shared_per_block_optin) + gpu.shared_reserved;
  out.shared_pool = pool_of(gpu, q, out.shared_per_block);
  if (out.shared_per_block > most || q.static_bytes + q.dynamic_bytes > most - gpu.shared_reserved) {
    out.limit_shared = 0;
  } else {
    out.limit_shared = out.shared_per_block == 0 ? no_limit : out.shared_pool / out.shared_per_block;
  }
}

Occupancy computed(const GpuSpec& gpu, const OccupancyQuestion& q) {
  Occupancy out;
  const int64_t warps = warps_of(q);
  out.max_warps = gpu.max_warps_per_sm;
  out.limit_warps = q.block_size > gpu.max_threads_per_block ? 0 : gpu.max_warps_per_sm / warps;
  out.limit_blocks = gpu.max_blocks_per_sm;
  out.registers_per_block = rounded_up(q.registers * warp_size, gpu.register_unit) * warps;
  out.limit_registers = limit_of_registers(gpu, q);
  apply_shared(gpu, q, out);
  if (gpu.barriers_per_sm > 0 && q.barriers > 0) out.limit_barriers = gpu.barriers_per_sm / q.barriers;

  out.active_blocks = std::min(
      {out.limit_warps, out.limit_registers, out.limit_shared, out.limit_blocks, out.limit_barriers});
  const auto limits = [&](int64_t limit, const char* name) {
    if (limit == out.active_blocks) out.limiting.emplace_back(name);
  };
  limits(out.limit_warps, "warps");
  limits(out.limit_registers, "registers");
  limits(out.limit_shared, "shared_memory");
  limits(out.limit_blocks, "blocks");
  limits(out.limit_barriers, "barriers");
  out.active_warps = out.active_blocks * warps;
  out.percent = 100.0 * double(out.active_warps) / double(out.max_warps);
  return out;
}

int64_t OccupancyQuestion::*member_of(OccupancyInput input) {
  switch (input) {
    case OccupancyInput::block_size: return &OccupancyQuestion::block_size;
    case OccupancyInput::registers: return &OccupancyQuestion::registers;
    case OccupancyInput::shared_bytes: return &OccupancyQuestion::dynamic_bytes;
  }
  return &OccupancyQuestion::block_size;
}

struct Range {
  int64_t first = 0, last = 0, step = 1;
};
Range range_of(const GpuSpec& gpu, const OccupancyQuestion& q, OccupancyInput input) {
  switch (input) {
    case OccupancyInput::block_size: return {warp_size, gpu.max_threads_per_block, warp_size};
    case OccupancyInput::registers: return {1, gpu.max_registers_per_thread, 1};
    case OccupancyInput::shared_bytes:
      return {0, std::max<int64_t>(0, gpu.shared_per_block_optin - q.static_bytes), gpu.shared_unit};
  }
  return {};
}

/// The nearest value on one side at which the number of blocks is another; nothing when there is none.
void nearest_change(const GpuSpec& gpu, const OccupancyQuestion& q, OccupancyInput input, int direction,
                    const char* name, std::vector<OccupancyChange>& changes) {
  const Range range = range_of(gpu, q, input);
  const auto member = member_of(input);
  const Occupancy now = computed(gpu, q);
  // Block sizes are tried a warp apart, since a part of a warp costs a whole one; bytes one by one, because
  // a step begins at any byte.
  int64_t value = q.*member;
  OccupancyQuestion other = q;
  const auto blocks_at = [&](int64_t at) {
    other.*member = at;
    return computed(gpu, other).active_blocks;
  };
  const auto change_at = [&](int64_t at) {
    other.*member = at;
    const Occupancy o = computed(gpu, other);
    changes.push_back({name, at, o.active_blocks, o.active_warps, o.percent});
  };
  if (input == OccupancyInput::block_size) {
    value = direction < 0 ? (value - 1) / warp_size * warp_size : rounded_up(value + 1, warp_size);
    for (; value >= range.first && value <= range.last; value += direction * warp_size)
      if (blocks_at(value) != now.active_blocks) return change_at(value);
    return;
  }
  // The number of blocks never grows with these: the nearest change is found by halving.
  int64_t near = value, far = direction < 0 ? range.first : range.last;
  if ((direction < 0 && far >= near) || (direction > 0 && far <= near)) return;
  if (blocks_at(far) == now.active_blocks) return;
  while (std::abs(far - near) > 1) {
    const int64_t middle = (near + far) / 2;
    (blocks_at(middle) == now.active_blocks ? near : far) = middle;
  }
  change_at(far);
}

}  // namespace

Result<Occupancy> occupancy_of(const GpuSpec& gpu, const OccupancyQuestion& question) {
  if (const auto fine = sensible(question); !fine) return fine.error();
  return computed(gpu, question);
}

std::vector<OccupancyChange> occupancy_changes(const GpuSpec& gpu, const OccupancyQuestion& question) {
  std::vector<OccupancyChange> changes;
  if (!sensible(question)) return changes;
  for (const auto& [input, name] : {std::pair{OccupancyInput::block_size, "block_size"},
                                    std::pair{OccupancyInput::registers, "registers"},
                                    std::pair{OccupancyInput::shared_bytes, "dynamic_bytes"}})
    for (const int direction : {-1, 1}) nearest_change(gpu, question, input, direction, name, changes);
  return changes;
}

std::vector<OccupancyPoint> occupancy_curve(const GpuSpec& gpu, const OccupancyQuestion& question,
                                            OccupancyInput input) {
  std::vector<OccupancyPoint> points;
  if (!sensible(question)) return points;
  const Range range = range_of(gpu, question, input);
  OccupancyQuestion at = question;
  for (int64_t value = range.first; value <= range.last; value += range.step) {
    at.*member_of(input) = value;
    const Occupancy o = computed(gpu, at);
    const OccupancyPoint point{value, o.active_blocks, o.active_warps};
    const size_t count = points.size();
    const bool same_as_two_before = count >= 2 && input != OccupancyInput::block_size &&
                                    points[count - 1].active_warps == point.active_warps &&
                                    points[count - 2].active_warps == point.active_warps;
    if (same_as_two_before) {
      points.back() = point;
    } else {
      points.push_back(point);
    }
  }
  return points;
}

OccupancyPicture occupancy_picture(const GpuSpec& gpu, const OccupancyQuestion& question,
                                   const std::vector<GpuSpec>& gpus) {
  OccupancyPicture out;
  out.gpu = gpu.name;
  out.compute = gpu.compute;
  out.question = question;
  if (!sensible(question)) return out;
  out.occupancy = computed(gpu, question);
  out.changes = occupancy_changes(gpu, question);
  out.by_block_size = occupancy_curve(gpu, question, OccupancyInput::block_size);
  out.by_registers = occupancy_curve(gpu, question, OccupancyInput::registers);
  out.by_shared = occupancy_curve(gpu, question, OccupancyInput::shared_bytes);
  out.most_threads = gpu.max_threads_per_block;
  out.most_registers = gpu.max_registers_per_thread;
  out.most_shared = gpu.shared_per_block_optin;
  out.registers_per_sm = gpu.registers_per_sm;
  for (const GpuSpec& other : gpus)
    out.gpus.push_back({other.name, other.compute, computed(other, question)});
  return out;
}

}  // namespace warpbook
