// A GPU of this machine gets a row from what its driver tells.
#include "model/own_gpu.h"

#include "catch.h"
#include "model/gpu_figures.h"
#include "model/occupancy.h"

using namespace warpbook;

namespace {

GpuTable shipped() {
  auto loaded = load_gpu_table(Path(WARPBOOK_SOURCE_DIR) / "assets" / "gpus.json");
  REQUIRE(loaded.ok());
  return std::move(*loaded);
}

/// As deviceQuery prints it for a laptop's RTX 4060, with a memory of its own.
ToldGpu laptop() {
  return {"NVIDIA GeForce RTX 4060 Laptop GPU",
          "8.9",
          8ull << 30,
          {{"multiprocessors", 24},
           {"clock_khz", 2250000},
           {"memory_clock_khz", 8001000},
           {"memory_bus_bits", 128},
           {"l2_bytes", 33554432},
           {"max_threads_per_multiprocessor", 1536},
           {"max_blocks_per_multiprocessor", 24},
           {"shared_bytes_per_multiprocessor", 102400},
           {"shared_bytes_reserved_per_block", 1024}}};
}

const GpuFigure& figure(const GpuSpec& gpu, const char* name) {
  for (const GpuFigure& one : gpu.figures)
    if (one.name == name) return one;
  FAIL("no figure " << name);
  return gpu.figures.front();
}

}  // namespace

TEST_CASE("Own GPU: what the driver tells is measured, the rest is taken from the row most like it") {
  const GpuTable table = shipped();
  const auto row = own_gpu_row(table, laptop());
  REQUIRE(row.ok());
  const GpuSpec like = *gpu_named(table.gpus, "RTX 4060");
  CHECK(row->name == "NVIDIA GeForce RTX 4060 Laptop GPU");
  CHECK(row->compute == "8.9");
  CHECK(row->sms == 24);
  CHECK(row->boost_mhz == 2250);
  CHECK(row->l2_mb == Approx(33.55).epsilon(0.001));
  CHECK(row->dram_gb_s == Approx(256.03).epsilon(0.001));
  CHECK(row->memory_bytes == 8ull << 30);
  CHECK(figure(*row, "sms").status == "measured");
  CHECK(figure(*row, "dram_latency").status == "estimated");
  CHECK(figure(*row, "dram_latency").source.find("RTX 4060") != std::string::npos);
  CHECK(row->dram_latency == like.dram_latency);
  CHECK(row->fp32_tflops == Approx(24 * 128 * 2 * 2250e-6));
  CHECK(row->l2_gb_s == Approx(like.l2_gb_s * 2250 / like.boost_mhz));
  CHECK(row->carveouts.back() == row->shared_per_sm);
  // Every figure of the shipped rows is there, with a unit and a source.
  for (const GpuFigureRule& rule : gpu_figure_rules())
    if (rule.need != GpuFigureRule::Need::never) CHECK_FALSE(figure(*row, rule.name.data()).source.empty());
  const auto occupancy = occupancy_of(*row, {256, 32, 0, 0, -1, 1});
  REQUIRE(occupancy.ok());
  CHECK(occupancy->active_blocks == 6);
}

TEST_CASE("Own GPU: limits that the driver tells hold, not those of the capability") {
  ToldGpu told = laptop();
  for (auto& [name, value] : told.attributes)
    if (name == "max_blocks_per_multiprocessor") value = 16;
  const auto row = own_gpu_row(shipped(), told);
  REQUIRE(row.ok());
  CHECK(occupancy_of(*row, {32, 16, 0, 0, -1, 1})->active_blocks == 16);
}

TEST_CASE("Own GPU: a capability that no product has takes the nearest of its generation") {
  ToldGpu told = laptop();
  told.name = "NVIDIA GB10";
  told.compute = "12.1";
  const auto row = own_gpu_row(shipped(), told);
  REQUIRE(row.ok());
  CHECK(row->compute == "12.1");
  CHECK(figure(*row, "l2_latency").source.find("RTX 5090") != std::string::npos);
  told.compute = "5.2";
  const auto unknown = own_gpu_row(shipped(), told);
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().message.find("5.2") != std::string::npos);
}

TEST_CASE("Own GPU: its row joins the table, in place of one with its name") {
  GpuTable table = shipped();
  const size_t before = table.gpus.size();
  add_own_gpu(table, laptop());
  REQUIRE(table.gpus.size() == before + 1);
  add_own_gpu(table, laptop());
  CHECK(table.gpus.size() == before + 1);
  ToldGpu unknown = laptop();
  unknown.compute = "5.2";
  unknown.name = "GTX 980";
  add_own_gpu(table, unknown);
  CHECK(table.gpus.size() == before + 1);
}
