#include "model/own_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

#include "base/complaint.h"
#include "base/text.h"
#include "model/gpu_figures.h"

namespace warpbook {

namespace {

constexpr const char* by_driver = "this machine's driver";

/// An attribute of the driver and the figure that it is, in that figure's unit.
struct Told {
  std::string_view attribute, figure;
  double factor;
};
constexpr Told told_figures[] = {
    {"multiprocessors", "sms", 1},
    {"clock_khz", "boost_mhz", 1e-3},
    {"l2_bytes", "l2_mb", 1e-6},
    {"max_threads_per_block", "max_threads_per_block", 1},
    {"max_block_x", "max_block_x", 1},
    {"max_block_y", "max_block_y", 1},
    {"max_block_z", "max_block_z", 1},
    {"max_grid_x", "max_grid_x", 1},
    {"max_grid_y", "max_grid_y", 1},
    {"max_grid_z", "max_grid_z", 1},
    {"max_threads_per_multiprocessor", "max_warps_per_sm", 1.0 / 32},
    {"max_blocks_per_multiprocessor", "max_blocks_per_sm", 1},
    {"registers_per_multiprocessor", "registers_per_sm", 1},
    {"shared_bytes_per_multiprocessor", "shared_per_sm_kib", 1.0 / 1024},
    {"shared_bytes_per_block", "shared_per_block_kib", 1.0 / 1024},
    {"shared_bytes_per_block_optin", "shared_per_block_optin_kib", 1.0 / 1024},
    {"shared_bytes_reserved_per_block", "shared_reserved_bytes", 1},
};

/// Words of letters and digits, in small letters: "NVIDIA A100-SXM4-40GB" is nvidia, a100, sxm4, 40gb.
std::vector<std::string> words_of_name(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      words.back() += char(std::tolower(static_cast<unsigned char>(c)));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// The first word with a digit: a100, 4090, t4.
std::string model_number(const std::string& name) {
  for (const std::string& word : words_of_name(name))
    if (std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); })) return word;
  return {};
}

int64_t attribute_of(const ToldGpu& told, std::string_view name) {
  for (const auto& [attribute, value] : told.attributes)
    if (attribute == name) return value;
  return 0;
}

/// Memory of half or twice the size counts as much as half or twice as many SMs.
double distance(const GpuSpec& row, const ToldGpu& told) {
  const auto apart = [](double a, double b) { return a > 0 && b > 0 ? std::fabs(std::log(a / b)) : 0; };
  return apart(row.sms, double(attribute_of(told, "multiprocessors"))) +
         apart(double(row.memory_bytes), double(told.memory_bytes));
}

/// The row whose figures stand in for what the driver does not tell: the same model before the same
/// capability, that before the same generation, then the nearest in size.
const GpuSpec* most_like(const GpuTable& table, const ToldGpu& told) {
  const std::string generation = told.compute.substr(0, told.compute.find('.'));
  const std::string model = model_number(told.name);
  const GpuSpec* best = nullptr;
  std::pair<int, double> best_rank;
  for (const GpuSpec& row : table.gpus) {
    if (row.compute.substr(0, row.compute.find('.')) != generation) continue;
    const int unlike = row.compute != told.compute ? 2 : model_number(row.name) != model ? 1 : 0;
    const std::pair rank(unlike, distance(row, told));
    if (best && rank >= best_rank) continue;
    best = &row;
    best_rank = rank;
  }
  return best;
}

