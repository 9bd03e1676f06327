// image: a buffer as a picture, with zoom by mouse where the lesson allows it. heat-map: the same with a
// labelled scale.
#include "view/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "view/image_axes.h"
#include "view/paint.h"
#include "view/visualisers.h"

namespace warpbook::view {

namespace {

/// What both engines fill memory with that a kernel has not written yet.
constexpr auto poison = std::byte(0xCD);

/// One byte may hold that value by right, more of them hardly ever: a single byte is only believed where the
/// run knows who wrote it.
bool is_unwritten(const Output& output, const WriteMap* writes, size_t index) {
  if (writes && index < writes->times.size() && writes->times[index] > 0) return false;
  const size_t bytes = bytes_of(output.type);
  if (bytes == 1 && !writes) return false;
  const std::byte* first = output.data.data() + index * bytes;
  return std::all_of(first, first + bytes, [](std::byte b) { return b == poison; });
}

const WriteMap* writes_of(const ViewInput& input, const std::string& buffer) {
  if (input.write_maps)
    for (const WriteMap& map : *input.write_maps)
      if (map.buffer == buffer) return &map;
  return nullptr;
}

}  // namespace

Image make_image(const ViewInput& input, std::string_view default_colours) {
  Image image;
  if (!input.outputs || input.outputs->empty()) {
    image.problem = "Run the lab to see its output.";
    return image;
  }
  image.buffer = option_text(input, "buffer", input.outputs->front().name);
  const Output* output = find_output(input, image.buffer);
  double width = option_number(input, "width", option_number(input, "columns", 0));
  double height = option_number(input, "height", option_number(input, "rows", 0));
  if (!output) {
    image.problem = "The run has no buffer named " + image.buffer + ".";
    return image;
  }
  if (width < 1 || height < 1 || width * height > double(output->count) || width > 16384 || height > 16384) {
    image.problem = fmt::format("{} has {} elements: too few for {} x {} pixels.", image.buffer,
                                output->count, width, height);
    return image;
  }
  image.type = output->type;
  image.pixels.width = uint32_t(width);
  image.pixels.height = uint32_t(height);
  size_t count = size_t(image.pixels.width) * image.pixels.height;
  image.pixels.rgba.resize(count);
  std::string colours = option_text(input, "colours", default_colours);
  if (colours == "rgba" && bytes_of(output->type) == 4) {
    for (size_t i = 0; i < count; ++i) {
      uint32_t value = 0;
      std::memcpy(&value, output->data.data() + 4 * i, 4);
      image.pixels.rgba[i] = value | 0xff000000u;
    }
    return image;
  }
  image.values.resize(count);
  const WriteMap* writes = writes_of(input, image.buffer);
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < count; ++i) {
    double value = image.values[i] = element_as_double(output->type, output->data.data(), i);
    if (is_unwritten(*output, writes, i)) {
      image.unwritten.push_back(uint32_t(i));
      continue;
    }
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) low = high = 0;
  image.low = option_number(input, "low", low);
  image.high = option_number(input, "high", high);
  ColourMap map = colour_map_named(colours);
  double span = image.high > image.low ? image.high - image.low : 1;
  for (size_t i = 0; i < count; ++i)
    image.pixels.rgba[i] = map_colour(map, (image.values[i] - image.low) / span);
  for (const uint32_t i : image.unwritten) image.pixels.rgba[i] = 0;  // the paper shows
  return image;
}

