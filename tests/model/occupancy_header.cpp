// Random launches against NVIDIA's own calculator, where a CUDA toolkit lies on the machine that builds this.
#include <random>

#include "catch.h"
#include "model/gpu_table.h"
#include "model/occupancy.h"

#ifdef WARPBOOK_HAVE_CUDA_OCCUPANCY
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop
#endif

using namespace warpbook;

#ifdef WARPBOOK_HAVE_CUDA_OCCUPANCY

namespace {

int compared = 0;

/// Our answer and the header's as text, so that a difference shows whole.
std::string ours(const Occupancy& o) {
  return std::to_string(o.active_blocks) + " of warps " + std::to_string(o.limit_warps) + ", registers " +
         std::to_string(o.limit_registers) + ", shared " + std::to_string(o.limit_shared) + ", blocks " +
         std::to_string(o.limit_blocks) + ", allocated " + std::to_string(o.registers_per_block) + " and " +
         std::to_string(o.shared_per_block);
}

std::string theirs(const GpuSpec& gpu, const OccupancyQuestion& q) {
  cudaOccDeviceProp device;
  const size_t point = gpu.compute.find('.');
  device.computeMajor = std::stoi(gpu.compute.substr(0, point));
  device.computeMinor = std::stoi(gpu.compute.substr(point + 1));
  device.maxThreadsPerBlock = gpu.max_threads_per_block;
  device.maxThreadsPerMultiprocessor = gpu.max_warps_per_sm * 32;
  device.regsPerBlock = device.regsPerMultiprocessor = gpu.registers_per_sm;
  device.warpSize = 32;
  device.sharedMemPerBlock = gpu.shared_per_block;
  device.sharedMemPerMultiprocessor = gpu.shared_per_sm;
  device.numSms = 1;
  device.sharedMemPerBlockOptin = gpu.shared_per_block_optin;
  device.reservedSharedMemPerBlock = gpu.shared_reserved;
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = gpu.max_threads_per_block;
  kernel.numRegs = int(q.registers);
  kernel.sharedSizeBytes = size_t(q.static_bytes);
  kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = gpu.shared_per_block_optin - size_t(q.static_bytes);
  kernel.numBlockBarriers = int(q.barriers);
  cudaOccDeviceState state;
  state.carveoutConfig = int(q.carveout);
  cudaOccResult result;
  const cudaOccError code = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &device, &kernel, &state, int(q.block_size), size_t(q.dynamic_bytes));
  if (code != CUDA_OCC_SUCCESS) return "error " + std::to_string(code);
  ++compared;
  Occupancy o;
  o.active_blocks = result.activeBlocksPerMultiprocessor;
  o.limit_warps = result.blockLimitWarps;
  o.limit_registers = result.blockLimitRegs;
  o.limit_shared = result.blockLimitSharedMem;
  o.limit_blocks = result.blockLimitBlocks;
  o.registers_per_block = result.allocatedRegistersPerBlock;
  o.shared_per_block = int64_t(result.allocatedSharedMemPerBlock);
  return ours(o);
}

}  // namespace

TEST_CASE("Occupancy: 100,000 random launches agree with cuda_occupancy.h") {
  const auto table = load_gpu_table(Path(WARPBOOK_SOURCE_DIR) / "assets" / "gpus.json");
  REQUIRE(table.ok());
  std::mt19937 random(20);
  const auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  int wrong = 0;
  for (int i = 0; i < 100000 && wrong < 5; ++i) {
    const GpuSpec& gpu = table->capabilities[size_t(i) % table->capabilities.size()];
    OccupancyQuestion q;
    q.block_size = pick(0, 3) ? pick(1, 1024) : pick(1, 1200);
    q.registers = pick(0, 256);
    q.static_bytes = pick(0, 2) ? 0 : pick(0, 49152);
    q.dynamic_bytes = pick(0, 2) ? pick(0, gpu.shared_per_block_optin - q.static_bytes + 300) : 0;
    q.carveout = pick(0, 1) ? -1 : pick(0, 100);
    q.barriers = pick(0, 5) ? 1 : pick(0, 16);
    const std::string expected = theirs(gpu, q);
    const std::string got = ours(*occupancy_of(gpu, q));
    if (got == expected) continue;
    ++wrong;
    CHECK(gpu.compute + " block " + std::to_string(q.block_size) + " registers " +
              std::to_string(q.registers) + " shared " + std::to_string(q.static_bytes) + "+" +
              std::to_string(q.dynamic_bytes) + " carve-out " + std::to_string(q.carveout) + " barriers " +
              std::to_string(q.barriers) + ": " + got ==
          expected);
  }
  CHECK(wrong == 0);
  CHECK(compared > 90000);
}

#else

TEST_CASE("Occupancy: random launches against cuda_occupancy.h (skipped: no CUDA toolkit at build time)") {
  WARN("cuda_occupancy.h was not found when this was configured: 100,000 random launches were not compared");
}

#endif
