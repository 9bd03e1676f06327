#pragma once
// A whole program that ran: what its host code asked of CUDA (the tape), where in its sources, what it
// printed and how it ended.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "result/tape.h"

namespace warpbook {

/// A line of a source; an empty file means that it is not known.
struct SourcePlace {
  std::string file;
  int line = 0;
  bool operator==(const SourcePlace&) const = default;
};

/// Where a row of the tape comes from.
struct RowPlace {
  SourcePlace place;     ///< first caller in the learner's own files
  std::string function;  ///< its function there, as C++ writes it
  /// The call was made by a library's header (cub, thrust) on the learner's behalf; its folder's name.
  std::string folded;
};

/// A piece of what the program printed, in the order in which it came.
struct PrintedPiece {
  bool error = false;  ///< stderr
  uint64_t after = 0;  ///< the last row of the tape that had been written then
  std::string text;
};

struct HostProgram {
  Tape tape;
  std::vector<RowPlace> places;  ///< as many as rows, in their order
  std::vector<PrintedPiece> printed;
  std::string out, err;  ///< all of it, at most some MiB each
  int exit = -1;         ///< exit code; -1 when a signal ended it
  int signal = 0;
  /// Why we ended it; empty when it ended by itself.
  std::string stopped;
  std::string mode;  ///< how it was confined: "in a sandbox (bubblewrap)"
  /// Kernels of the learner's sources, by name, and where they are defined.
  std::map<std::string, SourcePlace> kernels;
  /// The learner's names of allocations, by the sequence of the row that made them: "d_a".
  std::map<uint64_t, std::string> names;
  /// The learner's names of host arrays that were copied from or to, by address: "h_c".
  std::map<uint64_t, std::string> host_names;
  /// Lines of the sources that read a clock, by file.
  std::map<std::string, std::vector<int>> clocks;
  double build_ms = 0, run_ms = 0;
  bool cached = false;

  /// Of a row's sequence; nowhere when there is none.
  const RowPlace& place_of(uint64_t sequence) const;
  /// The name of an allocation, else "the memory of line 12".
  std::string name_of(uint64_t allocation) const;
  /// The name of host memory, else "host memory".
  std::string host_name(uint64_t address) const;
};

/// "cudaMemcpy(dst = d_a, src = host, count = 4000, kind = host to device)" as the row says it, with the
/// learner's names where they are known.
std::string words_of(const HostProgram& program, const TapeRow& row);

}  // namespace warpbook
