// The tape's bytes: rows come back as they went in, and a tape that was cut keeps every whole row.
#include <string>

#include "catch.h"
#include "result/tape.h"

using namespace warpbook;

namespace {

TapeRow copy_row(uint64_t sequence) {
  TapeRow row;
  row.sequence = sequence;
  row.call = "cudaMemcpy";
  row.thread = 3;
  row.frames = {{0, 0x1234}, {1, 0x7FFF'FFFF'FFFF}};
  row.arguments = {{"dst", "0x100280000000"}, {"count", "4000"}};
  row.stream = 0;
  row.bytes = 4000;
  row.direction = CopyDirection::device_to_host;
  row.waits = true;
  row.code = 700;
  row.code_name = "cudaErrorIllegalAddress";
  row.reports = 7;
  row.places = {{"src", MemoryKind::device, 0x1002'8000'0000, 2, "", -8, 4096}};
  row.note = "The kernel of row 7 failed.";
  row.never_written = 12;
  row.first_never_written = 96;
  row.sample = std::string("\0\x01\xFF", 3);
  row.host_ms = 0.25;
  row.begin_ms = 1e-9;
  row.end_ms = 1234.5;
  return row;
}

TapeRow launch_row(uint64_t sequence) {
  TapeRow row;
  row.sequence = sequence;
  row.kind = TapeKind::launch;
  row.call = "<<<>>>";
  row.launch.emplace();
  row.launch->kernel = "add<float>";
  row.launch->launch.grid = {4, 1, 1};
  row.launch->launch.block = {256, 2, 1};
  row.launch->launch.shared_bytes = 1024;
  row.launch->active_lane_share = 0.5;
  row.launch->effects = {{2, "", 16, 4, "abcd"}};
  row.launch->repeats = 5;
  row.launch->repetition = 300;
  Diagnosis fault;
  fault.kind = "oob-write";
  fault.index = -3;
  fault.block = Dim3{1, 2, 3};
  fault.other = Diagnosis::Other{9, "read", Dim3{4, 5, 6}, std::nullopt};
  row.launch->diagnostics = {fault};
  return row;
}

std::string tape_of(const std::vector<TapeRow>& rows) {
  std::string bytes = tape_head() + tape_record_of_object("/opt/add") + tape_record_of_object("libm.so.6");
  for (const TapeRow& row : rows) bytes += tape_record(row);
  return bytes;
}

}  // namespace

TEST_CASE("rows of a tape come back as they were written") {
  TapeRow end;
  end.sequence = 3;
  end.kind = TapeKind::end;
  end.end.emplace();
  end.end->allocations = {{1, MemoryKind::pinned, 0x5000, 64}};
  end.end->never_launched = {"scale"};
  end.end->unread = {{1, 9, "cudaErrorInvalidConfiguration", 2}};
  auto tape = read_tape(tape_of({copy_row(1), launch_row(2), end}));
  REQUIRE(tape.ok());
  CHECK(tape->ended);
  CHECK_FALSE(tape->truncated);
  REQUIRE(tape->objects == std::vector<std::string>{"/opt/add", "libm.so.6"});
  REQUIRE(tape->rows.size() == 3);

  const TapeRow& copy = tape->rows[0];
  const TapeRow wrote = copy_row(1);
  CHECK(copy.call == wrote.call);
  CHECK(copy.thread == 3);
  CHECK(copy.frames == wrote.frames);
  CHECK(copy.arguments == wrote.arguments);
  CHECK(copy.stream == 0);
  CHECK(copy.bytes == 4000);
  CHECK(copy.direction == CopyDirection::device_to_host);
  CHECK(copy.waits);
  CHECK(copy.code == 700);
  CHECK(copy.code_name == wrote.code_name);
  CHECK(copy.reports == 7);
  CHECK(copy.places == wrote.places);
  CHECK(copy.note == wrote.note);
  CHECK(copy.never_written == 12);
  CHECK(copy.first_never_written == 96);
  CHECK(copy.sample == wrote.sample);
  CHECK(copy.host_ms == 0.25);
  CHECK(copy.begin_ms == 1e-9);
  CHECK(copy.end_ms == 1234.5);
  CHECK_FALSE(copy.launch);

  const TapeRow& launch = tape->rows[1];
  REQUIRE(launch.launch);
  CHECK(launch.stream == -1);
  CHECK(launch.launch->kernel == "add<float>");
  CHECK(launch.launch->launch == launch_row(2).launch->launch);
  CHECK(launch.launch->active_lane_share == 0.5);
  CHECK(launch.launch->effects == launch_row(2).launch->effects);
  CHECK(launch.launch->repeats == 5);
  CHECK(launch.launch->repetition == 300);
  REQUIRE(launch.launch->diagnostics.size() == 1);
  const Diagnosis& fault = launch.launch->diagnostics[0];
  CHECK(fault.kind == "oob-write");
  CHECK(fault.index == -3);
  CHECK(fault.block == Dim3{1, 2, 3});
  REQUIRE(fault.other);
  CHECK(fault.other->line == 9);
  CHECK(fault.other->block == Dim3{4, 5, 6});
  CHECK_FALSE(fault.other->thread);

  REQUIRE(tape->rows[2].end);
  CHECK(tape->rows[2].end->allocations[0].kind == MemoryKind::pinned);
  CHECK(tape->rows[2].end->never_launched == std::vector<std::string>{"scale"});
  CHECK(tape->rows[2].end->unread[0].code == 9);
  CHECK(tape->row(2) == &tape->rows[1]);
  CHECK(tape->row(4) == nullptr);
}

