// The pure step of every visualiser: results in, cells, rows or pixels out. No window.
#include <cmath>
#include <cstring>
#include <set>

#include "catch.h"
#include "view/colour.h"
#include "view/image.h"
#include "view/line_table.h"
#include "view/matrix_diff.h"
#include "view/numbers.h"
#include "view/paint.h"
#include "view/thread_map.h"
#include "view/tile_walk.h"
#include "view/time_bar.h"
#include "view/visualisers.h"
#include "view/warp_lanes.h"

using namespace warpbook;
using namespace warpbook::view;

namespace {

template <class T>
Output output_of(const std::string& name, ElementType type, const std::vector<T>& values) {
  Output output;
  output.name = name;
  output.type = type;
  output.count = values.size();
  output.data.resize(values.size() * sizeof(T));
  std::memcpy(output.data.data(), values.data(), output.data.size());
  return output;
}

}  // namespace

TEST_CASE("the table of visualisers is sorted, and each row has all its functions") {
  std::string before;
  for (const Visualiser& one : visualisers()) {
    CHECK(std::string(one.slug) > before);
    before = one.slug;
    CHECK(one.draw != nullptr);
    CHECK(one.csv != nullptr);
    CHECK(visualiser(one.slug) != nullptr);
  }
  CHECK(visualiser("no-such-view") == nullptr);
}

TEST_CASE("options are read from JSON text") {
  ViewInput input;
  input.options = {{"buffer", "\"out\""},
                   {"width", "320"},
                   {"height", "\"240\""},
                   {"show", "[\"a\", \"b c\"]"},
                   {"quoted", "\"say \\\"hi\\\"\""},
                   {"empty", "[]"}};
  CHECK(option_text(input, "buffer") == "out");
  CHECK(option_text(input, "missing", "x") == "x");
  CHECK(option_text(input, "quoted") == "say \"hi\"");
  CHECK(option_number(input, "width", 0) == 320);
  CHECK(option_number(input, "height", 0) == 240);
  CHECK(option_number(input, "buffer", 7) == 7);
  CHECK(option_list(input, "show") == std::vector<std::string>{"a", "b c"});
  CHECK(option_list(input, "buffer") == std::vector<std::string>{"out"});
  CHECK(option_list(input, "empty").empty());
}

TEST_CASE("thread-map tells covered, twice, uncovered and out of range apart") {
  ViewInput input;
  input.launch.grid = {2, 1, 1};
  input.launch.block = {4, 1, 1};
  WriteMap writes;
  writes.buffer = "out";
  writes.times = {1, 2, 0, 1, 1};
  writes.writer = {0, 5, -1, 3, 4};
  writes.out_of_range = {{6, 9}};
  std::vector<WriteMap> maps = {writes};
  input.write_maps = &maps;
  ThreadMap map = make_thread_map(input);
  using Cell = ThreadMap::Cell;
  using Lane = ThreadMap::Lane;
  CHECK(map.elements ==
        std::vector<Cell>{Cell::covered, Cell::twice, Cell::uncovered, Cell::covered, Cell::covered});
  CHECK(map.covered == 3);
  CHECK(map.twice == 1);
  CHECK(map.uncovered == 1);
  CHECK(map.out_of_range == 1);
  REQUIRE(map.threads.size() == 8);
  CHECK(map.threads[0] == Lane::writes);
  CHECK(map.threads[1] == Lane::idle);
  CHECK(map.threads[6] == Lane::out_of_range);
  CHECK(map.element_of[5] == 1);
  CHECK(map.element_of[6] == 9);
  CHECK(map.element_of[7] == -1);
  CHECK(thread_map_view.csv(input) ==
        "element,times_written,last_thread\n0,1,0\n1,2,5\n2,0,-1\n3,1,3\n4,1,4\n");
}

