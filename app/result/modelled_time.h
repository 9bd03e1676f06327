#pragma once
// The timing model's answer for one launch on one GPU, with everything that explains it.
#include <cstdint>
#include <string>
#include <vector>

namespace warpbook {

/// One resource that the launch keeps busy.
struct TimeTerm {
  std::string name;   ///< issue alu fp32 int imul sfu fp64 fp16 convert tensor lsu l2 dram latency atomics
  std::string label;  ///< "Shared memory and L1"
  double cycles = 0;  ///< of an SM over the launch, were it the only limit
  std::string words;  ///< how it comes about, with its numbers
};

/// Bytes that went over one link of the memory system, and the share that was served there.
struct MemoryLevel {
  std::string name;     ///< L1, L2, DRAM
  double bytes = 0;     ///< asked of it
  double hit_rate = 0;  ///< 0..1; of DRAM 1
  double peak_gb_s = 0;
};

struct ModelledTime {
  std::string gpu;
  double us = 0, low_us = 0, high_us = 0;
  std::vector<TimeTerm> terms;  ///< the largest first
  std::string dominating;       ///< name of the first, or "launch"
  std::string formula;          ///< with its numbers filled in
  double launch_us = 0;
  double clock_mhz = 0;

  // How blocks fill the GPU.
  int sms = 0;
  int64_t blocks = 0, blocks_per_sm = 0;
  double waves = 0, wave_efficiency = 0;
  double block_cycles = 0;       ///< of one block among its neighbours
  std::vector<float> slot_ends;  ///< when each slot for a block runs dry, share of the whole; may be empty

  std::vector<MemoryLevel> memory;  ///< L1, L2, DRAM
  double shared_passes = 0, shared_ideal_passes = 0;
  double flop = 0;         ///< floating-point operations of the launch
  double peak_tflops = 0;  ///< of FP32
  bool sampled = false;    ///< from a part of the blocks
  std::string sampling;    ///< "16 of 4,096 blocks", or empty
};

/// "12.3 µs", at most three digits: a model has no more.
std::string time_in_words(double us);
/// The label of what dominates: "DRAM bandwidth", or "The launch itself".
std::string dominating_in_words(const ModelledTime& modelled);

}  // namespace warpbook
