// sector-map: 32 lanes above, the sectors that answer them below, and a line from each lane to its bytes.
#include "view/sector_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "view/colour.h"
#include "view/paint.h"
#include "view/picture.h"
#include "view/scrub.h"
#include "view/visualisers.h"

namespace warpbook::view {

namespace {

constexpr int64_t sector_bytes = 32;

/// Rounds down, also for an index before the beginning.
int64_t sector_of(int64_t byte) {
  return byte >= 0 ? byte / sector_bytes : -((-byte + sector_bytes - 1) / sector_bytes);
}

const RecordedAccess* request_at(const ViewInput& input, size_t step, size_t& steps) {
  const std::vector<std::string> buffers = option_list(input, "buffers");
  const RecordedAccess* found = nullptr;
  for (const RecordedAccess& access : input.recording->accesses) {
    if (access.space != "global" || access.mask == 0) continue;
    if (!buffers.empty() && std::find(buffers.begin(), buffers.end(), access.buffer) == buffers.end())
      continue;
    if (steps++ <= step) found = &access;
  }
  return found;
}

}  // namespace

int SectorMap::place_of(int64_t number) const {
  const auto at =
      std::lower_bound(sectors.begin(), sectors.end(), number,
                       [](const Sector& sector, int64_t wanted) { return sector.number < wanted; });
  return at != sectors.end() && at->number == number ? int(at - sectors.begin()) : -1;
}

SectorMap make_sector_map(const ViewInput& input, size_t step) {
  SectorMap map;
  if (!input.recording) return map;
  const RecordedAccess* access = request_at(input, step, map.steps);
  if (!access) return map;
  map.buffer = access->buffer;
  map.access = access->access;
  map.line = access->line;
  map.lane_bytes = access->bytes;
  const Output* output = find_output(input, access->buffer);
  map.element_bytes = output ? bytes_of(output->type) : access->bytes;
  std::vector<int64_t> numbers;
  for (size_t lane = 0; lane < 32; ++lane) {
    if (!(access->mask >> lane & 1)) continue;
    ++map.active;
    const int64_t first = access->index[lane] * map.element_bytes;
    for (int64_t s = sector_of(first); s <= sector_of(first + access->bytes - 1); ++s) numbers.push_back(s);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const int64_t number : numbers) map.sectors.push_back({number, {}});
  for (size_t lane = 0; lane < 32; ++lane) {
    if (!(access->mask >> lane & 1)) continue;
    const int64_t first = access->index[lane] * map.element_bytes;
    SectorMap::Lane& one = map.lanes[lane];
    one.active = true;
    one.index = access->index[lane];
    one.first = uint32_t(map.place_of(sector_of(first)));
    one.first_byte = uint32_t(first - sector_of(first) * sector_bytes);
    for (int64_t byte = first; byte < first + access->bytes; ++byte) {
      const int64_t sector = sector_of(byte);
      map.sectors[size_t(map.place_of(sector))].asked.set(size_t(byte - sector * sector_bytes));
    }
  }
  for (const SectorMap::Sector& sector : map.sectors) map.asked_bytes += uint32_t(sector.asked.count());
  return map;
}

namespace {

/// Where the sectors stand: side by side when they follow each other in memory, a gap where memory is left
/// out.
struct Row {
  std::vector<float> x;
  float width = 0;
};

Row place_sectors(const SectorMap& map, float x, float width, float gap) {
  Row row;
  size_t gaps = 0;
  for (size_t i = 1; i < map.sectors.size(); ++i)
    gaps += map.sectors[i].number != map.sectors[i - 1].number + 1;
  gap = std::min(gap, gaps ? 0.3f * width / float(gaps) : gap);
  row.width = std::min((width - gap * float(gaps)) / float(map.sectors.size()), 16 * gap);
  for (size_t i = 0; i < map.sectors.size(); ++i) {
    if (i > 0) x += row.width + (map.sectors[i].number != map.sectors[i - 1].number + 1 ? gap : 0);
    row.x.push_back(x);
  }
  return row;
}

std::string plural(uint64_t count, const char* word) {
  return fmt::format("{} {}{}", short_number(double(count)), word, count == 1 ? "" : "s");
}

int64_t thread_of_lane(const ViewInput& input, int lane) {
  const Dim3& block = input.recording->block;
  const Dim3& grid = input.launch.grid;
  const uint64_t number = block.x + uint64_t(grid.x) * (block.y + uint64_t(grid.y) * block.z);
  return int64_t(number * input.launch.block.count() + input.recording->warp * 32 + uint64_t(lane));
}

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker&, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  const size_t step = step_of(state, std::numeric_limits<size_t>::max());
  const SectorMap map = make_sector_map(input, step);
  if (map.sectors.empty()) {
    draw_message(painter, input.recording ? "The first warp asks for nothing from global memory."
                                          : "Run the lab to see what its first warp asks for.");
    return;
  }
  const float caption = painter.line_height();
  painter.text_fitted(
      area.x, area.y, area.width,
      fmt::format("line {}: {} {} {} of {}, {} each", map.line, plural(map.active, "lane"),
                  map.active == 1 ? (map.access == "read" ? "reads" : "writes")
                                  : (map.access == "read" ? "read" : "write"),
                  map.active == 1 ? "an element" : "elements", map.buffer, plural(map.lane_bytes, "byte")),
      style.ink);
  painter.text_fitted(
      area.x, area.y + caption, area.width,
      fmt::format("Request {} of {}, warp {} of block ({}, {}, {})", std::min(step + 1, map.steps), map.steps,
                  input.recording->warp, input.recording->block.x, input.recording->block.y,
                  input.recording->block.z),
      style.muted);