TEST_CASE("thread-map of a buffer that nobody recorded is empty") {
  ViewInput input;
  CHECK(make_thread_map(input).elements.empty());
  std::vector<WriteMap> maps = {WriteMap{}};
  maps[0].buffer = "a";
  maps[0].times = {1};
  maps[0].writer = {0};
  input.write_maps = &maps;
  input.options = {{"buffer", "\"b\""}};
  CHECK(make_thread_map(input).elements.empty());
}

TEST_CASE("numbers shows what the lesson asks for, with the run before") {
  Counters now, before;
  now.threads = 1024;
  now.warps = 32;
  before.threads = 2048;
  ViewInput input;
  input.counters = &now;
  input.previous_counters = &before;
  input.values["n"] = 1000;
  input.options = {{"show", "[\"threads\", \"idle_threads\", \"no_such_counter\"]"}};
  auto rows = make_numbers(input);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].value == 1024);
  CHECK(rows[0].previous == 2048.0);
  CHECK(change_in_words(rows[0]) == "half of before");
  CHECK(rows[1].name == "idle_threads");
  CHECK(rows[1].value == 24);
  input.previous_counters = nullptr;
  CHECK(change_in_words(make_numbers(input)[0]).empty());
}

TEST_CASE("changes are put in words") {
  auto words = [](double before, double now) {
    NumberRow row;
    row.previous = before;
    row.value = now;
    return change_in_words(row);
  };
  CHECK(words(4, 4).empty());
  CHECK(words(4, 8) == "twice as many as before");
  CHECK(words(1, 32) == "32× before");
  CHECK(words(32, 4) == "1/8 of before");
  CHECK(words(0, 5) == "was 0");
  CHECK(words(5, 0) == "was 5");
  CHECK(words(100, 103) == "+3.0 %");
}

TEST_CASE("image takes RGBA as it is and maps numbers through colours") {
  std::vector<Output> outputs = {output_of<uint32_t>("rgba", ElementType::u32, {0x000000ff, 0x0000ff00}),
                                 output_of<float>("heat", ElementType::f32, {0.f, 1.f, NAN, 0.5f})};
  ViewInput input;
  input.outputs = &outputs;
  input.options = {{"buffer", "\"rgba\""}, {"width", "2"}, {"height", "1"}};
  Image image = make_image(input, "rgba");
  REQUIRE(image.problem.empty());
  CHECK(image.pixels.rgba == std::vector<uint32_t>{0xff0000ff, 0xff00ff00});
  input.options = {{"buffer", "\"heat\""}, {"columns", "2"}, {"rows", "2"}};
  image = make_image(input, "viridis");
  REQUIRE(image.problem.empty());
  CHECK(image.low == 0);
  CHECK(image.high == 1);
  CHECK(image.pixels.rgba[0] == rgb(0x440154));
  CHECK(image.pixels.rgba[1] == rgb(0xfde725));
  CHECK(image.pixels.rgba[2] == rgb(0x9a9a9a));
  CHECK(image.pixels.rgba[3] == rgb(0x21918c));
}

TEST_CASE("what nobody wrote has no colour and no part in the range of the colours") {
  const int32_t poison = int32_t(0xcdcdcdcd);
  std::vector<Output> outputs = {output_of<int32_t>("out", ElementType::i32, {3, poison, 7, poison}),
                                 output_of<uint8_t>("bytes", ElementType::u8, {1, 0xcd})};
  ViewInput input;
  input.outputs = &outputs;
  input.options = {{"buffer", "\"out\""}, {"columns", "2"}, {"rows", "2"}};
  Image image = make_image(input, "viridis");
  CHECK(image.low == 3);
  CHECK(image.high == 7);
  CHECK(image.unwritten == std::vector<uint32_t>{1, 3});
  CHECK(image.pixels.rgba[1] == 0);
  CHECK(image.pixels.rgba[0] == rgb(0x440154));
  CHECK(heat_map_view.csv(input).find("\n1,0,\n") != std::string::npos);
  // A kernel may write that very number: the run knows.
  const std::vector<WriteMap> writes = {{"out", {1, 0, 1, 1}, {0, -1, 2, 3}, {}},
                                        {"bytes", {1, 0}, {0, -1}, {}}};
  input.write_maps = &writes;
  image = make_image(input, "viridis");
  CHECK(image.unwritten == std::vector<uint32_t>{1});
  CHECK(image.low == poison);
  // A single byte is only believed where the run knows.
  input.options = {{"buffer", "\"bytes\""}, {"columns", "2"}, {"rows", "1"}};
  CHECK(make_image(input, "viridis").unwritten == std::vector<uint32_t>{1});
  input.write_maps = nullptr;
  CHECK(make_image(input, "viridis").unwritten.empty());
}

