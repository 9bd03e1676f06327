// crossover: few quick workers against many slow ones. Lanes above, the bill of one size in the middle, and
// below the time of both over the number of elements.
#include "view/crossover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "view/colour.h"
#include "view/paint.h"
#include "view/picture.h"
#include "view/scrub.h"
#include "view/visualisers.h"

namespace warpbook::view {

double RaceTerms::cpu_seconds(double n) const {
  const double compute = n * instructions / (cpu_cores * cpu_rate);
  const double memory = n * (bytes_in + bytes_out) / cpu_bandwidth;
  return (cpu_cores > 1 ? cpu_start : 0) + std::max(compute, memory);
}

RaceTerms::Gpu RaceTerms::gpu_seconds(double n) const {
  Gpu gpu;
  gpu.launch = launch;
  // Fewer elements than lanes: the others have nothing to do, and one element takes as long as before.
  const double lanes = std::min(gpu_lanes, std::max(n, 1.0));
  gpu.kernel = std::max(n * instructions / (lanes * gpu_clock), n * (bytes_in + bytes_out) / gpu_bandwidth);
  if (copies) {
    gpu.copy_in = link_start + n * bytes_in / link;
    gpu.copy_out = link_start + n * bytes_out / link;
  }
  return gpu;
}

std::optional<double> RaceTerms::crossover(double most) const {
  const auto first = [&](double n) { return gpu_seconds(n).total() < cpu_seconds(n); };
  constexpr int points = 400;
  const double decades = std::log10(most);
  double before = 1;
  for (int i = 0; i <= points; ++i) {
    double n = std::pow(10.0, decades * i / points);
    if (!first(n)) {
      before = n;
      continue;
    }
    for (int k = 0; k < 40 && i > 0; ++k) {  // between `before` and n
      const double middle = std::sqrt(before * n);
      (first(middle) ? n : before) = middle;
    }
    return n;
  }
  return std::nullopt;
}

std::optional<RaceTerms> make_race_terms(const ViewInput& input) {
  const double elements = option_number(input, "elements", 0);
  if (!input.counters || elements <= 0 || input.counters->thread_instructions == 0) return std::nullopt;
  RaceTerms terms;
  terms.instructions = double(input.counters->thread_instructions) / elements;
  terms.bytes_in = double(input.counters->global_load.bytes) / elements;
  terms.bytes_out = double(input.counters->global_store.bytes) / elements;
  terms.cpu_cores = std::max(1.0, option_number(input, "cpu_cores", terms.cpu_cores));
  terms.cpu_rate = option_number(input, "cpu_rate", terms.cpu_rate);
  terms.cpu_bandwidth = option_number(input, "cpu_bandwidth", terms.cpu_bandwidth);
  terms.cpu_start = option_number(input, "cpu_start", terms.cpu_start);
  terms.gpu_lanes = option_number(input, "gpu_lanes", terms.gpu_lanes);
  terms.gpu_clock = option_number(input, "gpu_clock", terms.gpu_clock);
  terms.gpu_bandwidth = option_number(input, "gpu_bandwidth", terms.gpu_bandwidth);
  terms.launch = option_number(input, "launch", terms.launch);
  terms.link = option_number(input, "link", terms.link);
  terms.link_start = option_number(input, "link_start", terms.link_start);
  terms.copies = option_number(input, "copies", 1) != 0;
  return terms;
}

double elements_at(size_t step) {
  return std::round(std::pow(10.0, std::log10(most_elements) * double(step) / double(race_steps - 1)));
}

size_t step_near(double elements) {
  const double share =
      std::log10(std::clamp(elements, fewest_elements, most_elements)) / std::log10(most_elements);
  return size_t(std::lround(share * double(race_steps - 1)));
}

std::string seconds_in_words(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.2g} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{} µs", short_number(seconds * 1e6));
  if (seconds < 1) return fmt::format("{} ms", short_number(seconds * 1e3));
  return fmt::format("{} s", short_number(seconds));
}

