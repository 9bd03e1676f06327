// The table of GPUs: what it says, what its schema says, and how broken tables are refused.
#include "model/gpus.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "catch.h"
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
Result<std::vector<GpuRow>> load_changed(const std::string& pointer, const json& value) {
  json changed = read_json(table);
  changed[json::json_pointer(pointer)] = value;
  const Path path = std::filesystem::temp_directory_path() / "warpbook-test-gpus.json";
  std::ofstream(path) << changed.dump(2);
  auto loaded = load_gpus(path);
  std::filesystem::remove(path);
  return loaded;
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
    const json& rates = root["capabilities"][gpu["compute"].get<std::string>()]["rates"];
    const double tflops = gpu["chip"]["sms"].get<double>() * rates["fp32"].get<double>() * 2 *
                          gpu["chip"]["boost_mhz"].get<double>() * 1e-6;
    INFO(gpu["name"]);
    CHECK(std::fabs(tflops - gpu["peak"]["fp32_tflops"].get<double>()) <= 0.06);
  }
}

TEST_CASE("The table keeps its schema, and the schema refuses what is wrong") {
  const json schema = read_json(Path(WARPBOOK_SOURCE_DIR) / "assets" / "gpus.schema.json");
  json root = read_json(table);
  CHECK(schema_check::problem(root, schema, schema) == "");
  root["gpus"][3]["chip"].erase("source");
  CHECK(schema_check::problem(root, schema, schema) == "/gpus/3/chip/source: required");
  root = read_json(table);
  root["gpus"][0]["chip"]["sms"] = "forty";
  CHECK(schema_check::problem(root, schema, schema) == "/gpus/0/chip/sms: type integer");
  root = read_json(table);
  root["gpus"][0]["price"] = 3;
  CHECK(schema_check::problem(root, schema, schema) == "/gpus/0/price: additionalProperties");
}

TEST_CASE("A broken table says where") {
  const auto missing = load_changed("/gpus/2/chip/sms", "many");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message.find("/gpus/2/chip/sms") != std::string::npos);
  CHECK(missing.error().message.find("A100 40 GB") != std::string::npos);
  CHECK(missing.error().where.line > 100);
  CHECK_FALSE(load_changed("/gpus/1/compute", "3.5").ok());
  CHECK_FALSE(load_changed("/gpus/1/name", "T4").ok());
  CHECK_FALSE(load_changed("/gpus", json::array()).ok());
  CHECK_FALSE(load_changed("/gpus/0/memory/dram_gb_s", -1).ok());
  CHECK_FALSE(load_changed("/capabilities/8.0/shared/source", "").ok());
  CHECK_FALSE(load_gpus("/nowhere/gpus.json").ok());
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
