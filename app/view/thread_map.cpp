// thread-map: elements above (grey while nobody writes them, red when two threads do), threads below in rows
// of a warp. Hover a thread and its element lights up, and the reverse.
#include "view/thread_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "view/colour.h"
#include "view/picture.h"
#include "view/visualisers.h"

namespace warpbook::view {

ThreadMap make_thread_map(const ViewInput& input) {
  ThreadMap map;
  if (!input.write_maps || input.write_maps->empty()) return map;
  std::string wanted = option_text(input, "buffer", input.write_maps->front().buffer);
  const WriteMap* writes = nullptr;
  for (const WriteMap& one : *input.write_maps) {
    if (one.buffer == wanted) writes = &one;
  }
  if (!writes) return map;
  map.buffer = writes->buffer;
  map.times = writes->times;
  map.writer = writes->writer;
  map.elements.resize(writes->times.size());
  map.all_threads = input.launch.grid.count() * input.launch.block.count();
  map.threads.assign(std::min<uint64_t>(map.all_threads, thread_limit), ThreadMap::Lane::idle);
  map.element_of.assign(map.threads.size(), -1);
  double columns = option_number(input, "columns", 0);
  map.columns = columns >= 1 ? uint32_t(columns)
                             : std::max(32u, uint32_t(std::sqrt(double(map.elements.size()) * 2)) / 32 * 32);
  for (size_t i = 0; i < map.elements.size(); ++i) {
    map.elements[i] = map.times[i] == 0   ? ThreadMap::Cell::uncovered
                      : map.times[i] == 1 ? ThreadMap::Cell::covered
                                          : ThreadMap::Cell::twice;
    map.covered += map.times[i] == 1;
    map.twice += map.times[i] > 1;
    map.uncovered += map.times[i] == 0;
    int64_t thread = i < map.writer.size() ? map.writer[i] : -1;
    if (thread < 0 || size_t(thread) >= map.threads.size()) continue;
    map.threads[size_t(thread)] = ThreadMap::Lane::writes;
    if (map.element_of[size_t(thread)] < 0) map.element_of[size_t(thread)] = int64_t(i);
  }
  map.out_of_range = writes->out_of_range.size();
  for (const WriteMap::Miss& miss : writes->out_of_range) {
    if (miss.thread < 0 || size_t(miss.thread) >= map.threads.size()) continue;
    map.threads[size_t(miss.thread)] = ThreadMap::Lane::out_of_range;
    map.element_of[size_t(miss.thread)] = miss.index;
  }
  return map;
}

namespace {

struct Drawn {
  ThreadMap map;
  Pixels elements, threads;
};

uint32_t colour_of(ThreadMap::Cell cell, const Style& style) {
  switch (cell) {
    case ThreadMap::Cell::uncovered: return style.line;
    case ThreadMap::Cell::covered: return style.series[0];
    case ThreadMap::Cell::twice: return style.error;
  }
  return style.line;
}

uint32_t colour_of(ThreadMap::Lane lane, const Style& style) {
  switch (lane) {
    case ThreadMap::Lane::idle: return style.line;
    case ThreadMap::Lane::writes: return style.series[2];
    case ThreadMap::Lane::out_of_range: return style.error;
  }
  return style.line;
}

/// Columns that make a picture of `count` cells about as wide as the area is, in steps of `step`.
uint32_t columns_for(uint64_t count, float width, float height, uint32_t step) {
  if (count == 0) return step;
  double wanted = std::sqrt(double(count) * double(width) / std::max(1.0, double(height)));
  uint32_t columns = std::max<uint32_t>(step, uint32_t(std::ceil(wanted / step)) * step);
  return uint32_t(std::min<uint64_t>(columns, (count + step - 1) / step * step));
}

template <class Cells>
Pixels paint_cells(const Cells& cells, uint32_t columns, const Style& style) {
  Pixels pixels;
  if (cells.empty()) return pixels;
  pixels.width = columns;
  pixels.height = uint32_t((cells.size() + columns - 1) / columns);
  pixels.rgba.assign(size_t(pixels.width) * pixels.height, 0);
  for (size_t i = 0; i < cells.size(); ++i) pixels.rgba[i] = colour_of(cells[i], style);
  return pixels;
}

std::optional<int64_t> number_under_mouse(const Painter& painter, const Placed& place, uint32_t columns,
                                          size_t count) {
  ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!painter.hovered(place.x, place.y, place.width, place.height)) return std::nullopt;
  auto cell = place.cell(mouse.x, mouse.y);
  if (!cell) return std::nullopt;
  uint64_t number = uint64_t(cell->second) * columns + cell->first;
  if (number >= count) return std::nullopt;
  return int64_t(number);
}

std::string summary(const ThreadMap& map) {
  std::string words = fmt::format("{} of {} elements written", with_thousands(map.covered + map.twice),
                                  with_thousands(map.elements.size()));
  if (map.twice) words += fmt::format(", {} more than once", with_thousands(map.twice));
  if (map.out_of_range) words += fmt::format(", {} writes out of range", with_thousands(map.out_of_range));
  return words;
}

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker& maker, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  bool fresh = false;
  // Colours depend on the theme, so its change makes the pictures anew.
  double theme = style.dark ? 1 : 0;
  if (state.numbers["theme"] != theme) state.cache.reset();
  state.numbers["theme"] = theme;
  const Drawn& drawn = cached<Drawn>(input, state, fresh, [&] {
    Drawn made;
    made.map = make_thread_map(input);
    return made;
  });
  const ThreadMap& map = drawn.map;
  if (map.elements.empty() && map.threads.empty()) {
    draw_message(painter, "Run the lab at level check to see which thread writes which element.");
    return;
  }

