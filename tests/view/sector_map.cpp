// Lanes onto sectors, without a window: what a request touches and how much of it is asked for.
#include "view/sector_map.h"

#include "catch.h"
#include "view/visualisers.h"

using namespace warpbook;
using namespace warpbook::view;

namespace {

Output floats(const std::string& name, uint64_t count) {
  Output output;
  output.name = name;
  output.type = ElementType::f32;
  output.count = count;
  return output;
}

template <class IndexOfLane>
RecordedAccess request(const std::string& buffer, uint32_t bytes, uint32_t mask, IndexOfLane index_of_lane) {
  RecordedAccess access;
  access.line = 7;
  access.buffer = buffer;
  access.space = "global";
  access.access = "read";
  access.mask = mask;
  access.bytes = bytes;
  for (int lane = 0; lane < 32; ++lane) access.index[size_t(lane)] = index_of_lane(lane);
  return access;
}

struct Scene {
  std::vector<Output> outputs = {floats("in", 4096)};
  Recording recording;
  ViewInput input;
  SectorMap at(size_t step) {
    input.outputs = &outputs;
    input.recording = &recording;
    return make_sector_map(input, step);
  }
};

}  // namespace

TEST_CASE("32 neighbours of 4 bytes touch four sectors, and every byte is asked for") {
  Scene scene;
  scene.recording.accesses = {request("in", 4, ~0u, [](int lane) { return lane; })};
  const SectorMap map = scene.at(0);
  CHECK(map.steps == 1);
  CHECK(map.line == 7);
  REQUIRE(map.sectors.size() == 4);
  CHECK(map.asked_bytes == 128);
  CHECK(map.fetched_bytes() == 128);
  CHECK(map.lanes[31].first == 3);
  CHECK(map.lanes[31].first_byte == 28);
}

TEST_CASE("one element later, a fifth sector is touched") {
  Scene scene;
  scene.recording.accesses = {request("in", 4, ~0u, [](int lane) { return lane + 1; })};
  const SectorMap map = scene.at(0);
  CHECK(map.sectors.size() == 5);
  CHECK(map.asked_bytes == 128);
  CHECK_FALSE(map.sectors[0].asked[3]);
  CHECK(map.sectors[0].asked[4]);
}

TEST_CASE("with a stride the sectors are as many as the counters of a run say") {
  for (int stride = 1; stride <= 32; ++stride) {
    Scene scene;
    scene.recording.accesses = {request("in", 4, ~0u, [&](int lane) { return lane * stride + 5; })};
    const size_t expected = size_t(std::min(32, (31 * stride + 5) / 8 + 1));
    INFO(stride);
    CHECK(scene.at(0).sectors.size() == expected);
  }
}

TEST_CASE("a number that all lanes read is asked for once") {
  Scene scene;
  scene.recording.accesses = {request("in", 4, ~0u, [](int) { return 10; })};
  const SectorMap map = scene.at(0);
  REQUIRE(map.sectors.size() == 1);
  CHECK(map.sectors[0].number == 1);
  CHECK(map.asked_bytes == 4);
}

TEST_CASE("lanes that wait ask for nothing, and wide accesses ask for all their bytes") {
  Scene scene;
  scene.recording.accesses = {request("in", 16, 0x3u, [](int lane) { return lane * 4; })};
  const SectorMap map = scene.at(0);
  CHECK(map.active == 2);
  CHECK_FALSE(map.lanes[2].active);
  REQUIRE(map.sectors.size() == 1);
  CHECK(map.asked_bytes == 32);
}

TEST_CASE("an index before the beginning lies in a sector of its own") {
  Scene scene;
  scene.recording.accesses = {request("in", 4, 0x3u, [](int lane) { return lane - 1; })};
  const SectorMap map = scene.at(0);
  REQUIRE(map.sectors.size() == 2);
  CHECK(map.sectors[0].number == -1);
  CHECK(map.lanes[0].first_byte == 28);
  CHECK(map.place_of(0) == 1);
  CHECK(map.place_of(5) == -1);
}

TEST_CASE("steps are requests to global memory, of the buffers that the lesson names") {
  Scene scene;
  auto shared = request("tile", 4, ~0u, [](int lane) { return lane; });
  shared.space = "shared";
  auto write = request("out", 4, ~0u, [](int lane) { return lane * 8; });
  write.access = "write";
  scene.recording.accesses = {shared, request("in", 4, ~0u, [](int lane) { return lane; }), write};
  CHECK(scene.at(0).steps == 2);
  CHECK(scene.at(1).access == "write");
  CHECK(scene.at(9).access == "write");  // clamped
  scene.input.options = {{"buffers", "[\"out\"]"}};
  CHECK(scene.at(0).steps == 1);
  CHECK(scene.at(0).sectors.size() == 32);
  scene.recording.accesses.clear();
  CHECK(scene.at(0).sectors.empty());
}
