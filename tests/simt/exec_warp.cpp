// Exchange between lanes, and what is wrong with masks.
#include <algorithm>
#include <functional>

#include "simt/exec_harness.h"

namespace warpbook::simt {
namespace {

using exec_tests::check_sums;
using exec_tests::only_error;
using exec_tests::Program;
using memory_tests::iota;

TEST_CASE("shuffles up, down, across and by index, in segments") {
  for (const int width : {32, 16, 8, 2}) {
    for (const int distance : {0, 1, 3, 7}) {
      Program p("exec_warp");
      const Address out = p.buffer("out", std::vector<int>(128, -1));
      std::vector<int> in(32);
      for (int i = 0; i < 32; ++i) in[size_t(i)] = 100 + i * i;
      p.buffer("in", in);
      p.value("distance", distance);
      p.value("width", width);
      REQUIRE(p.launch("shuffles", 1, 32).status == RunStatus::ok);
      const auto got = p.read<int>(out, 128);
      for (int lane = 0; lane < 32; ++lane) {
        const int base = lane / width * width;
        const auto pick = [&](int from, bool ok) { return in[size_t(ok ? from : lane)]; };
        INFO("lane " << lane << " width " << width << " distance " << distance);
        CHECK(got[size_t(lane)] == pick(lane - distance, lane - distance >= base));
        CHECK(got[size_t(lane + 32)] == pick(lane + distance, lane + distance < base + width));
        CHECK(got[size_t(lane + 64)] == pick(lane ^ distance, (lane ^ distance) < base + width));
        CHECK(got[size_t(lane + 96)] == pick(base + distance % width, true));
      }
    }
  }
}

TEST_CASE("votes and matches among two groups of lanes") {
  Program p("exec_warp");
  const Address out = p.buffer("out", std::vector<int>(192, -1));
  std::vector<int> in(32);
  for (int i = 0; i < 32; ++i) in[size_t(i)] = i < 20 ? i % 4 * 3 : 0x105;
  p.buffer("in", in);
  REQUIRE(p.launch("votes", 1, 32).status == RunStatus::ok);
  const auto got = p.read<int>(out, 192);
  for (int lane = 0; lane < 32; ++lane) {
    const int first = lane < 20 ? 0 : 20, end = lane < 20 ? 20 : 32;
    unsigned ballot = 0, same = 0, same_wide = 0, group = 0;
    bool equal_bits = true;
    for (int other = first; other < end; ++other) {
      group |= 1u << other;
      if (in[size_t(other)] > 5) ballot |= 1u << other;
      if (in[size_t(other)] == in[size_t(lane)]) same |= 1u << other;
      equal_bits = equal_bits && (in[size_t(other)] & 0x100) == (in[size_t(lane)] & 0x100);
    }
    for (int other = 0; other < 32; ++other) {
      if (in[size_t(other)] == in[size_t(lane)]) same_wide |= 1u << other;
    }
    INFO("lane " << lane);
    CHECK(unsigned(got[size_t(lane)]) == ballot);
    const int any = ballot != 0, all = ballot == group, uniform = ballot == 0 || ballot == group;
    CHECK(got[size_t(lane + 32)] == any + 2 * all + 4 * uniform);
    CHECK(unsigned(got[size_t(lane + 64)]) == same);
    CHECK(unsigned(got[size_t(lane + 96)]) == (equal_bits ? group : 0));
    CHECK(got[size_t(lane + 128)] == int(equal_bits));
    CHECK(unsigned(got[size_t(lane + 160)]) == same_wide);
  }
}

TEST_CASE("redux over groups of lanes") {
  Program p("exec_warp");
  const Address out = p.buffer("out", std::vector<int>(256, -1));
  std::vector<int> in(32);
  for (int i = 0; i < 32; ++i) in[size_t(i)] = (i * 37 - 300) * (i % 3 ? 1 : -5);
  p.buffer("in", in);
  REQUIRE(p.launch("reductions", 1, 32).status == RunStatus::ok);
  const auto got = p.read<int>(out, 256);
  for (int lane = 0; lane < 32; ++lane) {
    const auto from = in.begin() + (lane < 8 ? 0 : 8), to = in.begin() + (lane < 8 ? 8 : 32);
    const auto fold = [&](auto combine) {
      unsigned result = unsigned(*from);
      for (auto at = from + 1; at != to; ++at) result = combine(result, unsigned(*at));
      return int(result);
    };
    INFO("lane " << lane);
    CHECK(got[size_t(lane)] == fold(std::plus<unsigned>()));
    CHECK(got[size_t(lane + 32)] == *std::min_element(from, to));
    CHECK(got[size_t(lane + 64)] == *std::max_element(from, to));
    CHECK(got[size_t(lane + 96)] == fold(std::bit_and<unsigned>()));
    CHECK(got[size_t(lane + 128)] == fold(std::bit_or<unsigned>()));
    CHECK(got[size_t(lane + 160)] == fold(std::bit_xor<unsigned>()));
    CHECK(got[size_t(lane + 192)] == fold([](unsigned a, unsigned b) { return std::min(a, b); }));
    CHECK(got[size_t(lane + 224)] == fold([](unsigned a, unsigned b) { return std::max(a, b); }));
  }
}

TEST_CASE("a shuffle waits for lanes that come late") {
  Program p("exec_warp");
  const Address out = p.buffer("out", std::vector<int>(32, -1));
  const RunReport report = p.launch("late_lanes", 1, 32);
  REQUIRE(report.status == RunStatus::ok);
  check_sums(report);
  const auto value = [](int t) {
    unsigned v = unsigned(t);
    for (int k = 0; k < t * 3; ++k) v = v * 7 + unsigned(k);
    return v;
  };
  const auto got = p.read<int>(out, 32);
  for (int t = 0; t < 32; ++t) CHECK(got[size_t(t)] == int(value(31 - t) - value(t)));
}

TEST_CASE("tiles of a warp wait only for their own lanes") {
  Program p("exec_warp");
  const Address out = p.buffer("out", std::vector<int>(32, -1));
  std::vector<int> in(32);
  for (int i = 0; i < 32; ++i) in[size_t(i)] = (i * 7) % 12 - 4;
  p.buffer("in", in);
  const RunReport report = p.launch("tiles", 1, 32);
  REQUIRE(report.status == RunStatus::ok);
  check_sums(report);
  const auto got = p.read<int>(out, 32);
  for (int t = 0; t < 32; ++t) {
    int sum = 0;
    for (int i = t / 8 * 8; i < t / 8 * 8 + 8; ++i) {
      int v = in[size_t(i)];
      if (v > 0) {
        for (int k = in [size_t(i)]; k > 0; --k) v += k;
      }
      sum += v;
    }
    CHECK(got[size_t(t)] == sum);
  }
}

TEST_CASE("a mask that does not name the caller") {
  Program p("exec_warp");
  p.buffer("out", std::vector<int>(32, 0));
  const Diagnosis d = only_error(p.launch("wrong_mask", 1, 32));
  CHECK(d.kind == "warp-mask");
  CHECK(d.access == "shuffle");
  CHECK(d.line == 66);
  REQUIRE(d.thread);
  CHECK(*d.thread == Dim3{16, 0, 0});
  CHECK(d.count == 16);
}

TEST_CASE("a lane that does not take part is read") {
  Program p("exec_warp");
  p.buffer("out", std::vector<int>(32, 0));
  const Diagnosis d = only_error(p.launch("inactive", 1, 32));
  CHECK(d.kind == "shuffle-inactive-lane");
  CHECK(d.line == 74);
  REQUIRE(d.thread);
  CHECK(*d.thread == Dim3{4, 0, 0});
  CHECK(d.count == 4);

  Program part("exec_warp");
  part.buffer("out", std::vector<int>(40, 0));
  const Diagnosis beyond = only_error(part.launch("part_of_a_warp", 1, 40));
  CHECK(beyond.kind == "shuffle-inactive-lane");
  REQUIRE(beyond.thread);
  CHECK(*beyond.thread == Dim3{39, 0, 0});
}

TEST_CASE("activemask names the lanes in the branch") {
  Program p("exec_warp");
  const Address out = p.buffer("out", std::vector<int>(32, 0));
  REQUIRE(p.launch("active", 1, 32).status == RunStatus::ok);
  const auto got = p.read<int>(out, 32);
  for (int t = 0; t < 32; ++t) CHECK(unsigned(got[size_t(t)]) == (t % 3 == 0 ? 0x49249249u : 0u));
}

TEST_CASE("__syncwarp may be reached at different places") {
  Program p("exec_warp");
  const Address out = p.buffer("out", std::vector<int>(32, 0));
  REQUIRE(p.launch("warp_barriers", 1, 32).status == RunStatus::ok);
  const auto got = p.read<int>(out, 32);
  for (int t = 1; t < 32; ++t) CHECK(got[size_t(t)] == 99);
}

TEST_CASE("lanes that wait for each other at different calls are a deadlock") {
  Program p("exec_warp");
  p.buffer("out", std::vector<int>(32, 0));
  const Diagnosis d = only_error(p.launch("stuck_shuffle", 1, 32));
  CHECK(d.kind == "deadlock");
  CHECK(d.access == "shuffle");
  CHECK(d.line == 111);
  CHECK(d.threads == "0..15");
  REQUIRE(d.other);
  CHECK(d.other->line == 113);
}

}  // namespace
}  // namespace warpbook::simt
