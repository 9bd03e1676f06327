#pragma once
// Which launches go onto the tape with everything that they found, so that they can be run again elsewhere:
// those with a diagnosis, and others as far as the reader asked for.
#include <cstdint>
#include <set>
#include <vector>

#include "cudart/registry.h"
#include "cudart/tape_writer.h"

namespace warpbook::cudart {

class Capturing {
 public:
  /// `wanted`: bytes that launches without a diagnosis may take in all.
  explicit Capturing(uint64_t wanted) : left_(wanted) {}

  /// Up to how many bytes of memory the next launch is to keep; 0 = nothing.
  uint64_t most(bool recording, Level level) const;
  /// After a launch: writes it if it is worth it.
  void take(TapeWriter& tape, Registry& registry, const Kernel& kernel, const std::string& compute,
            uint64_t row, std::vector<KernelArgument> arguments, ProgramLaunch& result);

 private:
  uint64_t left_;
  uint64_t looked_at_ = 0;          ///< bytes that were copied before launches
  uint64_t warp_instructions_ = 0;  ///< of all launches
  int faults_ = 0;
  std::set<uint32_t> modules_;  ///< whose code is on the tape
};

}  // namespace warpbook::cudart
