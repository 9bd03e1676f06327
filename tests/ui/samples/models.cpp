// Samples of the views of the models: a launch on a GPU that does not exist, so that new rows of the real
// table change no picture.
#include "model/occupancy.h"
#include "ui/view_sample.h"

namespace warpbook::ui {

namespace {

GpuSpec made_up_gpu(const char* name, int warps) {
  GpuSpec gpu;
  gpu.name = name;
  gpu.compute = "8.0";
  gpu.sms = 60;
  gpu.max_warps_per_sm = warps;
  gpu.max_blocks_per_sm = 32;
  gpu.shared_per_sm = 164 * 1024;
  gpu.shared_per_block_optin = 163 * 1024;
  gpu.shared_reserved = 1024;
  for (const uint32_t kib : {0u, 8u, 16u, 32u, 64u, 100u, 132u, 164u}) gpu.carveouts.push_back(kib * 1024);
  return gpu;
}

ModelledTime sample_time() {
  ModelledTime m;
  m.gpu = "Sample 60";
  m.us = 41.7;
  m.low_us = 27.8;
  m.high_us = 62.6;
  m.terms = {{"lsu", "Shared memory and L1", 42000, "1,050 cycles a block x 40 blocks an SM"},
             {"dram", "DRAM bandwidth", 30500, "762 cycles a block x 40 blocks an SM"},
             {"alu", "FP32 and integer lanes", 17200, ""},
             {"issue", "Instruction issue", 16100, ""},
             {"latency", "Waiting for results", 9000, ""}};
  m.dominating = "lsu";
  m.formula = "batch = ...";
  m.sms = 60;
  m.blocks = 1600;
  m.blocks_per_sm = 8;
  m.waves = 3.33;
  m.wave_efficiency = 0.83;
  for (int slot = 0; slot < 480; ++slot) m.slot_ends.push_back(slot < 160 ? 1.f : 0.76f);
  m.memory = {{"L1", 268e6, 0.5, 7000}, {"L2", 134e6, 0.9, 4500}, {"DRAM", 13e6, 1, 600}};
  m.flop = 268e6;
  m.peak_tflops = 12;
  return m;
}

}  // namespace

void fill_memory_chart(SampleRun& run) {
  run.modelled = sample_time();
  run.modelled->shared_passes = 3200;
  run.modelled->shared_ideal_passes = 1600;
}

void fill_modelled_time(SampleRun& run) {
  run.modelled = sample_time();
  run.previous_modelled = sample_time();
  run.previous_modelled->terms[0].cycles = 78000;
  run.previous_modelled->terms[1].cycles = 31000;
}

void fill_occupancy(SampleRun& run) {
  const GpuSpec gpu = made_up_gpu("Sample 60", 64);
  const OccupancyQuestion question{192, 40, 4352, 2048, -1, 1};
  run.occupancy = occupancy_picture(gpu, question, {gpu, made_up_gpu("Sample 30", 32)});
  run.occupancy->compiled_for = "sm_80";
}

void fill_roofline(SampleRun& run) { run.modelled = sample_time(); }

}  // namespace warpbook::ui
