// Findings on tapes made by hand: each kind where it belongs, none on a correct program.
#include "lab/program_findings.h"

#include "catch.h"
#include "made_tape.h"

using namespace warpbook;

namespace {

/// The whole flow of an addition, as it should be.
struct Flow {
  MadeTape tape;
  uint64_t a, b, c;
  Flow()
      : a(tape.allocate("d_a", 4000, 10)),
        b(tape.allocate("d_b", 4000, 11)),
        c(tape.allocate("d_c", 4000, 12)) {
    tape.program.kernels["add"] = {"main.cu", 3};
    tape.copy_in(a, 4000, 14);
    tape.copy_in(b, 4000, 15);
  }
  void finish() {
    tape.free(a, 30);
    tape.free(b, 31);
    tape.free(c, 32);
  }
};

const Diagnosis* find(const std::vector<Diagnosis>& found, const std::string& kind) {
  for (const Diagnosis& one : found)
    if (one.kind == kind) return &one;
  return nullptr;
}

}  // namespace

TEST_CASE("a correct program has no finding") {
  Flow flow;
  flow.tape.launch("add", 17);
  flow.tape.copy_out(flow.c, 4000, 19);
  flow.finish();
  flow.tape.end();
  CHECK(findings_of(flow.tape.program).empty());
}

TEST_CASE("a kernel that nobody launched while its output is read") {
  Flow flow;
  TapeRow& back = flow.tape.copy_out(flow.c, 4000, 19);
  back.never_written = 4000;
  flow.finish();
  flow.tape.end().never_launched = {"add"};
  const auto found = findings_of(flow.tape.program);
  REQUIRE(found.size() == 1);  // and not also read-before-write: it is one mistake
  CHECK(found[0].kind == "never-launched");
  CHECK(found[0].severity == Severity::error);
  CHECK(found[0].line == 3);
  CHECK(found[0].file == "main.cu");
  REQUIRE(found[0].other);
  CHECK(found[0].other->line == 19);
  CHECK(found[0].buffer == "d_c");
  CHECK_FALSE(found[0].hint.empty());
}

TEST_CASE("a kernel whose launch was refused was not forgotten") {
  Flow flow;
  TapeRow& row = flow.tape.launch("add", 17);
  MadeTape::fail(row, 9);
  row.launch->status = "launch-error";
  Diagnosis refused;
  refused.kind = "block-too-large";
  refused.access = "launch";
  refused.line = 3;
  refused.file = "main.cu";
  row.launch->diagnostics = {refused};
  flow.tape.copy_out(flow.c, 4000, 19);
  flow.finish();
  flow.tape.end().never_launched = {"add"};
  const auto found = findings_of(flow.tape.program);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "block-too-large");
  CHECK(found[0].line == 17);
}

TEST_CASE("a kernel that this run did not need is no finding") {
  Flow flow;
  flow.tape.program.kernels["other"] = {"main.cu", 6};
  flow.tape.launch("add", 17);
  flow.tape.copy_out(flow.c, 4000, 19);
  flow.finish();
  flow.tape.end().never_launched = {"other"};
  CHECK(findings_of(flow.tape.program).empty());
}

TEST_CASE("a program that ends before it does anything forgot nothing") {
  MadeTape tape;
  tape.program.kernels["add"] = {"main.cu", 3};
  tape.end().never_launched = {"add"};
  CHECK(findings_of(tape.program).empty());
}

TEST_CASE("a direction that contradicts its pointers") {
  Flow flow;
  flow.tape.copy(flow.tape.device("dst", flow.a), MadeTape::host("src"), 4000, CopyDirection::device_to_host,
                 16, 1);
  const auto found = findings_of(flow.tape.program);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "wrong-direction");
  CHECK(found[0].severity == Severity::error);
  CHECK(found[0].line == 16);
  CHECK(found[0].buffer == "d_a");
  CHECK(found[0].hint.find("cudaMemcpyHostToDevice") != std::string::npos);
}

TEST_CASE("a copy that failed for another reason has no wrong direction") {
  Flow flow;
  flow.tape
      .copy(flow.tape.device("dst", flow.a), MadeTape::host("src"), 4000, CopyDirection::host_to_device, 16,
            700)
      .reports = 3;
  CHECK(findings_of(flow.tape.program).empty());
}

