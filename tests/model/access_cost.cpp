// What single accesses cost, against tables that gpu-benches measured and the rules of the banks.
#include "model/access_cost.h"

#include <cmath>

#include "catch.h"

using namespace warpbook;

namespace {

LaneAddresses strided(uint64_t stride_bytes, uint64_t base = 4096) {
  LaneAddresses addresses{};
  for (size_t lane = 0; lane < 32; ++lane) addresses[lane] = base + lane * stride_bytes;
  return addresses;
}

size_t sectors(uint64_t stride_bytes, uint32_t bytes) {
  std::vector<uint64_t> found;
  sectors_of(strided(stride_bytes), ~0u, bytes, found);
  return found.size();
}

}  // namespace

TEST_CASE("L1 cycles of strided loads lie within a quarter of what gpu-benches measured") {
  // Cycles of a 4-byte load by stride in elements, gpu-benches "gpu-strides" on an A100 and an A40.
  const struct {
    int stride;
    double a100, a40;
  } measured[] = {{1, 1.02, 2.00},  {2, 2.00, 2.00},  {4, 4.00, 4.00}, {8, 8.0, 8.0},
                  {16, 16.0, 16.0}, {32, 32.0, 32.0}, {3, 1.63, 0},    {5, 2.20, 0},
                  {9, 3.03, 0},     {17, 5.1, 0},     {31, 8.5, 0},    {33, 8.8, 0}};
  // Strides 31 and 33 are bound by the 32 lines they touch, 3 by none of the three terms exactly.
  for (const auto& row : measured) {
    const LaneAddresses addresses = strided(uint64_t(row.stride) * 4);
    INFO("stride " << row.stride);
    CHECK(std::fabs(l1_cycles(addresses, ~0u, 4, 128) / row.a100 - 1) <= 0.25);
    if (row.a40 > 0) CHECK(std::fabs(l1_cycles(addresses, ~0u, 4, 64) / row.a40 - 1) <= 0.25);
  }
}

TEST_CASE("Sectors a request are 4, 8 and 32 at strides 1, 2 and 8 or more") {
  CHECK(sectors(4, 4) == 4);
  CHECK(sectors(8, 4) == 8);
  CHECK(sectors(32, 4) == 32);
  CHECK(sectors(256, 4) == 32);
  CHECK(sectors(0, 4) == 1);
  CHECK(sectors(16, 16) == 16);
}

TEST_CASE("Shared memory takes n passes for an n-way conflict, one for a broadcast") {
  for (const uint32_t ways : {1u, 2u, 4u, 8u, 16u, 32u})
    CHECK(shared_passes(strided(4 * ways), ~0u, 4) == ways);
  CHECK(shared_passes(strided(0), ~0u, 4) == 1);
  CHECK(shared_passes(strided(33 * 4), ~0u, 4) == 1);  // a column of float tile[32][33]
  CHECK(shared_passes(strided(32 * 4), ~0u, 4) == 32);
  CHECK(shared_passes(strided(8), ~0u, 8) == 2);    // half a warp at a time
  CHECK(shared_passes(strided(16), ~0u, 16) == 4);  // a quarter
  CHECK(shared_passes(strided(0), ~0u, 16) == 4);
  CHECK(shared_passes(strided(4), 0xffffu, 4) == 1);
}

TEST_CASE("Atomics on shared memory go one after the other at one word") {
  CHECK(shared_atomic_passes(strided(0), ~0u) == 32);
  CHECK(shared_atomic_passes(strided(4), ~0u) == 1);
  LaneAddresses pairs = strided(0);
  for (size_t lane = 0; lane < 32; ++lane) pairs[lane] += lane / 2 * 4;
  CHECK(shared_atomic_passes(pairs, ~0u) == 2);
}
