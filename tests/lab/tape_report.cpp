// The tape for people and for scripts: learners' names, loops and libraries folded.
#include "lab/tape_report.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "made_tape.h"

using namespace warpbook;

namespace {

RunResult result_of(MadeTape& tape) {
  RunResult result;
  result.status = "ok";
  result.engine = "emulator";
  result.gpu = "A100";
  result.file = "main.cu";
  tape.program.mode = "in a sandbox (bubblewrap)";
  result.program = std::make_shared<const HostProgram>(tape.program);
  return result;
}

}  // namespace

TEST_CASE("a call is told in the learner's names") {
  MadeTape tape;
  const uint64_t a = tape.allocate("d_a", 4000, 10);
  TapeRow& copy = tape.copy_in(a, 4000, 12);
  copy.arguments = {
      {"dst", "0x1000"}, {"src", "0x7f"}, {"count", "4000"}, {"kind", "cudaMemcpyHostToDevice"}};
  TapeRow& launch = tape.launch("add", 14);
  launch.arguments = {{"x", "0x1000"}, {"n", "1000"}};
  launch.places = {tape.device("x", a)};
  CHECK(words_of(tape.program, tape.program.tape.rows[1]) ==
        "cudaMemcpy(dst = d_a, src = host memory, count = 4000, kind = host to device)");
  CHECK(words_of(tape.program, tape.program.tape.rows[2]) == "add<<<4, 256>>>(d_a, 1000)");
  launch.stream = 2;
  launch.launch->launch.block = {16, 16, 1};
  CHECK(words_of(tape.program, tape.program.tape.rows[2]) == "add<<<4, (16, 16), 0, stream 2>>>(d_a, 1000)");
}

TEST_CASE("the turns of a loop are one line each, and a library's calls are one") {
  MadeTape tape;
  const uint64_t a = tape.allocate("d_a", 4000, 10);
  for (int i = 0; i < 300; ++i) {
    tape.launch("step", 14);
    tape.copy_out(a, 4, 15);
  }
  for (int i = 0; i < 16; ++i) {
    tape.add("cudaPeekAtLastError", 20);
    tape.program.places.back().folded = "cub";
  }
  tape.add("cudaDeviceSynchronize", 21);
  const auto lines = tape_lines(tape.program);
  REQUIRE(lines.size() == 5);
  CHECK(lines[1].times == 300);
  CHECK(lines[2].times == 300);
  CHECK(lines[3].folded == "cub");
  CHECK(lines[3].rows == 16);
  const std::string text = program_as_text(result_of(tape), "", {});
  CHECK(text.find("x300") != std::string::npos);
  CHECK(text.find("16 calls of cub") != std::string::npos);
}

TEST_CASE("the JSON has the program's end and every call") {
  MadeTape tape;
  const uint64_t a = tape.allocate("d_a", 4000, 10);
  tape.copy_in(a, 4000, 12);
  tape.end();
  tape.program.out = "done\n";
  const auto json = nlohmann::json::parse(run_as_json(result_of(tape)));
  CHECK(json["program"]["exit"] == 0);
  CHECK(json["program"]["signal"].is_null());
  CHECK(json["program"]["stdout"] == "done\n");
  REQUIRE(json["tape"].size() == 2);
  CHECK(json["tape"][1]["call"] == "cudaMemcpy");
  CHECK(json["tape"][1]["line"] == 12);
  CHECK(json["tape"][1]["bytes"] == 4000);
  CHECK(json["tape"][1]["direction"] == "host to device");
  CHECK(json["tape"][1]["memory"][0]["name"] == "d_a");
  CHECK(json["outputs"].is_null());
}

TEST_CASE("a crash and a stop are told with where they happened") {
  MadeTape tape;
  TapeRow& row = tape.add("", 22);
  row.kind = TapeKind::fault;
  row.fault = TapeFault{"segmentation-fault", true, 11};
  tape.program.exit = -1;
  tape.program.signal = 11;
  RunResult crashed = result_of(tape);
  crashed.status = "fault";
  CHECK(program_as_text(crashed, "", {}).find("crashed (Segmentation fault) at main.cu:22") !=
        std::string::npos);
  tape.program.stopped = "it ran for more than 5 s";
  CHECK(program_as_text(result_of(tape), "", {}).find("stopped: it ran for more than 5 s") !=
        std::string::npos);
}

TEST_CASE("a program that ended badly says how") {
  MadeTape tape;
  tape.program.exit = 0;
  CHECK(bad_ending(tape.program).empty());
  tape.program.exit = 3;
  CHECK(bad_ending(tape.program) == "it ended with exit code 3");
  tape.program.exit = -1;
  tape.program.signal = 9;
  CHECK(bad_ending(tape.program) == "it crashed (Killed)");
  tape.program.stopped = "it ran for more than 60 s";
  CHECK(bad_ending(tape.program) == "it was stopped: it ran for more than 60 s");
}