namespace {

struct Extent {
  uint32_t width = 0, height = 0;
};

struct Zoom {
  std::string x, y, span;
  double at_x = 0, at_y = 0, width = 1;
};

std::optional<Zoom> zoom_of(const ViewInput& input) {
  Zoom zoom{option_text(input, "zoom_x"), option_text(input, "zoom_y"), option_text(input, "zoom_span")};
  auto x = input.values.find(zoom.x), y = input.values.find(zoom.y), span = input.values.find(zoom.span);
  if (x == input.values.end() || y == input.values.end() || span == input.values.end()) return std::nullopt;
  zoom.at_x = double(x->second);
  zoom.at_y = double(y->second);
  zoom.width = double(span->second);
  return zoom;
}

/// Columns and rows, or what the zoom shows: `zoom_unit` is what one step of its controls stands for.
PictureAxes axes_of(const ViewInput& input, Extent cells) {
  const auto zoom = zoom_of(input);
  if (!zoom) return axes_of_cells(cells.width, cells.height);
  const double unit = option_number(input, "zoom_unit", 1);
  const double width = zoom->width * unit, height = width * cells.height / cells.width;
  PictureAxes axes;
  axes.x.low = zoom->at_x * unit - width / 2;
  axes.x.high = zoom->at_x * unit + width / 2;
  axes.y.low = zoom->at_y * unit + height / 2;
  axes.y.high = zoom->at_y * unit - height / 2;
  return axes;
}

int64_t whole(double value) { return int64_t(std::llround(value)); }

}  // namespace

std::vector<ControlChange> zoom_by_wheel(const ViewInput& input, double at_x, double at_y, double turns,
                                         double aspect) {
  auto zoom = zoom_of(input);
  if (!zoom || turns == 0) return {};
  double width = std::max(1.0, zoom->width * std::pow(0.8, turns));
  double shrink = zoom->width - width;
  // Rows grow downwards, the y axis of a picture points up.
  return {{zoom->span, whole(width)},
          {zoom->x, whole(zoom->at_x + (at_x - 0.5) * shrink)},
          {zoom->y, whole(zoom->at_y - (at_y - 0.5) * shrink / aspect)}};
}

std::vector<ControlChange> pan_by_drag(const ViewInput& input, double share_x, double share_y,
                                       double aspect) {
  auto zoom = zoom_of(input);
  if (!zoom) return {};
  return {{zoom->x, whole(zoom->at_x - share_x * zoom->width)},
          {zoom->y, whole(zoom->at_y + share_y * zoom->width / aspect)}};
}

namespace {

/// The place last asked for: while its picture is still being made, the next move goes on from there and not
/// from the older place that is on screen.
ViewInput with_asked(const ViewInput& input, ViewState& state) {
  ViewInput now = input;
  for (const char* option : {"zoom_x", "zoom_y", "zoom_span"}) {
    const auto asked = state.numbers.find("asked." + option_text(input, option));
    if (asked == state.numbers.end()) continue;
    if (input.stale) {
      now.values[option_text(input, option)] = whole(asked->second);
    } else {
      state.numbers.erase(asked);
    }
  }
  return now;
}

void ask(ViewState& state, const std::vector<ControlChange>& changes) {
  for (const ControlChange& change : changes) state.numbers["asked." + change.name] = double(change.value);
  state.changes.insert(state.changes.end(), changes.begin(), changes.end());
}

double aspect_of(const Placed& place) {
  return place.height > 0 ? double(place.width) / double(place.height) : 1;
}

void take_wheel(const ViewInput& input, ViewState& state, const Placed& place) {
  ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel == 0) return;
  const auto changes =
      zoom_by_wheel(with_asked(input, state), (io.MousePos.x - place.x) / place.width,
                    (io.MousePos.y - place.y) / place.height, io.MouseWheel, aspect_of(place));
  if (!changes.empty()) io.MouseWheel = 0;  // the page must not scroll as well
  ask(state, changes);
}

/// The picture follows the mouse that took hold of it, even when it leaves the picture, and nothing else
/// does: a slider's drag may pass over it.
void take_drag(const ViewInput& input, ViewState& state, const Placed& place) {
  const ImVec2 hold = ImGui::GetIO().MouseClickedPos[0];
  const bool inside = hold.x >= place.x && hold.x < place.x + place.width && hold.y >= place.y &&
                      hold.y < place.y + place.height;
  if (!inside || !(ImGui::IsMouseDragging(0) || ImGui::IsMouseReleased(0))) return;
  const ImVec2 drag = ImGui::GetMouseDragDelta(0);
  if (drag.x == 0 && drag.y == 0) return;
  ask(state,
      pan_by_drag(with_asked(input, state), drag.x / place.width, drag.y / place.height, aspect_of(place)));
  ImGui::ResetMouseDragDelta(0);
}