std::string rounded_count(double count) {
  if (count < 100) return fmt::format("{:.0f}", count);
  const double unit = std::pow(10.0, std::floor(std::log10(count)) - 1);
  return with_thousands(uint64_t(std::llround(count / unit) * unit));
}

namespace {

/// Two digits: a model deserves no more.
std::string rounded_ratio(double ratio) {
  return ratio < 10 ? fmt::format("{:.1f}", ratio) : rounded_count(ratio);
}

constexpr uint32_t lane_columns = 108;

/// Lanes as points, 108 side by side; those that have an element are full.
Pixels lane_pixels(double lanes, double busy, const Style& style) {
  Pixels pixels;
  pixels.width = lane_columns;
  pixels.height = std::max(1u, uint32_t(std::ceil(lanes / lane_columns)));
  pixels.rgba.assign(size_t(pixels.width) * pixels.height, style.line);
  const size_t full = size_t(std::clamp(busy, 0.0, lanes));
  // Block by block: columns fill from the left, as multiprocessors take their blocks one after the other.
  for (size_t i = 0; i < full; ++i) {
    const size_t column = i / pixels.height, row = i % pixels.height;
    if (column < pixels.width) pixels.rgba[row * pixels.width + column] = style.accent;
  }
  return pixels;
}

struct Segment {
  std::string name;
  double seconds;
  uint32_t colour;
};

void bill(Painter& painter, float y, const std::string& name, const std::vector<Segment>& segments,
          double longest) {
  const DrawArea& area = painter.area();
  const float left = area.x + painter.dp(44), width = area.width - painter.dp(44 + 84);
  painter.text(area.x, y, name, painter.style().ink);
  float x = left;
  double total = 0;
  for (const Segment& segment : segments) {
    const float part = float(segment.seconds / longest) * width;
    painter.box(x, y, part, painter.dp(16), segment.colour);
    if (painter.hovered(x, y, std::max(part, 2.0f), painter.dp(16)))
      painter.tooltip(fmt::format("{}: {} (modelled)", segment.name, seconds_in_words(segment.seconds)));
    x += part;
    total += segment.seconds;
  }
  painter.text(left + width + painter.dp(8), y, seconds_in_words(total), painter.style().ink);
}

struct Plot {
  float x, y, width, height;
  double low, high;  ///< log10 of seconds
  float across(double n) const { return x + float(std::log10(n) / std::log10(most_elements)) * width; }
  float up(double seconds) const {
    const double share = (std::log10(seconds) - low) / (high - low);
    return y + height - float(std::clamp(share, 0.0, 1.0)) * height;
  }
};

void draw_axes(Painter& painter, const Plot& plot) {
  const uint32_t grid = mixed(painter.style().paper, painter.style().line, 0.7f),
                 words = painter.style().muted;
  const char* counts[] = {"1", "1,000", "1 million", "1 billion"};
  for (int i = 0; i < 4; ++i) {
    const float x = plot.across(std::pow(1000.0, i));
    painter.line(x, plot.y, x, plot.y + plot.height, grid);
    const float y = plot.y + plot.height + painter.dp(3);
    if (i == 0)
      painter.text(x, y, counts[i], words);
    else if (i == 3)
      painter.text_right(x, y, counts[i], words);
    else
      painter.text_centred(x, y, counts[i], words);
  }
  for (double tick = std::ceil(plot.low / 3) * 3; tick <= plot.high; tick += 3) {
    const float y = plot.up(std::pow(10.0, tick));
    painter.line(plot.x, y, plot.x + plot.width, y, grid);
    const char* name = tick <= -9   ? "1 ns"
                       : tick <= -6 ? "1 µs"
                       : tick <= -3 ? "1 ms"
                       : tick <= 0  ? "1 s"
                                    : "1000 s";
    painter.text_right(plot.x - painter.dp(6), y - painter.line_height() / 2, name, words);
  }
}

void draw(const ViewInput& input, ViewState& state, Selection&, const Style& style, const PictureMaker& maker,
          const DrawArea& area) {
  Painter painter(style, area, input.stale);
  const std::optional<RaceTerms> terms = make_race_terms(input);
  if (!terms) {
    draw_message(painter, "Run the lab to count what one element costs.");
    return;
  }
  const auto control = input.values.find("n");
  const double wanted = control == input.values.end() ? 1e6 : double(std::max<int64_t>(1, control->second));
  if (!state.numbers.count("wanted") || state.numbers["wanted"] != wanted) {
    state.numbers["wanted"] = wanted;
    state.numbers["step"] = double(step_near(wanted));
  }
  const size_t step = step_of(state, race_steps);
  const double n = step == step_near(wanted) ? wanted : elements_at(step);
  const RaceTerms::Gpu gpu = terms->gpu_seconds(n);
  const double cpu = terms->cpu_seconds(n);
  const float caption = painter.line_height();
  const uint32_t cpu_colour = style.series[1], gpu_colour = style.accent;

  float y = area.y;
  const std::string first = gpu.total() < cpu
                                ? fmt::format("the GPU is first, {} to 1", rounded_ratio(cpu / gpu.total()))
                                : fmt::format("the CPU is first, {} to 1", rounded_ratio(gpu.total() / cpu));
  const float words =
      painter.text(area.x, y, fmt::format("{} elements: {}", rounded_count(n), first), style.ink);
  painter.stamp(area.x + words + painter.dp(8), y - painter.dp(1), Stamp::modelled);
  y += caption + painter.dp(8);

  // Workers: a box each on the CPU, a point each on the GPU.
  painter.text(area.x, y, "CPU", style.ink);
  const float side = painter.dp(12), left = area.x + painter.dp(44);
  const int cores = int(std::min(terms->cpu_cores, 64.0));
  const float pitch = std::min(side + painter.dp(3), (area.width - painter.dp(44)) / float(cores));
  for (int core = 0; core < cores; ++core)
    painter.box(left + float(core) * pitch, y + painter.dp(2), pitch - painter.dp(3), side,
                double(core) < n ? cpu_colour : style.line, painter.dp(2));
  if (painter.hovered(left, y, float(cores) * pitch, side + painter.dp(4)))
    painter.tooltip(fmt::format("{} cores, {} billion instructions a second each", cores,
                                short_number(terms->cpu_rate / 1e9)));
  y += side + painter.dp(10);
  painter.text(area.x, y, "GPU", style.ink);
  const Pixels lanes = lane_pixels(terms->gpu_lanes, n, style);
  Placed place;
  place.x = left;
  place.y = y;
  place.width = area.width - painter.dp(44);
  place.height = std::min(painter.dp(72), area.height * 0.18f);
  place.scale = place.width / float(lanes.width);
  const bool fresh = state.numbers["lanes"] != std::min(n, terms->gpu_lanes) + (style.dark ? 0.5 : 0.25);
  state.numbers["lanes"] = std::min(n, terms->gpu_lanes) + (style.dark ? 0.5 : 0.25);
  draw_pixels(painter, state, maker, 0, lanes, fresh, place);
  if (painter.hovered(place.x, place.y, place.width, place.height))
    painter.tooltip(
        fmt::format("{} lanes, one instruction a clock each at {} GHz; {} of them have an element",
                    with_thousands(uint64_t(terms->gpu_lanes)), short_number(terms->gpu_clock / 1e9),
                    with_thousands(uint64_t(std::min(n, terms->gpu_lanes)))));
  y += place.height + painter.dp(12);

  const double longest = std::max(cpu, gpu.total());
  bill(painter, y, "CPU", {{"work", cpu, cpu_colour}}, longest);
  y += painter.dp(22);
  bill(painter, y, "GPU",
       {{"launch", gpu.launch, style.series[3]},
        {"copy in", gpu.copy_in, style.series[0]},
        {"kernel", gpu.kernel, gpu_colour},
        {"copy out", gpu.copy_out, style.series[4]}},
       longest);
  y += painter.dp(22);
  y += painter.legend(area.x, y, area.width,
                      {{style.series[3], "launch"},
                       {style.series[0], "copy in"},
                       {gpu_colour, "kernel"},
                       {style.series[4], "copy out"}}) +
       painter.dp(8);

  const std::optional<double> meet = terms->crossover(most_elements);
  painter.text_fitted(area.x, y, area.width,
                      meet ? fmt::format("From about {} elements on, the GPU is first", rounded_count(*meet))
                           : "With these settings the CPU stays ahead at every size",
                      style.ink);
  y += caption + painter.dp(6);
  const float bottom = area.y + area.height - painter.dp(34) - caption;
  Plot plot{left, y, area.width - painter.dp(44), std::max(bottom - y, painter.dp(60)), 0, 0};
  plot.low = std::floor(std::log10(std::min(terms->cpu_seconds(1), 1e-6)));
  plot.high = std::ceil(
      std::log10(std::max(terms->cpu_seconds(most_elements), terms->gpu_seconds(most_elements).total())));
  draw_axes(painter, plot);
  for (size_t i = 1; i < race_steps; ++i) {
    const double a = elements_at(i - 1), b = elements_at(i);
    painter.line(plot.across(a), plot.up(terms->cpu_seconds(a)), plot.across(b),
                 plot.up(terms->cpu_seconds(b)), cpu_colour, painter.dp(2));
    painter.line(plot.across(a), plot.up(terms->gpu_seconds(a).total()), plot.across(b),
                 plot.up(terms->gpu_seconds(b).total()), gpu_colour, painter.dp(2));
  }
  if (meet) {
    const float r = painter.dp(4);
    painter.box(plot.across(*meet) - r, plot.up(terms->cpu_seconds(*meet)) - r, 2 * r, 2 * r, style.ink, r);
  }
  painter.line(plot.across(n), plot.y, plot.across(n), plot.y + plot.height, style.ink, painter.dp(1));
  painter.text_right(plot.x + plot.width - painter.dp(4),
                     plot.up(terms->cpu_seconds(most_elements)) + painter.dp(20), "CPU", cpu_colour);
  painter.text(plot.x + painter.dp(4), plot.up(terms->gpu_seconds(1).total()) - caption - painter.dp(2),
               "GPU", gpu_colour);
  if (painter.hovered(plot.x, plot.y, plot.width, plot.height)) {
    const double share = double((ImGui::GetIO().MousePos.x - plot.x) / plot.width);
    const double at = std::pow(10.0, std::clamp(share, 0.0, 1.0) * std::log10(most_elements));
    painter.tooltip(fmt::format("{} elements: CPU {}, GPU {}", rounded_count(at),
                                seconds_in_words(terms->cpu_seconds(at)),
                                seconds_in_words(terms->gpu_seconds(at).total())));
  }
  scrub(input, state, painter, plot.y + plot.height + caption + painter.dp(6), race_steps);
}

std::string csv(const ViewInput& input) {
  std::string out = "elements,cpu_seconds,launch_seconds,copy_in_seconds,kernel_seconds,copy_out_seconds\n";
  const std::optional<RaceTerms> terms = make_race_terms(input);
  for (size_t i = 0; terms && i < race_steps; ++i) {
    const double n = elements_at(i);
    const RaceTerms::Gpu gpu = terms->gpu_seconds(n);
    out += fmt::format("{},{},{},{},{},{}\n", n, terms->cpu_seconds(n), gpu.launch, gpu.copy_in, gpu.kernel,
                       gpu.copy_out);
  }
  return out;
}

}  // namespace

const Visualiser crossover_view = {"crossover", "CPU and GPU", false, false, false, draw, csv};

}  // namespace warpbook::view