TEST_CASE("a copy beyond its allocation names both sizes") {
  Flow flow;
  flow.tape.copy(flow.tape.device("dst", flow.a), MadeTape::host("src"), 16000, CopyDirection::host_to_device,
                 16, 1);
  const auto found = findings_of(flow.tape.program);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "copy-too-large");
  CHECK(found[0].message.find("16,000 bytes") != std::string::npos);
  CHECK(found[0].message.find("d_a") != std::string::npos);
  CHECK(found[0].message.find("4,000 bytes") != std::string::npos);
  REQUIRE(found[0].other);
  CHECK(found[0].other->line == 10);
}

TEST_CASE("a host pointer that a kernel follows") {
  Flow flow;
  TapeRow& row = flow.tape.launch("add", 17);
  row.places = {MadeTape::host("a"), flow.tape.device("c", flow.c)};
  row.launch->error = 700;
  Diagnosis stray;
  stray.kind = "oob-read";
  stray.access = "read";
  stray.space = "global";
  stray.line = 5;
  stray.file = "main.cu";
  stray.count = 1000;
  stray.thread = Dim3{0, 0, 0};
  row.launch->diagnostics = {stray};
  const auto found = findings_of(flow.tape.program);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "host-pointer-in-kernel");
  CHECK(found[0].line == 17);
  CHECK(found[0].buffer == "a");
  REQUIRE(found[0].other);
  CHECK(found[0].other->line == 5);
  CHECK(found[0].count == 1000);
}

TEST_CASE("a kernel's own fault stays what it is") {
  Flow flow;
  TapeRow& row = flow.tape.launch("add", 17);
  row.places = {flow.tape.device("a", flow.a)};
  Diagnosis stray;
  stray.kind = "oob-write";
  stray.access = "write";
  stray.space = "global";
  stray.buffer = "c";
  stray.line = 5;
  stray.file = "main.cu";
  row.launch->diagnostics = {stray};
  Diagnosis refused;
  refused.kind = "block-too-large";
  refused.access = "launch";
  flow.tape.launch("add", 18).launch->diagnostics = {refused};
  const auto found = findings_of(flow.tape.program);
  REQUIRE(found.size() == 2);
  CHECK(find(found, "oob-write")->line == 5);
  CHECK(find(found, "block-too-large")->line == 18);  // a launch that was refused has its own line
}

TEST_CASE("the host reads through a device pointer") {
  Flow flow;
  TapeRow& row = flow.tape.add("", 20);
  row.kind = TapeKind::fault;
  row.fault = TapeFault{"device-pointer-on-host", false, 11};
  row.places = {flow.tape.device("", flow.c)};
  flow.tape.program.exit = -1;
  flow.tape.program.signal = 11;
  const auto found = findings_of(flow.tape.program);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "device-pointer-on-host");
  CHECK(found[0].line == 20);
  CHECK(found[0].buffer == "d_c");
}

TEST_CASE("memory that nothing wrote is copied back") {
  Flow flow;
  flow.tape.launch("add", 17);
  TapeRow& back = flow.tape.copy_out(flow.c, 4000, 19);
  back.never_written = 928;
  back.first_never_written = 3072;
  flow.finish();
  flow.tape.end();
  const auto found = findings_of(flow.tape.program);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "read-before-write");
  CHECK(found[0].line == 19);
  CHECK(found[0].message.find("928") != std::string::npos);
}

TEST_CASE("the unused ends of pitched rows may be copied back") {
  MadeTape tape;
  const uint64_t plane = tape.allocate("plane", 4096, 10);
  tape.program.tape.rows.back().call = "cudaMallocPitch";
  tape.launch("fill", 17);
  tape.copy_out(plane, 4096, 19).never_written = 96;
  tape.free(plane, 20);
  tape.end();
  CHECK(findings_of(tape.program).empty());
}

TEST_CASE("memory that is left at the end is a warning, of a program that ended well") {
  Flow flow;
  flow.tape.launch("add", 17);
  flow.tape.copy_out(flow.c, 4000, 19);
  flow.tape.end().allocations = {{flow.c, MemoryKind::device, 0x3000, 4000}};
  const auto found = findings_of(flow.tape.program);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "leak");
  CHECK(found[0].severity == Severity::warning);
  CHECK(found[0].line == 12);
  CHECK(found[0].buffer == "d_c");
  flow.tape.program.exit = 1;
  CHECK(findings_of(flow.tape.program).empty());
}

