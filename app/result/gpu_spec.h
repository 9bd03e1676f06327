#pragma once
// A GPU row with everything that the models compute with. Rates are what one SM does in a cycle, latencies
// are cycles of the SM's clock, shares lie between 0 and 1.
#include <cstdint>
#include <string>
#include <vector>

#include "result/gpu_row.h"

namespace warpbook {

/// One figure as the table gives it, for people who ask where it comes from.
struct GpuFigure {
  std::string name;    ///< "dram_gb_s"
  std::string unit;    ///< "GB/s"
  std::string status;  ///< measured, published or estimated
  std::string source;
  double value = 0;  ///< of a list: its last entry
};

/// A product, or a compute capability: then its name is that of the capability and it has no chip (sms = 0).
struct GpuSpec : GpuRow {
  std::string kind;  ///< entry, enthusiast, data centre; empty for a compute capability

  int register_unit = 256;             ///< registers that a warp is given at once
  int max_registers_per_thread = 255;  ///< of the instruction set
  int barriers_per_sm = 0;             ///< 0 = barriers do not limit the number of blocks
  uint32_t shared_unit = 128;          ///< bytes that a block is given at once
  uint32_t unified_bytes = 0;          ///< L1 and shared memory together
  std::vector<uint32_t> carveouts;     ///< bytes: how much of it can be shared memory, ascending

  double fp32_lanes = 0, int32_lanes = 0, imul_lanes = 0, sfu_lanes = 0, fp64_lanes = 0, fp16x2_lanes = 0;
  double alu_lanes = 0;  ///< FP32 and INT32 together, where they share lanes
  double shuffle_lanes = 0, convert_lanes = 0, schedulers = 4;
  double shared_bytes_per_clock = 128;

  double alu_latency = 4, imul_latency = 4, sfu_latency = 20, fp64_latency = 8, convert_latency = 10,
         shuffle_latency = 23, barrier_latency = 20;
  double shared_latency = 0, l1_latency = 0, l2_latency = 0, dram_latency = 0;
  double block_latency = 0;  ///< from a block's end to the first instruction of the one that follows

  double fp16_tensor_tflops = 0;
  double host_gb_s = 0;  ///< link to the host, both directions
  double l2_gb_s = 0;
  /// Of dram_gb_s that kernels which only load, only store, or do both can reach.
  double dram_load_share = 0.92, dram_store_share = 0.92, dram_copy_share = 0.87;
  double atomic_same_ns = 0;       ///< between two atomics on one address
  double atomic_lanes_per_us = 0;  ///< on many addresses, the whole chip
  double launch_us = 0;            ///< of an empty kernel, from event to event

  std::vector<GpuFigure> figures;
};

}  // namespace warpbook