/// A stroke through each cell that nobody wrote, where cells are large enough to tell strokes apart.
void draw_unwritten(Painter& painter, const Image& image, const Placed& place, const Style& style) {
  if (place.scale < painter.dp(5) || image.unwritten.size() > 4096) return;
  for (const uint32_t i : image.unwritten) {
    const float x = place.x + place.scale * float(i % image.pixels.width),
                y = place.y + place.scale * float(i / image.pixels.width), in = place.scale / 4;
    painter.line(x + in, y + place.scale - in, x + place.scale - in, y + in, style.muted);
  }
}

/// The buffer as the GPU left it, coloured there; `cells` become its size. Small pictures of numbers are
/// boxes with room between them and marks on what nobody wrote: those are drawn here.
bool picture_from_gpu(const ViewInput& input, ViewState& state, const PictureMaker& maker, const Image& image,
                      std::string_view default_colours, Extent& cells) {
  if (!input.on_gpu) return false;
  const double width = option_number(input, "width", option_number(input, "columns", 0)),
               height = option_number(input, "height", option_number(input, "rows", 0));
  if (width < 1 || height < 1 || width > 16384 || height > 16384) return false;
  const Extent wanted{uint32_t(width), uint32_t(height)};
  Colouring colouring;
  colouring.buffer = option_text(input, "buffer", image.buffer);
  const std::string colours = option_text(input, "colours", default_colours);
  if (colours != "rgba") {
    if (uint64_t(wanted.width) * wanted.height <= most_boxes) return false;
    colouring.kind = Colouring::Kind::scale;
    colouring.ramp = ramp_of(colour_map_named(colours));
    if (!option_text(input, "low").empty()) colouring.low = option_number(input, "low", 0);
    if (!option_text(input, "high").empty()) colouring.high = option_number(input, "high", 0);
  }
  if (colouring.buffer.empty()) return false;
  if (!take_from_gpu(input, state, maker, colouring, wanted.width, wanted.height)) return false;
  cells = wanted;
  return true;
}

