// The pure step of bank-grid: ways of a bank, broadcast, halves of wide accesses.
#include "view/bank_grid.h"

#include "catch.h"
#include "view/visualisers.h"

using namespace warpbook;
using namespace warpbook::view;

namespace {

BankGrid grid_of(int64_t stride, uint32_t bytes = 4, const char* access = "read",
                 uint32_t mask = 0xffffffffu) {
  Recording recording;
  RecordedAccess one;
  one.line = 9;
  one.space = "shared";
  one.access = access;
  one.buffer = "s";
  one.mask = mask;
  one.bytes = bytes;
  for (size_t lane = 0; lane < 32; ++lane) one.index[lane] = int64_t(lane) * stride;
  recording.accesses = {one};
  ViewInput input;
  input.recording = &recording;
  input.options = {{"tile", "\"s\""}, {"element", bytes == 8 ? "8" : "4"}};
  return make_bank_grid(input, 0);
}

}  // namespace

TEST_CASE("the ways of a stride are its greatest common divisor with 32") {
  for (const auto& [stride, passes] : std::vector<std::pair<int64_t, int>>{
           {1, 1}, {2, 2}, {3, 1}, {4, 4}, {8, 8}, {16, 16}, {32, 32}, {33, 1}, {64, 32}}) {
    INFO("stride " << stride);
    CHECK(grid_of(stride).passes == passes);
    CHECK(grid_of(stride).fewest == 1);
  }
}

TEST_CASE("lanes that ask for one word are served together, atomics on it are not") {
  const BankGrid same = grid_of(0);
  CHECK(same.passes == 1);
  REQUIRE(same.banks[0].size() == 1);
  CHECK(same.banks[0][0].lanes.size() == 32);
  CHECK(same.ways[1] == 0);
  CHECK(grid_of(0, 4, "atomic").passes == 32);
}

TEST_CASE("8-byte accesses go in two halves") {
  const BankGrid wide = grid_of(1, 8);
  CHECK(wide.passes == 2);
  CHECK(wide.fewest == 2);
  CHECK(wide.word_of[3] == 6);
  CHECK(grid_of(2, 8).passes == 4);
  CHECK(grid_of(1, 8, "read", 0xffff).fewest == 1);
}

TEST_CASE("bank-grid takes only the accesses it is asked for, and says what one costs") {
  const BankGrid grid = grid_of(32);
  CHECK(grid.rows == 32);
  CHECK(grid.ways[0] == 32);
  CHECK(grid.words == "line 9: 32 lanes read words of 4 bytes: 32 passes where 1 would do");
  ViewInput input;
  CHECK(make_bank_grid(input, 0).steps == 0);
  Recording recording;
  RecordedAccess write;
  write.space = "shared";
  write.access = "write";
  write.buffer = "s";
  write.mask = 1;
  write.bytes = 4;
  recording.accesses = {write};
  input.recording = &recording;
  input.options = {{"access", "\"read\""}};
  CHECK(make_bank_grid(input, 0).steps == 0);
  input.options = {{"access", "\"write\""}};
  CHECK(make_bank_grid(input, 0).steps == 1);
  CHECK(bank_grid_view.csv(input).find("0,0,0,1,1\n") != std::string::npos);
}
