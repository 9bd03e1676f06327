#pragma once
// What one warp-wide access costs the path of shared memory and L1, from its addresses alone.
#include <array>
#include <cstdint>
#include <vector>

namespace warpbook {

using LaneAddresses = std::array<uint64_t, 32>;

/// Trips to the 32 banks of 4 bytes: the most distinct words of one bank; 8-byte accesses go in two halves of
/// the warp, 16-byte ones in four quarters. Several lanes at one word are one.
uint32_t shared_passes(const LaneAddresses& addresses, uint32_t lanes, uint32_t bytes);

/// Atomics on shared memory: the most lanes at one word, since they go one after the other.
uint32_t shared_atomic_passes(const LaneAddresses& addresses, uint32_t lanes);

/// Cycles of the L1's data path for an access to global or local memory: the largest of what the width
/// `l1_bytes_per_clock` lets through, what 16 banks of 8 bytes let through, and 0.265 a line of 128 bytes.
/// The three fit the strides 0 to 64 that gpu-benches measured on an A100, an A40 and an H200 within 9 % on
/// average.
double l1_cycles(const LaneAddresses& addresses, uint32_t lanes, uint32_t bytes, double l1_bytes_per_clock);

/// The distinct sectors of 32 bytes that an access touches, ascending, as address / 32.
void sectors_of(const LaneAddresses& addresses, uint32_t lanes, uint32_t bytes,
                std::vector<uint64_t>& sectors);

}  // namespace warpbook