void draw_one(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
              const PictureMaker& maker, const DrawArea& area, bool with_scale,
              std::string_view default_colours) {
  Painter painter(style, area, input.stale);
  bool fresh = false;
  const Image& image = cached<Image>(input, state, fresh, [&] { return make_image(input, default_colours); });
  Extent cells{image.pixels.width, image.pixels.height};
  const bool from_gpu = picture_from_gpu(input, state, maker, image, default_colours, cells);
  if (!from_gpu && !image.problem.empty()) {
    draw_message(painter, image.problem);
    return;
  }
  // What is newer than the numbers has a picture and no numbers yet.
  const bool has_numbers = !from_gpu || !input.on_gpu->newer;
  const uint64_t count = uint64_t(cells.width) * cells.height,
                 unwritten = has_numbers ? image.unwritten.size() : state.facts.unwritten;
  const double low = has_numbers ? image.low : state.facts.low,
               high = has_numbers ? image.high : state.facts.high;
  const bool scaled = with_scale && unwritten < (has_numbers ? image.values.size() : count);
  const PictureAxes axes = axes_of(input, cells);
  // The scale's own labels decide its room.
  const float labels = std::max(painter.width_of(short_number(low)), painter.width_of(short_number(high)));
  float right = scaled ? std::max(painter.dp(84), labels + painter.dp(32)) : 0,
        caption = painter.line_height() + painter.dp(4);
  const float left = room_left(painter, axes), below = room_below(painter), above = painter.dp(8);
  Placed place = fit(cells.width, cells.height, area.x + left, area.y + above, area.width - right - left,
                     area.height - above - caption - below);
  if (from_gpu)
    draw_texture(painter, state.pictures[0], place);
  else
    draw_pixels(painter, state, maker, 0, image.pixels, fresh, place);
  painter.outline(place.x - 1, place.y - 1, place.width + 2, place.height + 2, style.line);
  if (!from_gpu) draw_unwritten(painter, image, place, style);
  if (scaled) {
    ColourMap map = colour_map_named(option_text(input, "colours", default_colours));
    painter.scale(
        place.x + place.width + painter.dp(12), place.y,
        std::clamp(place.height, 2 * painter.line_height(), painter.dp(160)),
        [map](double at) { return map_colour(map, at); }, short_number(low), short_number(high));
  }
  draw_axes(painter, axes, place);
  std::string words =
      fmt::format("{} × {} {}", cells.width, cells.height, with_scale ? "elements" : "pixels");
  if (unwritten > 0)
    words += unwritten == count ? "; nobody wrote any of them"
                                : fmt::format("; nobody wrote {} of them, they are left blank", unwritten);
  if (zoom_of(input)) words += "; wheel zooms, drag moves";
  painter.text_fitted(place.x, place.y + place.height + below, area.x + area.width - place.x, words,
                      style.muted);

  take_drag(input, state, place);
  if (!painter.hovered(place.x, place.y, place.width, place.height)) {
    if (selection.owner == &state) selection = Selection{};
  } else {
    take_wheel(input, state, place);
    ImVec2 mouse = ImGui::GetIO().MousePos;
    if (auto cell = place.cell(mouse.x, mouse.y)) {
      size_t index = size_t(cell->second) * cells.width + cell->first;
      selection.owner = &state;
      selection.element = {image.buffer, int64_t(index)};
      const Output* output = has_numbers ? find_output(input, image.buffer) : nullptr;
      std::string tip =
          fmt::format("column {}, row {}: {}[{}]", cell->first, cell->second, image.buffer, index);
      if (has_numbers && std::binary_search(image.unwritten.begin(), image.unwritten.end(), index)) {
        tip += ", which nobody wrote";
      } else if (output && index < output->count) {
        tip += " = " + element_as_text(output->type, output->data.data(), index);
      }
      painter.tooltip(tip);
    }
  }
  if (selection.element && selection.element->first == image.buffer && selection.element->second >= 0) {
    uint64_t index = uint64_t(selection.element->second);
    if (index < uint64_t(cells.width) * cells.height) {
      float size = std::max(place.scale, painter.dp(5));
      painter.outline(place.x + place.scale * float(index % cells.width) - 1,
                      place.y + place.scale * float(index / cells.width) - 1, size + 2, size + 2,
                      style.warning, painter.dp(2));
    }
  }
}

void draw_image(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
                const PictureMaker& maker, const DrawArea& area) {
  draw_one(input, state, selection, style, maker, area, false, "rgba");
}

void draw_heat_map(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
                   const PictureMaker& maker, const DrawArea& area) {
  draw_one(input, state, selection, style, maker, area, true, "viridis");
}

std::string csv(const ViewInput& input) {
  Image image = make_image(input, "viridis");
  const Output* output = find_output(input, image.buffer);
  std::string out = "column,row,value\n";
  if (!image.problem.empty() || !output) return out;
  for (size_t i = 0; i < image.pixels.rgba.size(); ++i) {
    const bool blank = std::binary_search(image.unwritten.begin(), image.unwritten.end(), i);
    out += fmt::format("{},{},{}\n", i % image.pixels.width, i / image.pixels.width,
                       blank ? std::string() : element_as_text(output->type, output->data.data(), i));
  }
  return out;
}

}  // namespace

const Visualiser image_view = {"image", "Output", false, false, false, draw_image, csv};
const Visualiser heat_map_view = {"heat-map", "Heat map", false, false, false, draw_heat_map, csv};

}  // namespace warpbook::view
