// Sectors and bank passes against figures that NVIDIA publishes: a warp's contiguous floats are 4 sectors, a
// stride of 8 or more is 32; a column of a [32][32] tile takes 32 passes over the banks, of a [32][33] one.
#include <array>
#include <functional>

#include "catch.h"
#include "simt/access/worker.h"

using namespace warpbook;
using namespace warpbook::simt;

namespace {

struct Addresses {
  std::array<Address, 32> at{};
  Access access;
  Addresses(uint32_t bytes, const std::function<Address(int)>& address, uint32_t mask = ~0u,
            AccessKind kind = AccessKind::read) {
    for (int lane = 0; lane < 32; ++lane) at[size_t(lane)] = address(lane);
    access.kind = kind;
    access.bytes = bytes;
    access.mask = mask;
    access.address = at.data();
  }
};

uint32_t sectors(const Addresses& a) {
  uint32_t s = 0, ideal = 0;
  count_sectors(a.access, s, ideal);
  return s;
}
uint32_t ideal_sectors(const Addresses& a) {
  uint32_t s = 0, ideal = 0;
  count_sectors(a.access, s, ideal);
  return ideal;
}
uint32_t passes(const Addresses& a) {
  uint32_t p = 0, ideal = 0;
  count_passes(a.access, p, ideal);
  return p;
}

constexpr Address base = 0x1002'8000'0000;

}  // namespace

TEST_CASE("sectors of one request") {
  REQUIRE(sectors({4, [](int l) { return base + Address(l) * 4; }}) == 4);
  REQUIRE(sectors({4, [](int l) { return base + 4 + Address(l) * 4; }}) == 5);
  REQUIRE(sectors({4, [](int l) { return base + Address(l) * 8; }}) == 8);
  REQUIRE(sectors({4, [](int l) { return base + Address(l) * 32; }}) == 32);
  REQUIRE(sectors({4, [](int l) { return base + Address(l) * 128; }}) == 32);
  REQUIRE(sectors({4, [](int) { return base; }}) == 1);
  REQUIRE(sectors({8, [](int l) { return base + Address(l) * 8; }}) == 8);
  REQUIRE(sectors({8, [](int l) { return base + Address(l) * 1024; }}) == 32);
  REQUIRE(sectors({16, [](int l) { return base + Address(l) * 16; }}) == 16);
  REQUIRE(sectors({1, [](int l) { return base + Address(l); }}) == 1);
  // Two rows of 16 floats; reversed lanes are as good as lanes in order.
  REQUIRE(sectors({4, [](int l) { return base + Address(l / 16) * 4096 + Address(l % 16) * 4; }}) == 4);
  REQUIRE(sectors({4, [](int l) { return base + Address(31 - l) * 4; }}) == 4);
  REQUIRE(sectors({4, [](int l) { return base + Address(l) * 4; }, 0x000000ff}) == 1);
}

TEST_CASE("the fewest sectors that hold the bytes asked for") {
  REQUIRE(ideal_sectors({4, [](int l) { return base + Address(l) * 4; }}) == 4);
  REQUIRE(ideal_sectors({4, [](int l) { return base + Address(l) * 128; }}) == 4);
  REQUIRE(ideal_sectors({4, [](int) { return base; }}) == 1);
  REQUIRE(ideal_sectors({4, [](int l) { return base + Address(l) * 128; }, 0x1}) == 1);
}

TEST_CASE("passes over the banks of one request") {
  const Address s = shared_window + (1u << 28);
  const auto column = [&](uint32_t width) {
    return passes({4, [&](int l) { return s + Address(l) * width * 4; }});
  };
  REQUIRE(column(32) == 32);
  REQUIRE(column(33) == 1);
  REQUIRE(column(1) == 1);
  REQUIRE(column(2) == 2);
  REQUIRE(column(16) == 16);
  REQUIRE(passes({4, [&](int) { return s; }}) == 1);
  REQUIRE(passes({1, [&](int l) { return s + Address(l); }}) == 1);
  // 64-bit accesses go by half warps, 128-bit ones by quarters.
  REQUIRE(passes({8, [&](int l) { return s + Address(l) * 8; }}) == 2);
  REQUIRE(passes({8, [&](int l) { return s + Address(l) * 8; }, 0xffff}) == 1);
  REQUIRE(passes({16, [&](int l) { return s + Address(l) * 16; }}) == 4);
  REQUIRE(passes({8, [&](int l) { return s + Address(l) * 256; }}) == 32);
  // Atomics on one word follow each other.
  REQUIRE(passes({4, [&](int) { return s; }, ~0u, AccessKind::atomic}) == 32);
  REQUIRE(passes({4, [&](int l) { return s + Address(l) * 4; }, ~0u, AccessKind::atomic}) == 1);
}
