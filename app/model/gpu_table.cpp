// Reads the table of GPUs: the figures of a compute capability, then a GPU's own on top of them.
#include "model/gpu_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/complaint.h"
#include "base/text.h"
#include "model/gpu_figures.h"
#include "model/json_line.h"

namespace warpbook {

namespace {

using nlohmann::json;

/// Takes what stands at a pointer and keeps the first thing that is wrong.
struct Reader {
  const json& root;
  std::string_view text;
  std::string file;
  std::optional<Error> error;

  void fail(const std::string& pointer, const std::string& what) {
    if (error) return;
    error = complaint(fmt::format("{}: {}", pointer, what), {}, {file, line_of_pointer(text, pointer), 0});
  }
  const json* member(const json& object, const std::string& at, const char* name) {
    if (object.is_object())
      if (const auto found = object.find(name); found != object.end()) return &*found;
    fail(fmt::format("{}/{}", at, name), "is missing");
    return nullptr;
  }
  std::string words(const json& object, const std::string& at, const char* name) {
    const json* value = member(object, at, name);
    if (!value) return {};
    if (value->is_string() && !value->get_ref<const std::string&>().empty()) return value->get<std::string>();
    fail(fmt::format("{}/{}", at, name), "must be text");
    return {};
  }
};

double number(Reader& reader, const json& value, const std::string& at, const GpuFigureRule& rule) {
  if (!value.is_number()) {
    reader.fail(at, "must be a number");
    return rule.min;
  }
  const double number = value.get<double>();
  if (!(number >= rule.min && number <= rule.max)) {
    reader.fail(at, fmt::format("is {}, but must lie between {} and {}", number, rule.min, rule.max));
    return rule.min;
  }
  if (rule.whole && number != double(int64_t(number))) reader.fail(at, "must be a whole number");
  return number;
}

/// One figure into its place. What stood there before gives way.
void read_figure(Reader& reader, const std::string& name, const json& given, const std::string& at,
                 GpuSpec& gpu) {
  const GpuFigureRule* rule = gpu_figure_rule(name);
  if (!rule) return reader.fail(at, "is no figure that Warpbook knows");
  GpuFigure figure;
  figure.name = name;
  figure.unit = reader.words(given, at, "unit");
  figure.status = reader.words(given, at, "status");
  figure.source = reader.words(given, at, "source");
  if (figure.unit != rule->unit && !reader.error)
    reader.fail(at + "/unit", fmt::format("is {}, but this figure is in {}", figure.unit, rule->unit));
  if (figure.status != "measured" && figure.status != "published" && figure.status != "estimated")
    reader.fail(at + "/status", "must be measured, published or estimated");
  const json* value = reader.member(given, at, "value");
  if (!value) return;
  if (rule->list) {
    if (!value->is_array() || value->empty()) return reader.fail(at + "/value", "must be a list of numbers");
    gpu.carveouts.clear();
    for (const json& one : *value) {
      const double next = number(reader, one, at + "/value", *rule);
      if (&one != &value->front() && next <= figure.value) reader.fail(at + "/value", "must ascend");
      rule->store(gpu, figure.value = next);
    }
  } else {
    rule->store(gpu, figure.value = number(reader, *value, at + "/value", *rule));
  }
  const auto same = [&](const GpuFigure& other) { return other.name == name; };
  const auto place = std::find_if(gpu.figures.begin(), gpu.figures.end(), same);
  if (place == gpu.figures.end()) {
    gpu.figures.push_back(std::move(figure));
  } else {
    *place = std::move(figure);
  }
}

void read_figures(Reader& reader, const json* figures, const std::string& at, GpuSpec& gpu) {
  if (!figures) return;
  if (!figures->is_object()) return reader.fail(at, "must be an object of figures");
  for (const auto& [name, figure] : figures->items())
    if (!reader.error) read_figure(reader, name, figure, at + "/" + name, gpu);
}

void demand(Reader& reader, const GpuSpec& gpu, const std::string& at, bool is_gpu) {
  using Need = GpuFigureRule::Need;
  for (const GpuFigureRule& rule : gpu_figure_rules()) {
    if (rule.need == Need::never || (rule.need == Need::of_a_gpu && !is_gpu)) continue;
    const auto same = [&](const GpuFigure& figure) { return figure.name == rule.name; };
    if (std::none_of(gpu.figures.begin(), gpu.figures.end(), same))
      reader.fail(fmt::format("{}/{}", at, rule.name), "is missing");
  }
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

}  // namespace

Result<GpuTable> load_gpu_table(const Path& file) {
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
  if (!root.is_object()) reader.fail("", "must be an object with capabilities and gpus");
  const json* capabilities = reader.error ? nullptr : reader.member(root, "", "capabilities");
  if (capabilities && !capabilities->is_object()) reader.fail("/capabilities", "must be an object");
  const json* rows = reader.error ? nullptr : reader.member(root, "", "gpus");
  if (rows && !rows->is_array()) reader.fail("/gpus", "must be a list");
  if (reader.error) return *reader.error;

  GpuTable table;
  for (const auto& [compute, figures] : capabilities->items()) {
    GpuSpec row;
    row.name = row.compute = compute;
    const std::string at = "/capabilities/" + compute;
    read_figures(reader, &figures, at, row);
    demand(reader, row, at, false);
    if (reader.error) return *reader.error;
    table.capabilities.push_back(std::move(row));
  }
  const auto version = [](const GpuSpec& row) { return parse_double(row.compute).value_or(0); };
  std::sort(table.capabilities.begin(), table.capabilities.end(),
            [&](const GpuSpec& a, const GpuSpec& b) { return version(a) < version(b); });
  for (size_t i = 0; i < rows->size(); ++i) {
    const std::string at = fmt::format("/gpus/{}", i);
    const json& given = (*rows)[i];
    const std::string name = reader.words(given, at, "name"), compute = reader.words(given, at, "compute");
    GpuSpec gpu;
    const auto family = std::find_if(table.capabilities.begin(), table.capabilities.end(),
                                     [&](const GpuSpec& row) { return row.compute == compute; });
    if (family != table.capabilities.end()) {
      gpu = *family;
    } else {
      reader.fail(at + "/compute", fmt::format("no capability {} is described under /capabilities", compute));
    }
    gpu.name = name;
    gpu.kind = reader.words(given, at, "class");
    read_figures(reader, reader.error ? nullptr : reader.member(given, at, "figures"), at + "/figures", gpu);
    if (!reader.error) demand(reader, gpu, at + "/figures", true);
    const auto same = [&](const GpuSpec& other) { return lower(other.name) == lower(name); };
    if (std::any_of(table.gpus.begin(), table.gpus.end(), same))
      reader.fail(at + "/name", "stands twice: " + name);
    if (reader.error) {
      if (!name.empty()) reader.error->message += fmt::format(" (GPU \"{}\")", name);
      return *reader.error;
    }
    table.gpus.push_back(std::move(gpu));
  }
  if (table.gpus.empty()) return complaint("/gpus: must hold at least one GPU", {}, {file.string(), 1, 0});
  return table;
}

Result<GpuSpec> capability_named(const GpuTable& table, const std::string& compute) {
  std::vector<std::string> names;
  for (const GpuSpec& row : table.capabilities) {
    if (row.compute == compute) return row;
    names.push_back(row.compute);
  }
  return complaint(fmt::format("no figures are known for compute capability {}; known are: {}", compute,
                               join(names, ", ")));
}

}  // namespace warpbook
