#pragma once
// One GPU as data: a row of assets/gpus.json. Sizes in bytes, rates in the unit of their name.
#include <cstdint>
#include <string>

namespace warpbook {

struct GpuRow {
  std::string name;     ///< "A100 40 GB"
  std::string compute;  ///< "8.0"
  int sms = 0;
  int max_threads_per_block = 1024;
  int max_block_x = 1024, max_block_y = 1024, max_block_z = 64;
  uint64_t max_grid_x = 2147483647, max_grid_y = 65535, max_grid_z = 65535;
  int max_warps_per_sm = 0, max_blocks_per_sm = 0;
  int registers_per_sm = 65536;
  uint32_t shared_per_sm = 0;         ///< bytes
  uint32_t shared_per_block = 49152;  ///< without opt-in
  uint32_t shared_per_block_optin = 0;
  uint32_t shared_reserved = 0;  ///< bytes that the system takes of each block's
  uint64_t memory_bytes = 0;
  double boost_mhz = 0, fp32_tflops = 0, dram_gb_s = 0, l2_mb = 0;
  double l1_bytes_per_clock = 128;  ///< of one SM
};

}  // namespace warpbook