TEST_CASE("image says what is wrong instead of reading past a buffer") {
  std::vector<Output> outputs = {output_of<uint32_t>("out", ElementType::u32, {1, 2, 3})};
  ViewInput input;
  CHECK_FALSE(make_image(input, "rgba").problem.empty());
  input.outputs = &outputs;
  input.options = {{"width", "2"}, {"height", "2"}};
  CHECK_FALSE(make_image(input, "rgba").problem.empty());
  input.options = {{"width", "-1"}, {"height", "2"}};
  CHECK_FALSE(make_image(input, "rgba").problem.empty());
  input.options = {{"buffer", "\"other\""}, {"width", "1"}, {"height", "1"}};
  CHECK_FALSE(make_image(input, "rgba").problem.empty());
}

TEST_CASE("the wheel keeps the point under the mouse where it is") {
  ViewInput input;
  input.values = {{"cx", -500000}, {"cy", 100000}, {"span", 3000000}};
  CHECK(zoom_by_wheel(input, 0.5, 0.5, 1, 1).empty());  // a view without zoom
  input.options = {{"zoom_x", "\"cx\""}, {"zoom_y", "\"cy\""}, {"zoom_span", "\"span\""}};
  double at_x = 0.9, at_y = 0.2, aspect = 4.0 / 3;
  auto changes = zoom_by_wheel(input, at_x, at_y, 2, aspect);
  REQUIRE(changes.size() == 3);
  CHECK(changes[0].value == 1920000);
  auto point = [&](int64_t centre, double share, int64_t span) {
    return double(centre) + (share - 0.5) * double(span);
  };
  CHECK(point(changes[1].value, at_x, changes[0].value) == Approx(point(-500000, at_x, 3000000)).margin(1));
  // The y axis points up: what lies above the middle has more of it.
  CHECK(double(changes[2].value) - (at_y - 0.5) * 1920000 / aspect ==
        Approx(100000 - (at_y - 0.5) * 3000000 / aspect).margin(1));
  auto moved = pan_by_drag(input, 0.1, 0, aspect);
  REQUIRE(moved.size() == 2);
  CHECK(moved[0].value == -800000);
  CHECK(moved[1].value == 100000);
  // Dragged down, the picture goes down: the middle of the view is further up now.
  moved = pan_by_drag(input, 0, 0.1, 1);
  CHECK(moved[1].value == 400000);
}

TEST_CASE("warp-lanes lays warps out as the grid lies") {
  ViewInput input;
  input.launch.grid = {2, 2, 1};
  input.launch.block = {32, 2, 1};
  std::vector<WarpCounters> warps;
  for (uint64_t block = 0; block < 4; ++block) {
    for (uint32_t warp = 0; warp < 2; ++warp) warps.push_back({block, warp, 10, block == 3 ? 80u : 320u});
  }
  input.warps = &warps;
  WarpLanes lanes = make_warp_lanes(input);
  CHECK(lanes.pixels.width == 64);  // a pixel a thread: a warp is a row of 32
  CHECK(lanes.pixels.height == 4);
  CHECK(lanes.warp_at[0] == 0);
  CHECK(lanes.warp_at[31] == 0);
  CHECK(lanes.warp_at[64] == 1);
  CHECK(lanes.warp_at[64 + 32] == 3);
  CHECK(lanes.lowest_share == Approx(0.25));
  CHECK(lanes.mean_share == Approx((6 * 320 + 2 * 80) / (8 * 320.0)));
  CHECK(lanes.pixels.rgba[0] == rgb(0xfde725));
}

