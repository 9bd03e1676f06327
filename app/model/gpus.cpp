// Reads the table of GPUs: limits per compute capability, figures per product, every group with its source.
#include "model/gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/complaint.h"
#include "base/text.h"
#include "model/json_line.h"

namespace warpbook {

namespace {

using nlohmann::json;

/// Asks for values by pointer and keeps the first thing that is wrong.
struct Reader {
  const json& root;
  std::string_view text;
  std::string file;
  std::optional<Error> error;

  void fail(const std::string& pointer, const std::string& what) {
    if (error) return;
    error = complaint(fmt::format("{}: {}", pointer, what), {}, {file, line_of_pointer(text, pointer), 0});
  }
  const json* find(const std::string& pointer) {
    const json::json_pointer place(pointer);
    if (!root.contains(place)) {
      fail(pointer, "is missing");
      return nullptr;
    }
    return &root.at(place);
  }
  double number(const std::string& pointer, double min, double max) {
    const json* value = find(pointer);
    if (!value) return 0;
    if (!value->is_number()) {
      fail(pointer, "must be a number");
      return 0;
    }
    const double number = value->get<double>();
    if (!(number >= min && number <= max)) {
      fail(pointer, fmt::format("is {}, but must lie between {} and {}", number, min, max));
      return 0;
    }
    return number;
  }
  uint64_t whole(const std::string& pointer, uint64_t min, uint64_t max) {
    const double value = number(pointer, double(min), double(max));
    if (value != double(uint64_t(value))) fail(pointer, "must be a whole number");
    return uint64_t(value);
  }
  std::string words(const std::string& pointer) {
    const json* value = find(pointer);
    if (!value) return {};
    if (!value->is_string() || value->get<std::string>().empty()) {
      fail(pointer, "must be text");
      return {};
    }
    return value->get<std::string>();
  }
};

void read_capability(Reader& reader, const std::string& at, GpuRow& gpu) {
  constexpr uint64_t kib = 1024;
  gpu.max_threads_per_block = int(reader.whole(at + "/launch/max_threads_per_block", 1, 4096));
  gpu.max_block_x = int(reader.whole(at + "/launch/max_block/0", 1, 4096));
  gpu.max_block_y = int(reader.whole(at + "/launch/max_block/1", 1, 4096));
  gpu.max_block_z = int(reader.whole(at + "/launch/max_block/2", 1, 4096));
  gpu.max_grid_x = reader.whole(at + "/launch/max_grid/0", 1, 4294967295u);
  gpu.max_grid_y = reader.whole(at + "/launch/max_grid/1", 1, 4294967295u);
  gpu.max_grid_z = reader.whole(at + "/launch/max_grid/2", 1, 4294967295u);
  gpu.max_warps_per_sm = int(reader.whole(at + "/residency/max_warps_per_sm", 1, 256));
  gpu.max_blocks_per_sm = int(reader.whole(at + "/residency/max_blocks_per_sm", 1, 256));
  gpu.registers_per_sm = int(reader.whole(at + "/residency/registers_per_sm", 1, 1u << 24));
  gpu.shared_per_sm = uint32_t(reader.whole(at + "/shared/per_sm_kib", 1, 4096) * kib);
  gpu.shared_per_block = uint32_t(reader.whole(at + "/shared/per_block_kib", 1, 4096) * kib);
  gpu.shared_per_block_optin = uint32_t(reader.whole(at + "/shared/per_block_optin_kib", 1, 4096) * kib);
  gpu.shared_reserved = uint32_t(reader.whole(at + "/shared/reserved_bytes", 0, 65536));
  for (const char* group : {"launch", "residency", "shared", "rates", "bytes_per_clock"})
    reader.words(fmt::format("{}/{}/source", at, group));
}

GpuRow read_gpu(Reader& reader, const std::string& at) {
  GpuRow gpu;
  gpu.name = reader.words(at + "/name");
  gpu.compute = reader.words(at + "/compute");
  const std::string capability = "/capabilities/" + gpu.compute;
  if (!reader.error && !reader.root.contains(json::json_pointer(capability)))
    reader.fail(at + "/compute",
                fmt::format("no capability {} is described under /capabilities", gpu.compute));
  if (reader.error) return gpu;
  read_capability(reader, capability, gpu);
  gpu.sms = int(reader.whole(at + "/chip/sms", 1, 4096));
  gpu.boost_mhz = reader.number(at + "/chip/boost_mhz", 1, 10000);
  gpu.l2_mb = reader.number(at + "/chip/l2_mb", 0, 4096);
  gpu.fp32_tflops = reader.number(at + "/peak/fp32_tflops", 0, 100000);
  gpu.memory_bytes = reader.whole(at + "/memory/gib", 1, 65536) << 30;
  gpu.dram_gb_s = reader.number(at + "/memory/dram_gb_s", 1, 1000000);
  for (const char* group : {"chip", "peak", "memory", "links"})
    reader.words(fmt::format("{}/{}/source", at, group));
  return gpu;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

}  // namespace

Result<std::vector<GpuRow>> load_gpus(const Path& file) {
  auto text = read_file(file, 4u << 20);
  if (!text) return text.error();
  json root;
  try {
    root = json::parse(*text);
  } catch (const json::parse_error& problem) {
    const size_t place = std::min(problem.byte, text->size());
    const auto line = 1 + std::count(text->begin(), text->begin() + std::ptrdiff_t(place), '\n');
    return complaint("is no valid JSON", problem.what(), {file.string(), int(line), 0});
  }
  Reader reader{root, *text, file.string(), std::nullopt};
  const json* rows = root.is_object() ? reader.find("/gpus") : nullptr;
  if (rows && !rows->is_array()) reader.fail("/gpus", "must be a list");
  if (!root.is_object()) reader.fail("", "must be an object with capabilities and gpus");
  if (reader.error) return *reader.error;

  std::vector<GpuRow> gpus;
  for (size_t i = 0; i < rows->size(); ++i) {
    const std::string at = fmt::format("/gpus/{}", i);
    GpuRow gpu = read_gpu(reader, at);
    const auto same = [&](const GpuRow& other) { return lower(other.name) == lower(gpu.name); };
    if (std::any_of(gpus.begin(), gpus.end(), same)) reader.fail(at + "/name", "stands twice: " + gpu.name);
    if (reader.error) {
      if (!gpu.name.empty()) reader.error->message += fmt::format(" (GPU \"{}\")", gpu.name);
      return *reader.error;
    }
    gpus.push_back(std::move(gpu));
  }
  if (gpus.empty()) return complaint("/gpus: must hold at least one GPU", {}, {file.string(), 1, 0});
  return gpus;
}

Result<GpuRow> gpu_named(const std::vector<GpuRow>& gpus, const std::string& name) {
  std::vector<std::string> names;
  for (const GpuRow& gpu : gpus) {
    if (lower(gpu.name) == lower(name)) return gpu;
    names.push_back(gpu.name);
  }
  const auto close = nearest_word(name, names);
  return complaint(fmt::format("no GPU is called \"{}\"; known are: {}", name, join(names, ", ")),
                   close ? fmt::format("did you mean \"{}\"?", *close) : std::string{});
}

}  // namespace warpbook
