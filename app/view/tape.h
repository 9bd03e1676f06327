#pragma once
// The pure step of `tape`: the host's calls in their lanes, and what each buffer of host and device holds
// after each of them.
#include <cstdint>
#include <string>
#include <vector>

#include "result/tape_lines.h"
#include "view/view.h"

namespace warpbook::view {

enum class TapeLane { host, copy_in, copy_out, kernel };
constexpr int tape_lanes = 4;

struct TapeStep {
  size_t row = 0;  ///< index into the tape
  TapeLane lane = TapeLane::host;
  int line = 0;
  std::string words;    ///< "cudaMemcpy(dst = d_a, ...)"
  std::string outcome;  ///< an error's name, how often it came; may be empty
  bool failed = false;
  uint64_t times = 1;
  double ms = 0;  ///< modelled; 0 = none
};

/// What a part of a buffer holds.
enum class CellState : uint8_t {
  absent,   ///< not allocated yet
  poison,   ///< allocated, and nothing has written it
  unknown,  ///< the host's own: what it held before the first copy is not known
  host,     ///< written by the host, or copied from it
  copied,   ///< copied from the device
  kernel,   ///< written by a kernel
  set,      ///< cudaMemset
  freed,
};

constexpr int tape_cells = 16;

struct TapeBuffer {
  std::string name;
  bool device = false;
  uint64_t bytes = 0;
  /// state[step * tape_cells + cell], after that step.
  std::vector<CellState> state;
  std::vector<bool> touched;
  CellState at(size_t step, int cell) const { return state[step * tape_cells + size_t(cell)]; }
  bool lit(size_t step, int cell) const { return touched[step * tape_cells + size_t(cell)]; }
};

struct TapeStory {
  std::vector<TapeStep> steps;
  std::vector<TapeBuffer> host, device;
  size_t left_out = 0;  ///< steps behind the last that is shown
};

TapeStory make_tape_story(const HostProgram& program);

}  // namespace warpbook::view