  // The lanes.
  const float lane_gap = painter.dp(2), lane_width = (area.width - 31 * lane_gap) / 32;
  const float lane_top = area.y + 2 * caption + painter.dp(10), lane_height = painter.dp(22);
  const float sector_height = painter.dp(44);
  const float below = painter.dp(8) + 2 * caption + painter.dp(34) + caption;
  const float sector_top =
      std::clamp(area.y + area.height - below - sector_height - painter.dp(8),
                 lane_top + lane_height + painter.dp(40), lane_top + lane_height + painter.dp(190));
  const Row row = place_sectors(map, area.x, area.width, painter.dp(8));

  int under_lane = -1, under_sector = -1;
  for (int lane = 0; lane < 32; ++lane) {
    if (painter.hovered(area.x + float(lane) * (lane_width + lane_gap), lane_top, lane_width, lane_height))
      under_lane = lane;
  }
  for (size_t i = 0; i < row.x.size(); ++i) {
    if (painter.hovered(row.x[i], sector_top, row.width, sector_height)) under_sector = int(i);
  }
  int chosen_lane = under_lane;
  if (chosen_lane < 0 && under_sector < 0 && selection.owner != &state && selection.thread) {
    const int64_t lane = *selection.thread - thread_of_lane(input, 0);
    if (lane >= 0 && lane < 32) chosen_lane = int(lane);
  }
  const auto touches = [&](int lane, size_t sector) {
    const SectorMap::Lane& one = map.lanes[size_t(lane)];
    const int64_t first = one.index * map.element_bytes;
    return one.active && sector_of(first) <= map.sectors[sector].number &&
           map.sectors[sector].number <= sector_of(first + map.lane_bytes - 1);
  };
  const auto lit = [&](int lane) {
    return lane == chosen_lane || (under_sector >= 0 && touches(lane, size_t(under_sector)));
  };

  const bool focus = chosen_lane >= 0 || under_sector >= 0;
  for (int lane = 0; lane < 32; ++lane) {
    const SectorMap::Lane& one = map.lanes[size_t(lane)];
    const float x = area.x + float(lane) * (lane_width + lane_gap);
    const uint32_t colour = !one.active ? style.line : lit(lane) ? style.ink : style.accent;
    painter.box(x, lane_top, lane_width, lane_height, colour, painter.dp(2));
    if (one.active) {
      const float to = row.x[one.first] +
                       row.width * (float(one.first_byte) + 0.5f * float(std::min(map.lane_bytes, 32u))) / 32;
      const uint32_t line_colour = lit(lane) ? style.ink
                                   : focus   ? mixed(style.paper, style.line, 0.6f)
                                             : mixed(style.line, style.muted, 0.4f);
      painter.line(x + lane_width / 2, lane_top + lane_height + 1, to, sector_top - 1, line_colour,
                   lit(lane) ? painter.dp(2) : painter.dp(1));
    }
  }
  for (const int lane : {0, 8, 16, 24, 31}) {
    const float centre = area.x + float(lane) * (lane_width + lane_gap) + lane_width / 2;
    const bool on = map.lanes[size_t(lane)].active;
    painter.text_centred(centre, lane_top + (lane_height - caption) / 2, std::to_string(lane),
                         on ? style.paper : style.muted);
  }

