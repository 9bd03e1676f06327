// The pure step of reduction-tree: levels, idle lanes, and whose sums are added.
#include "view/reduction_tree.h"

#include "catch.h"
#include "view/visualisers.h"

using namespace warpbook;
using namespace warpbook::view;

namespace {

void add(Recording& recording, const char* access, int line, uint32_t mask, int64_t offset,
         int64_t factor = 1) {
  RecordedAccess one;
  one.space = "shared";
  one.buffer = "s";
  one.access = access;
  one.line = line;
  one.mask = mask;
  for (size_t lane = 0; lane < 32; ++lane) one.index[lane] = int64_t(lane) * factor + offset;
  recording.accesses.push_back(one);
}

/// 64 threads, seen from warp 0: it fills 32 cells, adds the other warp's 32, then its own upper half.
Recording halves() {
  Recording recording;
  add(recording, "write", 8, 0xffffffffu, 0);
  for (const int64_t half : {32, 16}) {
    const uint32_t mask = half == 32 ? 0xffffffffu : 0xffffu;
    add(recording, "read", 12, mask, half);
    add(recording, "read", 12, mask, 0);
    add(recording, "write", 12, mask, 0);
  }
  return recording;
}

}  // namespace

TEST_CASE("reduction-tree makes a level of each store, and knows who stored what is added") {
  const Recording recording = halves();
  ViewInput input;
  input.recording = &recording;
  const ReductionTree tree = make_reduction_tree(input);
  REQUIRE(tree.levels.size() == 3);
  CHECK(tree.all_lanes == 32);
  CHECK(tree.levels[0].partner[5] == -1);
  CHECK(tree.levels[1].partner[5] == 37);
  CHECK(tree.levels[1].partner_lane[5] == -1);  // the other warp's
  CHECK(tree.levels[2].partner[5] == 21);
  CHECK(tree.levels[2].partner_lane[5] == 21);
  CHECK(tree.levels[2].cell[15] == 15);
  CHECK(tree.levels[2].cell[16] == -1);
  CHECK(level_words(tree, 0) == "line 8: 32 lanes fill their cells");
  CHECK(level_words(tree, 2) == "level 2, line 12: 16 lanes add, 16 stand idle");
  CHECK(level_words(tree, 3).empty());
  CHECK(reduction_tree_view.csv(input).find("\n2,12,5,5,21\n") != std::string::npos);
}

TEST_CASE("cells that are not the lane's own number are followed to the lane that filled them") {
  Recording recording;
  add(recording, "write", 8, 0xffffffffu, 0);
  add(recording, "read", 12, 0xffff, 1, 2);
  add(recording, "read", 12, 0xffff, 0, 2);
  add(recording, "write", 12, 0xffff, 0, 2);
  ViewInput input;
  input.recording = &recording;
  input.options = {{"tile", "\"s\""}};
  const ReductionTree tree = make_reduction_tree(input);
  REQUIRE(tree.levels.size() == 2);
  CHECK(tree.levels[1].cell[3] == 6);
  CHECK(tree.levels[1].partner[3] == 7);
  CHECK(tree.levels[1].partner_lane[3] == 7);
  input.options = {{"tile", "\"other\""}};
  CHECK(make_reduction_tree(input).levels.empty());
}
