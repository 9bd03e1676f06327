#pragma once
// Checking an answer to an exercise: the learner's kernel against solution.cu on the same inputs, every size
// and block shape, with poisoned outputs, no diagnoses, other schedules and counter gates.
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "lab/run.h"

namespace warpbook {

/// The first element that is wrong.
struct Mismatch {
  std::string buffer;
  uint64_t index = 0;
  std::string expected, got;
  std::optional<Dim3> block, thread;  ///< who wrote it; absent = nobody
  std::string sizes;                  ///< "n = 33, block = (32, 1, 1)"
};

/// One order of threads that a check of schedules tried, so that it can be seen again.
struct TriedOrder {
  Order order = Order::forward;
  uint64_t seed = 0;
  size_t case_index = 0;
  std::string label;   ///< of the case: "n = 33, block = (32, 1, 1)"
  bool same = true;    ///< its results are right
  std::string buffer;  ///< the first wrong element, when one is
  uint64_t index = 0;
};

struct CheckRow {
  std::string check;  ///< "compiles", "results", "no-diagnoses", "schedules", "counter"
  std::string name;   ///< counter's name, or empty
  bool passed = false;
  bool skipped = false;  ///< an earlier row made it pointless
  std::string message;   ///< one sentence; also on success ("12 sizes, 5 block shapes")
  std::optional<Mismatch> mismatch;
  std::vector<Diagnosis> diagnostics;
  std::vector<TriedOrder> orders;  ///< of "schedules"
};

struct CheckReport {
  std::string lesson, exercise, file;
  std::string source;  ///< that was checked, for excerpts
  uint64_t seed = 0;
  bool passed = false;
  int exit_code = 1;  ///< 0 pass, 1 fail, 2 does not compile, 3 limit, 4 set-up
  std::vector<CheckRow> rows;
  double seconds = 0;
};

struct CheckProgress {
  RunProgress run;
  std::atomic<int> done{0}, total{0};  ///< runs
};

Result<CheckReport> check(Session& session, const Lesson& lesson, const Exercise& exercise,
                          const std::string& source, const std::string& file, uint64_t seed = 0,
                          CheckProgress* progress = nullptr);

/// What an author must hold: starter fails, solution passes and its `expect` values hold, each wrong answer
/// fails for its stated reason, quiz keys hold, labs run.
struct AuthorRow {
  std::string what;
  bool passed = false;
  std::string message;
};
Result<std::vector<AuthorRow>> check_author(Session& session, const Lesson& lesson,
                                            CheckProgress* progress = nullptr);

}  // namespace warpbook