  float caption = painter.line_height(), gap = painter.dp(8);
  float inner = area.height - 3 * caption - 3 * gap;
  float top_share = map.threads.empty() ? 1.f : 0.5f;
  float y = area.y;
  painter.text_fitted(area.x, y, area.width, fmt::format("Elements of {}: {}", map.buffer, summary(map)),
                      style.ink);
  y += caption + gap / 2;
  bool shaped = option_number(input, "columns", 0) >= 1;
  uint32_t columns =
      shaped ? map.columns : columns_for(map.elements.size(), area.width, inner * top_share, 32);
  Pixels elements = paint_cells(map.elements, columns, style);
  Placed above = fit(elements.width, elements.height, area.x, y, area.width, inner * top_share);
  above.x = area.x;
  draw_pixels(painter, state, maker, 0, elements, fresh, above);
  y += inner * top_share + gap;

  painter.text_fitted(area.x, y, area.width,
                      fmt::format("Threads: {} in {} {} of {}", with_thousands(map.all_threads),
                                  with_thousands(input.launch.grid.count()),
                                  input.launch.grid.count() == 1 ? "block" : "blocks",
                                  with_thousands(input.launch.block.count())),
                      style.ink);
  y += caption + gap / 2;
  uint32_t lanes = columns_for(map.threads.size(), area.width, inner * (1 - top_share), 32);
  Pixels threads = paint_cells(map.threads, lanes, style);
  Placed below = fit(threads.width, threads.height, area.x, y, area.width, inner * (1 - top_share));
  below.x = area.x;
  draw_pixels(painter, state, maker, 1, threads, fresh, below);

  painter.legend(area.x, area.y + area.height - caption, area.width,
                 {{style.series[0], "written once"},
                  {style.error, "twice or outside"},
                  {style.line, "untouched"},
                  {style.series[2], "writing thread"}});

  if (auto element = number_under_mouse(painter, above, columns, map.elements.size())) {
    selection.owner = &state;
    selection.element = {map.buffer, *element};
    int64_t thread = map.writer[size_t(*element)];
    selection.thread = thread >= 0 ? std::optional(thread) : std::nullopt;
    std::string words = fmt::format("{}[{}]: ", map.buffer, *element);
    words += thread < 0
                 ? "no thread writes it"
                 : fmt::format("{} {}",
                               map.times[size_t(*element)] > 1
                                   ? fmt::format("written {} times, last by", map.times[size_t(*element)])
                                   : std::string("written by"),
                               thread_words(thread, input.launch));
    painter.tooltip(words);
  } else if (auto thread = number_under_mouse(painter, below, lanes, map.threads.size())) {
    selection.owner = &state;
    selection.thread = *thread;
    int64_t element_number = map.element_of[size_t(*thread)];
    bool outside = map.threads[size_t(*thread)] == ThreadMap::Lane::out_of_range;
    selection.element.reset();
    if (element_number >= 0 && !outside) selection.element = {map.buffer, element_number};
    std::string words = thread_words(*thread, input.launch);
    words += outside ? fmt::format(" reaches for {}[{}], which is not there", map.buffer, element_number)
             : map.threads[size_t(*thread)] == ThreadMap::Lane::idle
                 ? " writes nothing"
                 : fmt::format(" writes {}[{}]", map.buffer, element_number);
    painter.tooltip(words);
  } else if (selection.owner == &state) {
    selection = Selection{};
  }
  if (selection.element && selection.element->first == map.buffer && selection.element->second >= 0 &&
      size_t(selection.element->second) < map.elements.size()) {
    ring(painter, above, columns, selection.element->second, style.warning);
  }
  if (selection.thread && size_t(*selection.thread) < map.threads.size()) {
    ring(painter, below, lanes, *selection.thread, style.warning);
  }
}

std::string csv(const ViewInput& input) {
  ThreadMap map = make_thread_map(input);
  std::string out = "element,times_written,last_thread\n";
  for (size_t i = 0; i < map.elements.size(); ++i) {
    out += fmt::format("{},{},{}\n", i, map.times[i], map.writer[i]);
  }
  return out;
}

}  // namespace

const Visualiser thread_map_view = {"thread-map", "Threads", true, false, false, draw, csv};

}  // namespace warpbook::view