TEST_CASE("warp-lanes gives a warp the shape of its threads, and a pixel where that would be a thin line") {
  ViewInput input;
  input.launch.grid = {30, 12, 1};
  input.launch.block = {8, 16, 1};
  std::vector<WarpCounters> warps;
  for (uint64_t block = 0; block < 360; ++block) {
    for (uint32_t warp = 0; warp < 4; ++warp) warps.push_back({block, warp, 10, 320});
  }
  input.warps = &warps;
  const WarpLanes patches = make_warp_lanes(input);
  CHECK(patches.pixels.width == 240);
  CHECK(patches.pixels.height == 192);
  CHECK(patches.warp_at[240 * 3 + 7] == 0);  // 8 by 4 pixels
  CHECK(patches.warp_at[240 * 4] == 1);
  CHECK(patches.warp_at[8] == 4);
  input.launch.grid = {2, 2, 1};
  input.launch.block = {1024, 1, 1};
  warps.assign(1, {3, 31, 10, 320});
  const WarpLanes lines = make_warp_lanes(input);
  CHECK(lines.pixels.width == 64);  // 32 warps a block
  CHECK(lines.pixels.height == 2);
  CHECK(lines.warp_at[127] == 0);
  CHECK(lines.warp_at[126] == -1);
}

TEST_CASE("warp-lanes folds a launch in one dimension, whole blocks side by side") {
  ViewInput input;
  input.launch.grid = {18, 1, 1};
  input.launch.block = {128, 1, 1};
  std::vector<WarpCounters> warps;
  for (uint64_t block = 0; block < 18; ++block) {
    for (uint32_t warp = 0; warp < 4; ++warp) warps.push_back({block, warp, 10, 320});
  }
  input.warps = &warps;
  const WarpLanes lanes = make_warp_lanes(input);
  CHECK(lanes.pixels.width == 12);  // three blocks of four warps
  CHECK(lanes.pixels.height == 6);
  CHECK(lanes.warp_at[0] == 0);
  CHECK(lanes.warp_at[11] == 11);
  CHECK(lanes.warp_at[12] == 12);
  CHECK(lanes.warp_at[71] == 71);
}

TEST_CASE("time-bar tells the first run and later runs apart") {
  Times first, now;
  first.compile_ms = 450;
  first.load_ms = 1;
  first.emulator_ms = 49;
  now.compile_ms = 0.2;
  now.cached = true;
  now.emulator_ms = 50;
  ViewInput input;
  input.times = &now;
  input.first_times = &first;
  auto bars = make_time_bars(input);
  REQUIRE(bars.size() == 2);
  CHECK(bars[0].title == "First run");
  CHECK(bars[0].total == Approx(500));
  CHECK(bars[0].note == "compile: 90 % of the time");
  CHECK(bars[1].note.find("cache") != std::string::npos);
  CHECK(bars[1].parts.back().name == "kernel, on the emulator");
  input.first_times = &now;  // the first run is this run: one bar
  CHECK(make_time_bars(input).size() == 1);
}

