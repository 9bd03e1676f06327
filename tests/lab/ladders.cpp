// Published ladders of real GPUs against the timing model: the right order, and each step's ratio within 1.5
// of the measured one. What is known to miss stands in the tables as `off`, with the figure that the model
// gives; nothing is fitted to a kernel.
#include <cmath>

#include "ladder.h"

using namespace ladder;

namespace {

constexpr double tolerance = 1.5;

struct Rung {
  const char* kernel;
  double measured;  ///< GB/s or GFLOP/s
  double modelled = 0;
  std::string dominating;
};

std::string table_of(const char* title, const std::vector<Rung>& rungs) {
  std::string text = std::string(title) + "\n";
  for (const Rung& rung : rungs)
    text += std::string("  ") + rung.kernel + ": measured " + std::to_string(rung.measured) + ", modelled " +
            std::to_string(rung.modelled) + " (" + rung.dominating + ")\n";
  return text;
}

/// Every step's ratio, modelled over measured.
std::vector<double> step_errors(const std::vector<Rung>& rungs) {
  std::vector<double> errors;
  for (size_t i = 1; i < rungs.size(); ++i)
    errors.push_back((rungs[i].modelled / rungs[i - 1].modelled) /
                     (rungs[i].measured / rungs[i - 1].measured));
  return errors;
}

bool within(double ratio, double factor) { return ratio <= factor && ratio >= 1 / factor; }

}  // namespace

TEST_CASE("The SGEMM ladder stands in the right order on four GPUs, each step within 1.5", "[ladder]") {
  if (!session()) return;
  const struct {
    const char* kernel;
    Dim3 block;
    double blocks;  ///< of the product of 4096
  } kernels[] = {{"naive", {32, 32, 1}, 16384},        {"coalesced", {1024, 1, 1}, 16384},
                 {"shared_tile", {1024, 1, 1}, 16384}, {"column_tile", {512, 1, 1}, 4096},
                 {"square_tile", {256, 1, 1}, 1024},   {"vectorised", {256, 1, 1}, 1024}};
  std::vector<Ran> runs;
  for (const auto& one : kernels)
    runs.push_back(run_of(
        "sgemm.cu", one.kernel, {4, 4, 1}, one.block,
        {"a=buf:f32[1048576]:zeros", "b=buf:f32[1048576]:zeros", "c=buf:f32[1048576]:zeros", "n=i32:1024"}));
  // siboehm/SGEMM_CUDA (RTX A6000) and public forks of it (A100 PCIe 40 GB, RTX 4090, RTX 5050 laptop), n =
  // 4096.
  GpuSpec a6000 = gpu_of("RTX 3090");
  a6000.sms = 84;
  a6000.boost_mhz = 1800;
  a6000.dram_gb_s = 768;
  a6000.l2_gb_s = 16.5 * 84 * 1.8;
  GpuSpec laptop = gpu_of("RTX 5090");
  laptop.sms = 20;
  laptop.boost_mhz = 2500;
  laptop.dram_gb_s = 384;
  laptop.l2_mb = 32;
  laptop.l2_gb_s = 14.7 * 20 * 2.5;
  const struct {
    const char* name;
    GpuSpec gpu;
    std::vector<double> measured;
  } gpus[] = {{"RTX A6000", a6000, {309, 1986.5, 2980.3, 8474.7, 15971.7, 18237.3}},
              {"A100 PCIe 40 GB", gpu_of("A100 40 GB"), {290.7, 3006.9, 4859.7, 9260.8, 12276.0, 13033.9}},
              {"RTX 4090", gpu_of("RTX 4090"), {681.3, 4834, 6552, 19282.1, 36052.5, 43326.3}},
              {"RTX 5050 laptop", laptop, {108.2, 716.3, 999.2, 3057.6, 5018.3, 6299.1}}};
  for (const auto& one : gpus) {
    std::vector<Rung> rungs;
    double log_error = 0;
    for (size_t k = 0; k < runs.size(); ++k) {
      const ModelledTime time =
          whole(one.gpu, runs[k], uint64_t(kernels[k].blocks), 4, 3 * 4096.0 * 4096 * 4);
      rungs.push_back(
          {kernels[k].kernel, one.measured[k], 2 * 4096.0 * 4096 * 4096 / time.us / 1000, time.dominating});
      log_error += std::fabs(std::log(rungs.back().modelled / rungs.back().measured));
    }
    INFO(table_of(one.name, rungs) << "geometric mean error x" << std::exp(log_error / double(runs.size())));
    for (const double error : step_errors(rungs)) CHECK(within(error, tolerance));
    for (size_t k = 1; k < rungs.size(); ++k) CHECK(rungs[k].modelled > rungs[k - 1].modelled * 0.99);
    CHECK(std::exp(log_error / double(runs.size())) <= 1.5);
  }
}

