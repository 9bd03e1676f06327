// Samples of views that show whole programs.
#include "lab/made_tape.h"
#include "ui/view_sample.h"

namespace warpbook::ui {

/// An addition whose second input was copied only in part, halfway through its steps.
void fill_tape(SampleRun& run) {
  MadeTape tape;
  const uint64_t a = tape.allocate("d_a", 4000, 25), b = tape.allocate("d_b", 4000, 26),
                 c = tape.allocate("d_c", 4000, 27);
  const auto copy = [&](const char* host, uint64_t address, uint64_t device, uint64_t bytes,
                        int line) -> TapeRow& {
    TapeRow& row = tape.copy_in(device, bytes, line);
    row.places[1].address = address;
    tape.program.host_names[address] = host;
    row.arguments = {
        {"dst", ""}, {"src", ""}, {"count", std::to_string(bytes)}, {"kind", "cudaMemcpyHostToDevice"}};
    return row;
  };
  copy("a", 0x7f0000001000, a, 4000, 30);
  copy("b", 0x7f0000003000, b, 1000, 31);
  TapeRow& launch = tape.launch("add", 34);
  launch.arguments = {{"a", ""}, {"b", ""}, {"c", ""}, {"n", "1000"}};
  launch.places = {tape.device("a", a), tape.device("b", b), tape.device("c", c)};
  launch.launch->effects = {{c, {}, 0, 4000, {}}};
  launch.end_ms = 0.0031;
  TapeRow& back = tape.copy_out(c, 4000, 38);
  back.places[0].address = 0x7f0000005000;
  tape.program.host_names[0x7f0000005000] = "c";
  tape.free(a, 42);
  tape.free(b, 43);
  MadeTape::fail(tape.free(a, 44), 1);
  tape.end();
  run.program = std::move(tape.program);
  run.state_numbers["step"] = 6;
}

}  // namespace warpbook::ui