TEST_CASE("matrix-diff finds the wrong element") {
  std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {7, 8, 9, 10, 11, 12};  // 2x3 times 3x2
  std::vector<float> c = {58, 64, 139, 154};
  std::vector<Output> outputs = {output_of("a", ElementType::f32, a), output_of("b", ElementType::f32, b),
                                 output_of("c", ElementType::f32, c)};
  ViewInput input;
  input.outputs = &outputs;
  input.options = {{"buffer", "\"c\""}, {"a", "\"a\""},   {"b", "\"b\""},
                   {"rows", "2"},       {"columns", "2"}, {"inner", "3"}};
  MatrixDiff diff = make_matrix_diff(input);
  REQUIRE(diff.problem.empty());
  CHECK(diff.differing == 0);
  CHECK(diff.largest == 0);
  c[2] = 140;
  outputs[2] = output_of("c", ElementType::f32, c);
  diff = make_matrix_diff(input);
  CHECK(diff.differing == 1);
  CHECK(diff.worst == 2);
  CHECK(diff.largest == Approx(1));
  CHECK(diff.pixels.rgba[2] != diff.pixels.rgba[0]);
  c[2] = NAN;
  outputs[2] = output_of("c", ElementType::f32, c);
  CHECK(make_matrix_diff(input).differing == 1);
  input.options[5].second = "30";
  CHECK_FALSE(make_matrix_diff(input).problem.empty());
}

TEST_CASE("tile-walk counts touches up to the step") {
  Recording recording;
  RecordedAccess read;
  read.line = 7;
  read.buffer = "a";
  read.space = "global";
  read.access = "read";
  read.mask = 0x3;
  read.index[0] = 0;
  read.index[1] = 1;
  RecordedAccess write = read;
  write.line = 9;
  write.buffer = "c";
  write.access = "write";
  write.index[0] = 3;
  write.index[1] = 99;  // out of range: not drawn
  RecordedAccess shared = read;
  shared.space = "shared";
  recording.accesses = {read, shared, read, write};
  ViewInput input;
  input.recording = &recording;
  input.options = {{"a", "\"a\""}, {"c", "\"c\""}, {"n", "2"}};
  TileWalk walk = make_tile_walk(input, 0);
  CHECK(walk.steps == 3);
  CHECK(walk.line == 7);
  REQUIRE(walk.matrices.size() == 2);
  CHECK(walk.matrices[0].reads[0] == 1);
  CHECK(walk.matrices[0].now[1] == 1);
  CHECK(walk.matrices[1].writes[3] == 0);
  walk = make_tile_walk(input, 2);
  CHECK(walk.matrices[0].reads[0] == 2);
  CHECK(walk.matrices[0].now[0] == 0);
  CHECK(walk.matrices[1].writes[3] == 1);
  CHECK(walk.words.find("line 9") == 0);
}

TEST_CASE("lines joins source and counters") {
  std::string source = "a\nb\nc\nd\ne\nf\ng\nh\n";
  LineCounters at;
  at.line = 5;
  at.warp_instructions = 10;
  at.thread_instructions = 160;
  at.global.requests = 2;
  at.global.sectors = 64;
  LineCounters unowned;
  unowned.warp_instructions = 30;
  std::vector<LineCounters> lines = {at, unowned};
  ViewInput input;
  input.source = &source;
  input.lines = &lines;
  auto rows = make_line_rows(input);
  REQUIRE(rows.size() == 5);
  CHECK(rows.front().line == 3);
  CHECK(rows[2].text == "e");
  CHECK(rows[2].share == Approx(0.25));
  CHECK(rows[2].active_share == Approx(0.5));
  CHECK(rows[2].sectors == 32);
}

TEST_CASE("short numbers have at most three digits of a fraction's worth") {
  CHECK(short_number(0) == "0");
  CHECK(short_number(1234567) == "1,234,567");
  CHECK(short_number(12.345) == "12.3");
  CHECK(short_number(0.1234) == "0.12");
  CHECK(short_number(-3) == "-3");
  CHECK(short_number(123.456) == "123");
  CHECK(short_number(NAN) == "NaN");
}

TEST_CASE("viridis grows lighter all the way") {
  double before = -1;
  for (int i = 0; i <= 100; ++i) {
    uint32_t colour = map_colour(ColourMap::viridis, i / 100.0);
    double light = 0.2126 * (colour & 0xff) + 0.7152 * (colour >> 8 & 0xff) + 0.0722 * (colour >> 16 & 0xff);
    CHECK(light > before);
    before = light;
  }
}
