// The pure step of halo-tile: who brings which element into which cell.
#include "view/halo_tile.h"

#include "catch.h"
#include "view/visualisers.h"

using namespace warpbook;
using namespace warpbook::view;

namespace {

RecordedAccess access_of(const char* space, const char* access, const char* buffer, int line, uint32_t mask,
                         int64_t first) {
  RecordedAccess made;
  made.space = space;
  made.access = access;
  made.buffer = buffer;
  made.line = line;
  made.mask = mask;
  for (size_t lane = 0; lane < 32; ++lane) made.index[lane] = first + int64_t(lane);
  return made;
}

/// Four lanes fill six cells from in[10..15] in two rounds and read tile[1..4].
Recording two_rounds() {
  Recording recording;
  recording.accesses = {
      access_of("global", "read", "in", 8, 0xf, 10),    access_of("shared", "write", "tile", 8, 0xf, 0),
      access_of("global", "read", "in", 8, 0x3, 14),    access_of("shared", "write", "tile", 8, 0x3, 4),
      access_of("shared", "write", "other", 9, 0xf, 0), access_of("shared", "read", "tile", 15, 0xf, 1)};
  return recording;
}

}  // namespace

TEST_CASE("halo-tile pairs each store with the load before it, and counts rounds") {
  const Recording recording = two_rounds();
  ViewInput input;
  input.recording = &recording;
  input.options = {{"tile", "\"tile\""}, {"from", "\"in\""}, {"cells", "6"}, {"halo", "1"}};
  HaloTile tile = make_halo_tile(input, 1);
  CHECK(tile.steps == 3);
  CHECK(tile.filled == 6);
  CHECK(tile.storing);
  CHECK(tile.cells[3].source == 13);
  CHECK(tile.cells[3].round == 1);
  CHECK_FALSE(tile.cells[3].now);
  CHECK(tile.cells[5].source == 15);
  CHECK(tile.cells[5].lane == 1);
  CHECK(tile.cells[5].round == 2);
  CHECK(tile.lane_cell[1] == 5);
  CHECK(tile.lane_cell[2] == -1);
  CHECK(tile.words == "line 8: 2 lanes fill cells of tile");
  tile = make_halo_tile(input, 2);
  CHECK_FALSE(tile.storing);
  CHECK(tile.cells[1].reads == 1);
  CHECK(tile.cells[5].reads == 0);
  CHECK(tile.line == 15);
}

TEST_CASE("halo-tile shows only what has happened by the step") {
  const Recording recording = two_rounds();
  ViewInput input;
  input.recording = &recording;
  input.options = {{"from", "\"in\""}, {"cells", "6"}, {"halo", "1"}};
  const HaloTile tile = make_halo_tile(input, 0);
  CHECK(tile.filled == 4);
  CHECK(tile.cells[4].lane == -1);
  CHECK(tile.cells[4].source == -1);
}

TEST_CASE("a value that was not loaded has no source, and cells past the tile are left out") {
  Recording recording;
  recording.accesses = {access_of("shared", "write", "tile", 8, 0xff, 0)};
  ViewInput input;
  input.recording = &recording;
  input.options = {{"from", "\"in\""}, {"cells", "4"}, {"halo", "0"}};
  const HaloTile tile = make_halo_tile(input, 0);
  CHECK(tile.cells.size() == 4);
  CHECK(tile.filled == 4);
  CHECK(tile.cells[2].lane == 2);
  CHECK(tile.cells[2].source == -1);
  CHECK(tile.lane_cell[5] == -1);
  input.options[1].second = "0";
  CHECK(make_halo_tile(input, 0).cells.empty());
  input.recording = nullptr;
  CHECK(make_halo_tile(input, 0).steps == 0);
  CHECK(halo_tile_view.csv(input) == "cell,source,lane,round,reads\n");
}