  // The sectors, cut into words of 4 bytes; an asked word is full.
  const uint32_t waste = mixed(style.paper, style.series[1], 0.4f), asked = style.series[0];
  for (size_t i = 0; i < map.sectors.size(); ++i) {
    const float x = row.x[i];
    painter.box(x, sector_top, row.width, sector_height, waste);
    for (int word = 0; word < 8; ++word) {
      size_t bytes = 0;
      for (size_t byte = size_t(word) * 4; byte < size_t(word) * 4 + 4; ++byte)
        bytes += map.sectors[i].asked[byte];
      if (bytes == 0) continue;
      const float left = row.width * float(word) / 8;
      painter.box(x + left, sector_top, row.width / 8, sector_height * float(bytes) / 4, asked);
    }
    if (row.width > painter.dp(30)) {
      for (int word = 1; word < 8; ++word) {
        const float at = x + row.width * float(word) / 8;
        painter.line(at, sector_top, at, sector_top + sector_height, style.paper);
      }
    }
    painter.outline(x, sector_top, row.width, sector_height, int(i) == under_sector ? style.ink : style.paper,
                    painter.dp(1));
  }
  if (selection.element && selection.owner != &state && selection.element->first == map.buffer) {
    const int64_t byte = selection.element->second * map.element_bytes;
    const int place = map.place_of(sector_of(byte));
    if (place >= 0) {
      const float left = float(byte - sector_of(byte) * sector_bytes) / 32;
      painter.outline(row.x[size_t(place)] + row.width * left, sector_top - painter.dp(2),
                      std::max(row.width * float(map.element_bytes) / 32, painter.dp(3)),
                      sector_height + painter.dp(4), style.ink, painter.dp(2));
    }
  }
  float y = sector_top + sector_height + painter.dp(8);
  const uint32_t share = map.asked_bytes * 100 / map.fetched_bytes();
  const float wide = painter.text(
      area.x, y,
      fmt::format("{}: {} moved, {} asked for, {} % of them useful", plural(map.sectors.size(), "sector"),
                  plural(map.fetched_bytes(), "byte"), short_number(map.asked_bytes), share),
      style.ink);
  painter.stamp(area.x + wide + painter.dp(8), y - painter.dp(1), Stamp::counted);
  y += caption + painter.dp(8);
  y += scrub(input, state, painter, y, map.steps) + painter.dp(6);
  painter.legend(area.x, y, area.width,
                 {{asked, "asked for"}, {waste, "moved for nothing"}, {style.line, "lane that waits"}});

  if (map.line > 0) selection.line = map.line;
  if (under_lane >= 0) {
    const SectorMap::Lane& one = map.lanes[size_t(under_lane)];
    selection.owner = &state;
    selection.thread = thread_of_lane(input, under_lane);
    selection.element.reset();
    if (one.active) selection.element = {map.buffer, one.index};
    painter.tooltip(one.active ? fmt::format("Lane {}, {}: {}[{}], byte {} of sector {}", under_lane,
                                             thread_words(*selection.thread, input.launch), map.buffer,
                                             one.index, one.first_byte, map.sectors[one.first].number)
                               : fmt::format("Lane {} takes no part in this request", under_lane));
  } else if (under_sector >= 0) {
    const SectorMap::Sector& sector = map.sectors[size_t(under_sector)];
    int lanes = 0;
    for (int lane = 0; lane < 32; ++lane) lanes += touches(lane, size_t(under_sector));
    const int64_t first = sector.number * sector_bytes / map.element_bytes;
    selection.owner = &state;
    selection.thread.reset();
    selection.element = {map.buffer, first};
    painter.tooltip(fmt::format("Sector {} of {}: from element {} on. {} asked for by {}", sector.number,
                                map.buffer, first, plural(sector.asked.count(), "byte"),
                                plural(uint64_t(lanes), "lane")));
  } else if (selection.owner == &state) {
    selection.thread.reset();
    selection.element.reset();
  }
}

std::string csv(const ViewInput& input) {
  std::string out = "request,line,buffer,access,lane,index,sector\n";
  if (!input.recording) return out;
  const size_t steps = make_sector_map(input, 0).steps;
  for (size_t step = 0; step < steps; ++step) {
    const SectorMap map = make_sector_map(input, step);
    for (size_t lane = 0; lane < 32; ++lane) {
      const SectorMap::Lane& one = map.lanes[lane];
      if (one.active)
        out += fmt::format("{},{},{},{},{},{},{}\n", step, map.line, map.buffer, map.access, lane, one.index,
                           map.sectors[one.first].number);
    }
  }
  return out;
}

}  // namespace

const Visualiser sector_map_view = {"sector-map", "Sectors", false, false, true, draw, csv};

}  // namespace warpbook::view
