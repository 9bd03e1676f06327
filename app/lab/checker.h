#pragma once
// One exercise made ready for checking: its cases (sizes times block shapes), and what solution.cu makes of
// each.
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "lab/check.h"
#include "lab/execute.h"
#include "lab/source_structure.h"

namespace warpbook {

struct CheckCase {
  Values values;  ///< sizes, defines, block.x .. grid.z
  Launch launch;
  std::vector<ArgumentSpec> arguments;
  std::string label;  ///< "n = 33, block = (32, 1, 1)"
};

/// The cases of an exercise; errors name the expression or SPEC that is wrong.
Result<std::vector<CheckCase>> cases_of(const Exercise& exercise, const std::string& folder, uint64_t seed);

/// One case of an exercise for given sizes and the first block shape.
Result<CheckCase> case_for(const Exercise& exercise,
                           const std::vector<std::pair<std::string, int64_t>>& sizes,
                           const std::vector<int64_t>& block, const std::string& folder, uint64_t seed);

/// The first element outside the tolerances of `check`, or nothing. `share` of differing elements is allowed.
std::optional<Mismatch> compare_outputs(const Check& check, const std::vector<Output>& expected,
                                        const std::vector<Output>& got, const std::string& label);

/// Where solution.cu, exercise.cu and wrong/ of an exercise lie.
Path exercise_folder(const Lesson& lesson, const Exercise& exercise);

/// A report about an answer that has no rows yet.
CheckReport report_of(const Lesson& lesson, const Exercise& exercise, const std::string& source,
                      const std::string& file);
/// A row for each check of the exercise that says that it was not tried.
void skip_checks(CheckReport& report, const Exercise& exercise);
/// The verdict of its rows, and how long it took since `start`.
CheckReport finished(CheckReport report, Clock::time_point start);

class Checker {
 public:
  Checker(Session& session, const Lesson& lesson, const Exercise& exercise, uint64_t seed,
          CheckProgress* progress);
  /// Reads, compiles and runs solution.cu on every case. Errors: the exercise itself is broken.
  Result<Done> prepare();
  /// `stop_early`: the first failure is enough.
  Result<CheckReport> check(const std::string& source, const std::string& file, bool stop_early);

  /// Outputs of solution.cu for one case; check_author holds `expect` values against them.
  Result<std::vector<Output>> solve(const CheckCase& one);

  struct OracleCase {
    std::vector<Output> outputs;
    uint64_t warp_instructions = 0;
    uint64_t warps = 0;
  };

 private:
  /// One answer on its way through the cases.
  struct Attempt {
    const LoadedKernel& kernel;
    const CompileOrder& order;
    const SourceStructure& structure;
    std::string file;
    bool stop_early = false;
    struct CaseRun {
      size_t index = 0;  ///< of the case
      std::string status;
      Counters counters;
      std::optional<Mismatch> mismatch;  ///< of the first results check that fails
    };
    std::vector<CaseRun> runs;
    std::vector<Diagnosis> diagnostics;  ///< merged over the cases
    bool limit = false;                  ///< a case ran into the instruction limit with no cause found
  };
  Result<Done> run_cases(Attempt& attempt);
  Result<Done> run_schedules(Attempt& attempt, const Check& check, CheckRow& row);
  /// Sentences and hints by the learner's own text; `closer`: what the debug build of this case finds as
  /// well.
  void explain_case(const Attempt& attempt, size_t index, const RunReport& report,
                    std::vector<Diagnosis>& diagnostics, bool closer);
  Result<Done> name_writer(const Attempt& attempt, size_t index, Mismatch& mismatch);
  CheckRow results_row(const Attempt& attempt, const Check& check);
  CheckRow diagnoses_row(const Attempt& attempt);
  Result<CheckRow> gpu_row(const Attempt& attempt);
  Result<CheckRow> counter_row(const Attempt& attempt, const Check& check);
  RunOptions options_for(size_t index) const;
  RunProgress* run_progress() const { return progress_ ? &progress_->run : nullptr; }
  void count_run();

  Session& session_;
  const Lesson& lesson_;
  const Exercise& exercise_;
  uint64_t seed_;
  CheckProgress* progress_;
  std::vector<CheckCase> cases_;
  std::optional<LoadedKernel> solution_;
  std::vector<OracleCase> oracle_;
};

}  // namespace warpbook