TEST_CASE("a tape cut anywhere keeps its whole rows and says that it was cut") {
  const std::string whole = tape_of({copy_row(1), launch_row(2)});
  const size_t first_ends = tape_of({copy_row(1)}).size();
  size_t none = 0, one = 0;
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    auto tape = read_tape(whole.substr(0, cut));
    REQUIRE(tape.ok());
    REQUIRE(tape->rows.size() == (cut < first_ends ? 0u : 1u));
    (cut < first_ends ? none : one) += 1;
    CHECK_FALSE(tape->ended);
    if (cut > first_ends) CHECK(tape->truncated);
  }
  CHECK(none > 100);
  CHECK(one > 100);
}

TEST_CASE("a row in progress is replaced when its call returns, also out of order") {
  TapeRow begun = copy_row(1);
  begun.in_progress = true;
  TapeReader reader;
  REQUIRE(reader.take(tape_of({begun})).ok());
  REQUIRE(reader.tape().rows.size() == 1);
  CHECK(reader.tape().rows[0].in_progress);
  REQUIRE(reader.take(tape_record(launch_row(2))).ok());
  // A row that arrives byte by byte.
  for (char c : tape_record(copy_row(1))) REQUIRE(reader.take(std::string_view(&c, 1)).ok());
  REQUIRE(reader.tape().rows.size() == 2);
  CHECK(reader.tape().rows[0].sequence == 1);
  CHECK_FALSE(reader.tape().rows[0].in_progress);
  CHECK(reader.tape().rows[1].sequence == 2);
}

TEST_CASE("what is no tape is refused, and damage keeps what came before") {
  CHECK_FALSE(read_tape("#!/bin/sh\n").ok());
  std::string other_version = tape_head();
  other_version[other_version.size() - 2] = '9';
  auto refused = read_tape(other_version);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("version") != std::string::npos);

  std::string damaged = tape_of({copy_row(1), launch_row(2)});
  damaged[tape_of({copy_row(1)}).size() + 6] = '\xFF';  // inside the second row
  for (size_t i = 0; i < 12; ++i) damaged[tape_of({copy_row(1)}).size() + 5 + i] = '\xFF';
  auto tape = read_tape(damaged);
  REQUIRE(tape.ok());
  CHECK(tape->rows.size() == 1);
  CHECK(tape->truncated);

  std::string impossible = tape_of({copy_row(1)}) + std::string("\xFF\xFF\xFF\xFF", 4);
  tape = read_tape(impossible);
  REQUIRE(tape.ok());
  CHECK(tape->rows.size() == 1);
  CHECK(tape->truncated);
}