TEST_CASE("Transposes: the bank conflict shows on the V100 and hides behind DRAM on the RTX 3090",
          "[ladder]") {
  if (!session()) return;
  const char* kernels[] = {"copy", "rows_in", "rows_out", "tile", "padded_tile"};
  std::vector<Ran> runs;
  for (const char* kernel : kernels)
    runs.push_back(run_of("transpose.cu", kernel, {4, 4, 1}, {32, 8, 1},
                          {"in=buf:f32[524288]:zeros", "out=buf:f32[524288]:zeros", "n=i32:4096"}));
  const auto bandwidth = [&](const GpuSpec& gpu, size_t k) {
    return 2 * 4096.0 * 4096 * 4 / whole(gpu, runs[k], 16384, 1, 2 * 4096.0 * 4096 * 4).us / 1000;
  };
  const GpuSpec ampere = gpu_of("RTX 3090");
  std::vector<double> on_3090;
  std::string text;
  for (size_t k = 0; k < runs.size(); ++k) {
    on_3090.push_back(bandwidth(ampere, k));
    text += std::string(kernels[k]) + " " + std::to_string(on_3090.back()) + " GB/s\n";
  }
  // Measured on an RTX 3090: 257.7 rows in, 639.2 rows out, 669 to 672 with conflicts, 670.5 padded.
  INFO(text);
  // Known to miss: padding gains 1.24 in the model and nothing on the card.
  CHECK(within(on_3090[4] / on_3090[3], tolerance));
  CHECK(on_3090[1] < on_3090[4]);
  CHECK(within(on_3090[4] / 670.5, tolerance));
  CHECK(runs[3].result.counters->shared_load.bank_passes ==
        32 * runs[3].result.counters->shared_load.requests);
  CHECK(runs[4].result.counters->shared_load.bank_passes == runs[4].result.counters->shared_load.requests);
  // Loads of a row are 4 sectors a request, stores of a column 32.
  CHECK(runs[1].result.counters->global_load.sectors == 4 * runs[1].result.counters->global_load.requests);
  CHECK(runs[1].result.counters->global_store.sectors == 32 * runs[1].result.counters->global_store.requests);
}

TEST_CASE("Reductions: the V100's ladder of doubles", "[ladder]") {
  if (!session()) return;
  GpuSpec v100 = gpu_of("A100 40 GB");
  v100.sms = 80;
  v100.boost_mhz = 1530;
  v100.dram_gb_s = 900;
  v100.dram_load_share = 0.96;
  v100.l2_gb_s = 2440;
  v100.l2_mb = 6;
  v100.dram_latency = 434;
  v100.block_latency = 369;
  const struct {
    const char* kernel;
    double measured;  // GB/s of 2^25 doubles
    uint64_t per_block;
  } steps[] = {{"interleaved", 303.0, 256},
               {"strided", 427.0, 256},
               {"sequential", 649.5, 256},
               {"many_loads", 872.6, 2048}};
  std::vector<Rung> rungs;
  for (const auto& step : steps) {
    const Ran ran = run_of("reduction.cu", step.kernel, {16, 1, 1}, {256, 1, 1},
                           {"in=buf:f64[32768]:zeros", "out=buf:f64[128]:zeros", "n=i32:32768"});
    const double count = 33554432;
    const ModelledTime time = whole(v100, ran, uint64_t(count / double(step.per_block)), 1, count * 8);
    rungs.push_back({step.kernel, step.measured, count * 8 / time.us / 1000, time.dominating});
  }
  INFO(table_of("V100", rungs));
  // Known to miss: the first step, 1.41 on the card, is none in the model (0.98), which sees both at DRAM.
  for (size_t k = 2; k < rungs.size(); ++k) CHECK(rungs[k].modelled > rungs[k - 1].modelled);
  for (const double error : step_errors(rungs)) CHECK(within(error, tolerance));
}

TEST_CASE("Histograms: shared atomics beat global ones at least a hundredfold on the H100", "[ladder]") {
  if (!session()) return;
  const GpuSpec h100 = gpu_of("H100 SXM5");
  const auto time_of = [&](const char* kernel, uint64_t blocks) {
    const Ran ran =
        run_of("histogram.cu", kernel, {16, 1, 1}, {256, 1, 1},
               {"in=buf:u8[4194304]:random(7,0,255)", "bins=buf:u32[256]:zeros", "n=i32:4194304"});
    return whole(h100, ran, blocks, 1, 1073741824.0).us;
  };
  // Measured, 2^30 uniform bytes: 276.1 ms with global atomics, 1.53 ms with shared ones.
  const double global = time_of("global_atomics", 1073741824 / 256),
               shared = time_of("shared_atomics", 1073741824 / 256 / 1024);
  INFO("global " << global << " us, shared " << shared << " us");
  CHECK(global / shared >= 100);
  CHECK(within(global / 276100, tolerance));
}

TEST_CASE("Fusing element-wise kernels gains the ratio of their bytes at large sizes", "[ladder]") {
  if (!session()) return;
  const auto ran = [&](const char* kernel, int buffers) {
    std::vector<std::string> args;
    for (int i = 0; i < buffers; ++i) args.push_back(std::string(1, char('a' + i)) + "=buf:f32[65536]:zeros");
    args.push_back("n=i32:65536");
    return run_of("fusion.cu", kernel, {64, 1, 1}, {256, 1, 1}, args);
  };
  const GpuSpec gpu = gpu_of("A100 40 GB");
  const uint64_t blocks = 1 << 20;
  const double size = double(blocks) * 256 * 4;
  // add then copy: 5 transfers; fused: 3. Ratio 1.67.
  const double apart =
      whole(gpu, ran("add", 3), blocks, 1, 3 * size).us + whole(gpu, ran("copy", 2), blocks, 1, 2 * size).us;
  const double fused = whole(gpu, ran("add", 3), blocks, 1, 3 * size).us;
  CHECK(apart / fused == Approx(5.0 / 3).epsilon(0.08));
}
