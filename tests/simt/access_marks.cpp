// The suspicion pass: what its marks let pass is no race by the full rules, and what barriers order is let
// pass.
#include <array>
#include <variant>
#include <vector>

#include "catch.h"
#include "simt/access/marks.h"
#include "simt/access/worker.h"

using namespace warpbook::simt;

namespace {

struct Touch {
  uint32_t block, who;
  AccessKind kind;
};

/// A whole block's barrier (`who` 0) or the sync of a whole warp (its number + 1) between the touches.
struct Between {
  uint32_t sync = 0;
};

/// Marks of one granule as the suspicion pass keeps them: true once something is not ordered.
bool is_suspicious(const std::vector<std::variant<Touch, Between>>& events) {
  Mark reads = 0, writes = 0, atomics = 0;
  Moment at;
  std::array<uint32_t, 32> warp_base;
  warp_base.fill(1);
  bool found = false;
  for (const auto& event : events) {
    if (const auto* between = std::get_if<Between>(&event)) {
      ++at.now;
      if (between->sync == 0) at.block_base = at.now;
      if (between->sync != 0) warp_base[between->sync - 1] = at.now;
      continue;
    }
    const Touch& touch = std::get<Touch>(event);
    at.block = Mark(touch.block + 1) << block_shift;
    at.warp = touch.who / 32;
    at.warp_base = warp_base[at.warp];
    if (touch.kind != AccessKind::atomic) found |= !ordered(atomics, at, touch.who);
    if (touch.kind != AccessKind::read) found |= !ordered(reads, at, touch.who);
    found |= !ordered(writes, at, touch.who);
    if (touch.kind == AccessKind::read) reads = joined(reads, at, touch.who);
    if (touch.kind == AccessKind::write) writes = at.mark(touch.who);
    if (touch.kind == AccessKind::atomic) atomics = joined(atomics, at, touch.who);
  }
  return found;
}

}  // namespace

TEST_CASE("marks: threads meet where one writes and another touches, unless both use atomics") {
  using enum AccessKind;
  const Between barrier{0}, sync_of_warp_0{1}, sync_of_warp_1{2};
  REQUIRE_FALSE(is_suspicious({Touch{0, 1, read}, Touch{0, 2, read}, Touch{1, 3, read}}));
  REQUIRE_FALSE(
      is_suspicious({Touch{0, 1, write}, Touch{0, 1, read}, Touch{0, 1, write}, Touch{0, 1, atomic}}));
  REQUIRE_FALSE(is_suspicious({Touch{0, 1, atomic}, Touch{0, 2, atomic}, Touch{1, 1, atomic}}));
  REQUIRE(is_suspicious({Touch{0, 1, write}, Touch{0, 2, write}}));
  REQUIRE(is_suspicious({Touch{0, 1, write}, Touch{0, 2, read}}));
  REQUIRE(is_suspicious({Touch{0, 1, read}, Touch{0, 2, write}}));
  REQUIRE(is_suspicious({Touch{0, 1, read}, Touch{0, 2, read}, Touch{0, 2, write}}));
  REQUIRE(is_suspicious({Touch{0, 1, read}, Touch{0, 40, read}, Touch{0, 70, read}, Touch{0, 40, write}}));
  REQUIRE(is_suspicious({Touch{0, 1, atomic}, Touch{0, 2, read}}));
  REQUIRE(is_suspicious({Touch{0, 1, atomic}, Touch{0, 2, atomic}, Touch{0, 2, write}}));
  // The thread's own atomic hides its plain write from nobody.
  REQUIRE(is_suspicious({Touch{0, 1, write}, Touch{0, 1, atomic}, Touch{0, 2, atomic}}));
  // A barrier orders the block, and only the block.
  REQUIRE_FALSE(
      is_suspicious({Touch{0, 1, write}, barrier, Touch{0, 2, read}, barrier, Touch{0, 40, write}}));
  REQUIRE_FALSE(is_suspicious({Touch{0, 1, read}, Touch{0, 40, read}, barrier, Touch{0, 2, write}}));
  REQUIRE(is_suspicious({Touch{0, 1, write}, barrier, Touch{1, 2, read}}));
  REQUIRE(is_suspicious({Touch{0, 1, read}, Touch{1, 1, read}, barrier, Touch{0, 1, write}}));
  // A warp's sync orders its own lanes.
  REQUIRE_FALSE(is_suspicious({Touch{0, 1, write}, sync_of_warp_0, Touch{0, 2, read}}));
  REQUIRE_FALSE(is_suspicious({Touch{0, 1, read}, Touch{0, 2, read}, sync_of_warp_0, Touch{0, 3, write}}));
  REQUIRE(is_suspicious({Touch{0, 1, write}, sync_of_warp_1, Touch{0, 2, read}}));
  REQUIRE(is_suspicious({Touch{0, 40, read}, Touch{0, 2, read}, sync_of_warp_0, Touch{0, 3, write}}));
}
