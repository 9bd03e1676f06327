#pragma once
// The emulator and a GPU on the same kernels with the same inputs: every instruction family, generated
// kernels, the lessons' labs. Bit for bit, or within the bounds that NVIDIA states for approximate functions.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/session.h"

namespace warpbook {

struct ConformRow {
  std::string group;   ///< "instructions", "generated", "lessons"
  std::string family;  ///< the instruction's, the lesson's, or empty
  std::string name;
  enum class Status { same, within_bounds, different, not_run } status = Status::not_run;
  std::string detail;  ///< the first mismatch, or why it did not run
  double largest_error = 0;
};

struct ConformReport {
  std::string device;
  std::string driver;
  std::vector<ConformRow> rows;
  /// Something was compared, and nothing differs.
  bool passed() const;
};

struct ConformOptions {
  int generated = 200;
  unsigned seed = 1;
  bool instructions = true, lessons = true;
};

/// Errors: no GPU. A kernel that one of the two refuses is a row that says so; `different` when they disagree
/// whether it runs. `progress` is told of each row.
Result<ConformReport> conform(Session& session, const Library& library, const ConformOptions& options,
                              const std::function<void(const ConformRow&)>& progress = {},
                              const std::atomic<bool>* stop = nullptr);

std::string conform_as_text(const ConformReport& report, bool colour);
std::string conform_as_json(const ConformReport& report);

/// How far results may lie apart.
struct Bound {
  enum class Kind { bits, f32, f64 } kind = Kind::bits;
  double relative = 0, absolute = 0;
};

/// One instruction on values that its inputs are chosen to make interesting.
struct InstructionCase {
  const char* family;
  const char* text;  ///< PTX: from %r10.., %rd10.., %f10.., %fd10.., %rs10.. into one of the results
  char result;       ///< r rd: 'r' 'l'; f fd: 'f' 'd'; rs: 'h'; predicate %p30: 'p'
  Bound bound;
};
const std::vector<InstructionCase>& instruction_cases();

/// Kernel `k(results, words, moderate)`: one thread a result of 8 bytes, from 32-bit words and from floats of
/// moderate size. 8 blocks of 64 threads.
std::string ptx_of(const InstructionCase& one);

}  // namespace warpbook
