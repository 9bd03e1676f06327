// The table of GPUs: what it says, what its schema says, and how broken tables are refused.
#include "model/gpus.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "model/gpu_table.h"
#include "model/json_line.h"
#include "schema_check.h"

using namespace warpbook;
using nlohmann::json;

namespace {

const Path table = Path(WARPBOOK_SOURCE_DIR) / "assets" / "gpus.json";

json read_json(const Path& path) {
  std::ifstream file(path);
  return json::parse(file);
}

/// Loads a changed copy of the table.
Result<std::vector<GpuSpec>> load_changed(const std::string& pointer, const json& value) {
  json changed = read_json(table);
  changed[json::json_pointer(pointer)] = value;
  const Path path = std::filesystem::temp_directory_path() / "warpbook-test-gpus.json";
  std::ofstream(path) << changed.dump(2);
  auto loaded = load_gpu_table(path);
  std::filesystem::remove(path);
  if (!loaded) return loaded.error();
  return std::move(loaded->gpus);
}

}  // namespace

TEST_CASE("The table holds fourteen GPUs with the figures of their data sheets") {
  const auto gpus = load_gpus(table);
  REQUIRE(gpus.ok());
  CHECK(gpus->size() == 14);
  const auto a100 = gpu_named(*gpus, default_gpu_name);
  REQUIRE(a100.ok());
  CHECK(a100->compute == "8.0");
  CHECK(a100->sms == 108);
  CHECK(a100->max_warps_per_sm == 64);
  CHECK(a100->shared_per_sm == 164 * 1024);
  CHECK(a100->shared_per_block == 48 * 1024);
  CHECK(a100->shared_per_block_optin == 163 * 1024);
  CHECK(a100->shared_reserved == 1024);
  CHECK(a100->memory_bytes == 40ull << 30);
  const auto turing = gpu_named(*gpus, "t4");
  REQUIRE(turing.ok());
  CHECK(turing->name == "T4");
  CHECK(turing->shared_reserved == 0);
  CHECK(turing->max_blocks_per_sm == 16);
  const auto newest = gpu_named(*gpus, "RTX 5090");
  REQUIRE(newest.ok());
  CHECK(newest->max_blocks_per_sm == 24);
}

TEST_CASE("FP32 peaks are SMs times lanes times two times the clock") {
  const json root = read_json(table);
  for (const json& gpu : root["gpus"]) {
    const json& capability = root["capabilities"][gpu["compute"].get<std::string>()];
    const json& own = gpu["figures"];
    const double tflops = own["sms"]["value"].get<double>() *
                          capability["fp32_lanes"]["value"].get<double>() * 2 *
                          own["boost_mhz"]["value"].get<double>() * 1e-6;
    INFO(gpu["name"]);
    CHECK(std::fabs(tflops - own["fp32_tflops"]["value"].get<double>()) <= 0.06);
  }
}

TEST_CASE("The table keeps its schema, and the schema refuses what is wrong") {
  const json schema = read_json(Path(WARPBOOK_SOURCE_DIR) / "assets" / "gpus.schema.json");
  json root = read_json(table);
  CHECK(schema_check::problem(root, schema, schema) == "");
  root["gpus"][3]["figures"]["sms"].erase("source");
  CHECK(schema_check::problem(root, schema, schema) == "/gpus/3/figures/sms/source: required");
  root = read_json(table);
  root["gpus"][0]["figures"]["sms"]["status"] = "guessed";
  CHECK(schema_check::problem(root, schema, schema) == "/gpus/0/figures/sms/status: enum");
  root = read_json(table);
  root["gpus"][0]["price"] = 3;
  CHECK(schema_check::problem(root, schema, schema) == "/gpus/0/price: additionalProperties");
}

TEST_CASE("A broken table says where") {
  const auto missing = load_changed("/gpus/2/figures/sms/value", "many");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message.find("/gpus/2/figures/sms/value") != std::string::npos);
  CHECK(missing.error().message.find("A100 40 GB") != std::string::npos);
  CHECK(missing.error().where.line > 100);
  CHECK_FALSE(load_changed("/gpus/1/compute", "3.5").ok());
  CHECK_FALSE(load_changed("/gpus/1/name", "T4").ok());
  CHECK_FALSE(load_changed("/gpus", json::array()).ok());
  CHECK_FALSE(load_changed("/gpus/0/figures/dram_gb_s/value", -1).ok());
  CHECK_FALSE(load_changed("/capabilities/8.0/unified_kib/source", "").ok());
  CHECK_FALSE(load_changed("/gpus/0/figures/sms/unit", "cores").ok());
  CHECK_FALSE(load_changed("/gpus/0/figures/colour", json{{"value", 1}, {"unit", "1"}}).ok());
  CHECK_FALSE(load_changed("/capabilities/8.0/carveouts_kib/value", json{0, 16, 8}).ok());
  CHECK_FALSE(load_gpus("/nowhere/gpus.json").ok());
}

TEST_CASE("Every compute capability with data has a row, and every figure says where it is from") {
  const auto loaded = load_gpu_table(table);
  REQUIRE(loaded.ok());
  std::vector<std::string> known;
  for (const GpuSpec& row : loaded->capabilities) known.push_back(row.compute);
  CHECK(known == std::vector<std::string>{"7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "10.3", "12.0", "12.1"});
  for (const auto* rows : {&loaded->capabilities, &loaded->gpus})
    for (const GpuSpec& row : *rows)
      for (const GpuFigure& figure : row.figures) {
        INFO(row.name << " " << figure.name);
        CHECK_FALSE(figure.source.empty());
        CHECK_FALSE(figure.unit.empty());
      }
  const auto unknown = capability_named(*loaded, "8.7");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().message.find("8.6, 8.9") != std::string::npos);
}

TEST_CASE("A GPU is added by a row") {
  json changed = read_json(table);
  json made_up = changed["gpus"][2];
  made_up["name"] = "Imaginary 9000";
  made_up["figures"]["sms"]["value"] = 7;
  made_up["figures"]["max_warps_per_sm"] = {
      {"value", 40}, {"unit", "warps"}, {"status", "estimated"}, {"source", "made up"}};
  changed["gpus"].push_back(made_up);
  const auto gpus = load_changed("/gpus", changed["gpus"]);
  REQUIRE(gpus.ok());
  const auto row = gpu_named(*gpus, "imaginary 9000");
  REQUIRE(row.ok());
  CHECK(row->sms == 7);
  CHECK(row->max_warps_per_sm == 40);  // its own figure instead of its capability's
  CHECK(row->shared_per_sm == 164 * 1024);
}

TEST_CASE("An unknown GPU is refused with the known ones") {
  const auto gpus = load_gpus(table);
  REQUIRE(gpus.ok());
  const auto unknown = gpu_named(*gpus, "RTX 4091");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().message.find("RTX 4090") != std::string::npos);
  CHECK(unknown.error().hint.find("RTX 4090") != std::string::npos);
}

TEST_CASE("Lines of pointers are found in nested text") {
  const std::string text = "{\n  \"a\": [1,\n    {\"b\\\"\": 2},\n    [3]],\n  \"c\": {\"a\": \"}\"}\n}\n";
  CHECK(line_of_pointer(text, "") == 1);
  CHECK(line_of_pointer(text, "/a") == 2);
  CHECK(line_of_pointer(text, "/a/1") == 3);
  CHECK(line_of_pointer(text, "/a/2/0") == 4);
  CHECK(line_of_pointer(text, "/c/a") == 5);
  CHECK(line_of_pointer(text, "/c/missing") == 5);
}
