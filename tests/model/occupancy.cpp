// Occupancy to the digit: the calculator's own answers, what means nothing, what raises it.
#include "model/occupancy.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "model/gpu_table.h"

using namespace warpbook;
using nlohmann::json;

namespace {

GpuTable table() {
  auto loaded = load_gpu_table(Path(WARPBOOK_SOURCE_DIR) / "assets" / "gpus.json");
  REQUIRE(loaded.ok());
  return std::move(*loaded);
}

GpuSpec capability(const std::string& compute) {
  const auto row = capability_named(table(), compute);
  REQUIRE(row.ok());
  return *row;
}

OccupancyQuestion question_of(const json& c) {
  OccupancyQuestion q;
  q.block_size = c["block_size"];
  q.registers = c["regs_per_thread"];
  q.static_bytes = c["static_smem"];
  q.dynamic_bytes = c["dynamic_smem"];
  q.carveout = c["carveout"];
  return q;
}

/// The same case with our answers in it.
json answered(json c, const Occupancy& o) {
  c["active_blocks"] = o.active_blocks;
  c["active_warps"] = o.active_warps;
  c["max_warps"] = o.max_warps;
  c["limit_warps"] = o.limit_warps;
  c["limit_registers"] = o.limit_registers;
  c["limit_shared_memory"] = o.limit_shared;
  c["limit_blocks"] = o.limit_blocks;
  c["regs_allocated_per_block"] = o.registers_per_block;
  c["smem_allocated_per_block"] = o.shared_per_block;
  c["limiting_factors"] = o.limiting;
  return c;
}

}  // namespace

TEST_CASE("Occupancy: 88 cases agree with the calculator in every figure") {
  std::ifstream file(Path(WARPBOOK_SOURCE_DIR) / "tests" / "model" / "occupancy_cases.json");
  const json root = json::parse(file);
  const GpuTable gpus = table();
  REQUIRE(root["cases"].size() == 88);
  for (const json& c : root["cases"]) {
    const auto gpu = capability_named(gpus, c["cc"].get<std::string>());
    REQUIRE(gpu.ok());
    const auto found = occupancy_of(*gpu, question_of(c));
    REQUIRE(found.ok());
    CHECK(answered(c, *found) == c);
    CHECK(found->percent == Approx(c["occupancy_pct"].get<double>()).margin(0.005));
  }
}

TEST_CASE("Occupancy: a block that does not fit is an answer that names the limit") {
  const GpuSpec gpu = capability("8.0");
  OccupancyQuestion q{2048, 32, 0, 0, -1, 1};
  CHECK(occupancy_of(gpu, q)->active_blocks == 0);
  CHECK(occupancy_of(gpu, q)->limiting == std::vector<std::string>{"warps"});
  q = {1024, 128, 0, 0, -1, 1};
  CHECK(occupancy_of(gpu, q)->limiting == std::vector<std::string>{"registers"});
  q = {128, 256, 0, 2147483648, -1, 1};
  CHECK(occupancy_of(gpu, q)->limiting == std::vector<std::string>{"shared_memory"});
}

TEST_CASE("Occupancy: input that means nothing is named") {
  const GpuSpec gpu = capability("8.0");
  const auto refused = [&](OccupancyQuestion q, const char* word) {
    const auto answer = occupancy_of(gpu, q);
    REQUIRE_FALSE(answer.ok());
    INFO(answer.error().message);
    CHECK(answer.error().trouble == Trouble::bad_input);
    CHECK(answer.error().message.find(word) != std::string::npos);
  };
  refused({0, 32, 0, 0, -1, 1}, "block");
  refused({-5, 32, 0, 0, -1, 1}, "-5");
  refused({32, -1, 0, 0, -1, 1}, "registers");
  refused({32, 257, 0, 0, -1, 1}, "257");
  refused({32, 32, -1, 0, -1, 1}, "static");
  refused({32, 32, 0, 2147483649, -1, 1}, "dynamic");
  refused({32, 32, 0, 0, 101, 1}, "carve-out");
  refused({32, 32, 0, 0, -2, 1}, "carve-out");
}

TEST_CASE("Occupancy: the nearest changes are where the number of blocks changes, and nowhere nearer") {
  for (const GpuSpec& gpu : table().capabilities) {
    for (const OccupancyQuestion& q :
         {OccupancyQuestion{256, 40, 0, 0, -1, 1}, OccupancyQuestion{96, 48, 1000, 3000, -1, 1},
          OccupancyQuestion{1024, 33, 0, 20000, 50, 1}, OccupancyQuestion{33, 200, 0, 0, -1, 1}}) {
      const int64_t now = occupancy_of(gpu, q)->active_blocks;
      const auto changes = occupancy_changes(gpu, q);
      INFO(gpu.compute << " block " << q.block_size << " registers " << q.registers);
      CHECK_FALSE(changes.empty());
      for (const OccupancyChange& change : changes) {
        int64_t OccupancyQuestion::*member = change.input == "block_size" ? &OccupancyQuestion::block_size
                                             : change.input == "registers"
                                                 ? &OccupancyQuestion::registers
                                                 : &OccupancyQuestion::dynamic_bytes;
        OccupancyQuestion at = q;
        at.*member = change.value;
        CHECK(occupancy_of(gpu, at)->active_blocks == change.active_blocks);
        CHECK(change.active_blocks != now);
        const int64_t step = change.value > q.*member ? -1 : 1;
        for (int64_t v = change.value + step; v != q.*member; v += step) {
          if (change.input == "block_size" && v % 32 != 0) continue;
          at.*member = v;
          if (occupancy_of(gpu, at)->active_blocks != now) FAIL(change.input << " " << v << " is nearer");
        }
      }
    }
  }
}

TEST_CASE("Occupancy: curves pass through every step") {
  const GpuSpec gpu = capability("8.0");
  const OccupancyQuestion q{256, 32, 0, 0, -1, 1};
  const auto blocks = occupancy_curve(gpu, q, OccupancyInput::block_size);
  REQUIRE(blocks.size() == 32);
  CHECK(blocks.front().active_warps == 32);  // 32 blocks of one warp: the slots for blocks are full
  CHECK(blocks.back().active_warps == 64);
  for (const auto input : {OccupancyInput::registers, OccupancyInput::shared_bytes}) {
    const auto curve = occupancy_curve(gpu, q, input);
    REQUIRE(curve.size() > 4);
    for (size_t i = 1; i < curve.size(); ++i) {
      CHECK(curve[i].value > curve[i - 1].value);
      CHECK(curve[i].active_blocks <= curve[i - 1].active_blocks);
    }
  }
  CHECK(occupancy_curve(gpu, q, OccupancyInput::registers).back().value == 255);
}
