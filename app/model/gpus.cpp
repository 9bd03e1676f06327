// The rows by name.
#include "model/gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/complaint.h"
#include "base/text.h"
#include "model/gpu_table.h"

namespace warpbook {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

template <class Row>
Result<Row> named(const std::vector<Row>& gpus, const std::string& name) {
  std::vector<std::string> names;
  for (const Row& gpu : gpus) {
    if (lower(gpu.name) == lower(name)) return gpu;
    names.push_back(gpu.name);
  }
  const auto close = nearest_word(name, names);
  return complaint(fmt::format("no GPU is called \"{}\"; known are: {}", name, join(names, ", ")),
                   close ? fmt::format("did you mean \"{}\"?", *close) : std::string{});
}

}  // namespace

Result<std::vector<GpuRow>> load_gpus(const Path& file) {
  const auto table = load_gpu_table(file);
  if (!table) return table.error();
  return std::vector<GpuRow>(table->gpus.begin(), table->gpus.end());
}

Result<GpuRow> gpu_named(const std::vector<GpuRow>& gpus, const std::string& name) {
  return named(gpus, name);
}
Result<GpuSpec> gpu_named(const std::vector<GpuSpec>& gpus, const std::string& name) {
  return named(gpus, name);
}

}  // namespace warpbook
