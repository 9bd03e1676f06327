// See memory_capture.h.
#include "device/memory_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/complaint.h"

namespace warpbook {
namespace {

/// Below level check nobody keeps track of what kernels write: there all that was stored to counts as
/// written.
std::vector<ByteRange> gaps_of(const simt::Allocation& a) {
  if (a.all_written || a.stored_untracked || a.visible) return {};
  if (!a.written) return {{0, a.info.bytes}};
  std::vector<ByteRange> gaps;
  const uint8_t *const begin = a.written_bytes(), *const end = begin + a.info.bytes;
  for (const uint8_t* at = std::find(begin, end, 0); at != end; at = std::find(at, end, 0)) {
    const uint8_t* const behind = std::find_if(at, end, [](uint8_t written) { return written != 0; });
    gaps.push_back({uint64_t(at - begin), uint64_t(behind - at)});
    at = behind;
  }
  return gaps;
}

}  // namespace

uint64_t live_bytes(const simt::Memory& memory) {
  uint64_t all = 0;
  memory.state().each_live([&](const simt::Allocation& a) { all += a.info.bytes; });
  return all;
}

std::vector<CapturedMemory> keep_memory(const simt::Memory& memory, bool with_gaps) {
  std::vector<CapturedMemory> kept;
  memory.state().each_live([&](const simt::Allocation& a) {
    CapturedMemory& one = kept.emplace_back();
    one.address = a.info.address;
    one.name = a.info.name;
    one.element_bytes = a.info.element_bytes;
    if (a.info.bytes > 0) one.bytes.assign(reinterpret_cast<const char*>(a.host()), a.info.bytes);
    if (with_gaps) one.unwritten = gaps_of(a);
  });
  return kept;
}

Result<Done> place_captured(const CapturedMemory& captured, simt::Memory& memory) {
  simt::Memory::State& state = memory.state();
  const uint64_t bytes = captured.bytes.size();
  const auto no_place = [&] {
    return complaint(Trouble::limit, fmt::format("{} cannot be laid out again where it was.", captured.name));
  };
  if (state.window_of(captured.address)) return no_place();
  auto a = std::make_unique<simt::Allocation>();
  a->info.address = captured.address;
  a->info.bytes = bytes;
  a->info.name = captured.name;
  a->info.element_bytes = std::max(1u, captured.element_bytes);
  a->granule_shift = a->info.element_bytes % 4 == 0 ? 2 : a->info.element_bytes % 2 == 0 ? 1 : 0;
  a->bytes = simt::Pages::poisoned(bytes);
  if (bytes > 0 && !a->bytes) return no_place();
  a->all_written = bytes == 0;
  a->live = true;
  fill_captured(captured, *a);
  if (captured.address >= simt::wide_begin && captured.address < simt::wide_end) {
    const auto window = uint32_t((captured.address - simt::wide_begin) >> simt::wide_shift);
    const auto free = std::find(state.free_wide.begin(), state.free_wide.end(), window);
    if (free == state.free_wide.end()) return no_place();
    state.free_wide.erase(free);
    state.wide[window] = std::move(a);
  } else if (captured.address >= simt::wide_end && captured.address < simt::narrow_end) {
    const auto first = uint32_t((captured.address - simt::wide_end) >> simt::narrow_shift);
    const auto span =
        uint32_t((2 * simt::narrow_offset + bytes + (1u << simt::narrow_shift) - 1) >> simt::narrow_shift);
    state.narrow[first] = {span, std::move(a)};
    state.next_narrow = std::max(state.next_narrow, first + span);
  } else {
    return no_place();
  }
  state.used += bytes;
  return Done{};
}

void fill_captured(const CapturedMemory& captured, simt::Allocation& allocation) {
  const uint64_t bytes = captured.bytes.size();
  assert(bytes == allocation.info.bytes);
  if (bytes == 0) return;
  std::memcpy(allocation.host(), captured.bytes.data(), bytes);
  uint64_t at = 0;
  const auto mark_until = [&](uint64_t end) {
    if (end > at) simt::Memory::State::mark_written(allocation, at, end - at);
  };
  for (const ByteRange& gap : captured.unwritten) {
    mark_until(gap.first);
    at = gap.first + gap.count;
  }
  mark_until(bytes);
}

}  // namespace warpbook