/// Sets a figure in its place; a value that the figure's rule refuses changes nothing.
bool put(GpuSpec& gpu, std::string_view name, double value, const char* status, const std::string& source) {
  const GpuFigureRule* rule = gpu_figure_rule(name);
  if (!rule || rule->list || !(value >= rule->min && value <= rule->max)) return false;
  if (rule->whole && value != std::floor(value)) return false;
  rule->store(gpu, value);
  GpuFigure figure;
  figure.name = std::string(name);
  figure.unit = std::string(rule->unit);
  figure.status = status;
  figure.source = source;
  figure.value = value;
  const auto place = std::find_if(gpu.figures.begin(), gpu.figures.end(),
                                  [&](const GpuFigure& other) { return other.name == name; });
  if (place == gpu.figures.end()) {
    gpu.figures.push_back(std::move(figure));
  } else {
    *place = std::move(figure);
  }
  return true;
}

/// The sizes that shared memory can have end at the SM's own.
void fit_carveouts(GpuSpec& gpu) {
  std::vector<uint32_t>& sizes = gpu.carveouts;
  sizes.erase(
      std::remove_if(sizes.begin(), sizes.end(), [&](uint32_t size) { return size >= gpu.shared_per_sm; }),
      sizes.end());
  sizes.push_back(gpu.shared_per_sm);
  gpu.unified_bytes = std::max(gpu.unified_bytes, gpu.shared_per_sm);
}

}  // namespace

Result<GpuSpec> own_gpu_row(const GpuTable& table, const ToldGpu& told) {
  const auto family = capability_named(table, told.compute);
  if (!family) return family.error();
  const GpuSpec* like = most_like(table, told);
  if (!like)
    return complaint(fmt::format("no GPU of the table is of the generation of the {} (compute {})", told.name,
                                 told.compute));
  GpuSpec gpu = *family;
  gpu.name = told.name;
  gpu.kind = like->kind;
  const std::string from_like = fmt::format("the row of the {}, which is most like it", like->name);
  for (const GpuFigure& figure : like->figures)
    if (gpu_figure_rule(figure.name)->need == GpuFigureRule::Need::of_a_gpu)
      put(gpu, figure.name, figure.value, "estimated", from_like);
  // A driver that does not know an attribute tells 0, which no rule here but the reserve allows.
  for (const Told& one : told_figures)
    if (const int64_t value = attribute_of(told, one.attribute); value > 0)
      put(gpu, one.figure, double(value) * one.factor, "measured", by_driver);
  fit_carveouts(gpu);
  put(gpu, "memory_gib", std::ceil(double(told.memory_bytes) / double(1ull << 30)), "measured", by_driver);
  // Two transfers a cycle of the memory's clock, as deviceQuery reckons it.
  const double clock = double(attribute_of(told, "memory_clock_khz")) * 1e3;
  const double bus = double(attribute_of(told, "memory_bus_bits")) / 8;
  put(gpu, "dram_gb_s", 2 * clock * bus / 1e9, "measured",
      "memory clock x bus width x 2, as the driver tells them");
  const double clocks = gpu.boost_mhz / like->boost_mhz, size = clocks * double(gpu.sms) / double(like->sms);
  put(gpu, "fp32_tflops", double(gpu.sms) * gpu.fp32_lanes * 2 * gpu.boost_mhz / 1e6, "estimated",
      "SMs x lanes x 2 x clock");
  const std::string scaled = from_like + ", by SMs and clock";
  put(gpu, "l2_gb_s", like->l2_gb_s * size, "estimated", scaled);
  put(gpu, "fp16_tensor_tflops", like->fp16_tensor_tflops * size, "estimated", scaled);
  put(gpu, "atomic_lanes_per_us", like->atomic_lanes_per_us * clocks, "estimated",
      from_like + ", by the clock");
  return gpu;
}

void add_own_gpu(GpuTable& table, const ToldGpu& told) {
  auto row = own_gpu_row(table, told);
  if (!row) return;
  const auto same = std::find_if(table.gpus.begin(), table.gpus.end(), [&](const GpuSpec& other) {
    return words_of_name(other.name) == words_of_name(told.name);
  });
  if (same == table.gpus.end()) {
    table.gpus.push_back(std::move(*row));
  } else {
    *same = std::move(*row);
  }
}

}  // namespace warpbook