TEST_CASE("a second free names the first") {
  Flow flow;
  flow.finish();
  TapeRow& again = flow.tape.free(flow.a, 33);
  again.places[0].kind = MemoryKind::freed;
  MadeTape::fail(again, 1);
  const auto found = findings_of(flow.tape.program);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "double-free");
  CHECK(found[0].line == 33);
  CHECK(found[0].other->line == 30);
}

TEST_CASE("an error that nobody asked for") {
  Flow flow;
  TapeRow& row = flow.tape.launch("add", 17);
  MadeTape::fail(row, 9);
  const uint64_t sequence = row.sequence;
  flow.finish();
  TapeEnd& end = flow.tape.end();
  const auto none = findings_of(flow.tape.program);
  CHECK(find(none, "unchecked-error") == nullptr);  // it was read
  end.unread = {{0, 9, "cudaErrorInvalidConfiguration", sequence}};
  const auto found = findings_of(flow.tape.program);
  const Diagnosis* unchecked = find(found, "unchecked-error");
  REQUIRE(unchecked);
  CHECK(unchecked->severity == Severity::error);
  CHECK(unchecked->line == 17);
}

TEST_CASE("an error that a call returned is a warning, and none when the program then gave up") {
  MadeTape tape;
  TapeRow& row = tape.add("cudaMalloc", 10);
  MadeTape::fail(row, 2);
  tape.end().unread = {{0, 2, "cudaErrorMemoryAllocation", 1}};
  const auto found = findings_of(tape.program);
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::warning);
  tape.program.exit = 1;
  CHECK(findings_of(tape.program).empty());
}

TEST_CASE("events that were not recorded or have not happened") {
  MadeTape tape;
  MadeTape::fail(tape.add("cudaEventElapsedTime", 20), 600);
  MadeTape::fail(tape.add("cudaEventElapsedTime", 21), 400);
  MadeTape::fail(tape.add("cudaEventQuery", 22), 600);
  const auto found = findings_of(tape.program);
  REQUIRE(found.size() == 2);
  CHECK(found[0].kind == "event-misuse");
  CHECK(found[0].line == 20);
  CHECK(found[0].hint.find("cudaEventSynchronize") != std::string::npos);
  CHECK(found[1].line == 21);
}

TEST_CASE("a clock read while the kernel runs, and not when something waited") {
  for (const bool waits : {false, true}) {
    Flow flow;
    flow.tape.program.clocks["main.cu"] = {16, 18};
    flow.tape.launch("add", 17);
    if (waits) flow.tape.add("cudaDeviceSynchronize", 17).waits = true;
    flow.tape.copy_out(flow.c, 4000, 19);
    flow.finish();
    flow.tape.end();
    const auto found = findings_of(flow.tape.program);
    if (waits) {
      CHECK(found.empty());
    } else {
      REQUIRE(found.size() == 1);
      CHECK(found[0].kind == "timing-without-sync");
      CHECK(found[0].severity == Severity::warning);
      CHECK(found[0].line == 18);
      CHECK(found[0].other->line == 17);
    }
  }
}

TEST_CASE("launches in a loop that is waited for behind it are timed well") {
  Flow flow;
  flow.tape.program.clocks["main.cu"] = {15, 22};
  for (int i = 0; i < 5; ++i) flow.tape.launch("add", 17);
  flow.tape.add("cudaDeviceSynchronize", 20).waits = true;
  flow.tape.copy_out(flow.c, 4000, 24);
  flow.finish();
  flow.tape.end();
  CHECK(findings_of(flow.tape.program).empty());
}

TEST_CASE("calls that are not modelled and modules that cannot run are unsupported") {
  MadeTape tape;
  TapeRow& row = tape.add("cudaGraphCreate", 10);
  row.modelled = false;
  MadeTape::fail(row, 801);
  TapeRow& module = tape.add("", 0);
  module.kind = TapeKind::module;
  module.module.emplace();
  module.module->problem = "there is no PTX inside";
  const auto found = findings_of(tape.program);
  REQUIRE(found.size() == 2);
  CHECK(found[0].kind == "unsupported");
  CHECK(found[1].kind == "unsupported");
}

TEST_CASE("a tape that stops in the middle is judged as far as it goes") {
  Flow flow;
  flow.tape.launch("add", 17).in_progress = true;
  flow.tape.program.tape.truncated = true;
  flow.tape.program.exit = -1;
  flow.tape.program.signal = 9;
  CHECK(findings_of(flow.tape.program).empty());
}
