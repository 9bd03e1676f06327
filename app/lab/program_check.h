#pragma once
// Checking a whole program: what it prints, which calls it makes in which order and size, what is found on
// its tape, how it takes a call that fails. The oracle is solution.cu with the same arguments.
#include <string>
#include <vector>

#include "lab/check.h"
#include "lab/program.h"

namespace warpbook {

class ProgramChecker {
 public:
  ProgramChecker(Session& session, const Lesson& lesson, const Exercise& exercise, CheckProgress* progress);
  /// Runs solution.cu. Errors: it is broken, or whole programs cannot be built here (Trouble::not_found).
  Result<Done> prepare();
  Result<CheckReport> check(const std::string& source, const std::string& file);

 private:
  Result<RunResult> run(const std::string& source, const std::string& file,
                        const std::vector<std::string>& arguments, const std::string& fail,
                        bool null_kernels);
  CheckRow output_row(const std::vector<RunResult>& runs) const;
  CheckRow calls_row(const std::vector<RunResult>& runs, const Check& check) const;
  CheckRow sizes_row(const std::vector<RunResult>& runs) const;
  CheckRow diagnoses_row(const std::vector<RunResult>& runs) const;
  Result<CheckRow> kernels_row(const std::string& source, const std::string& file, const RunResult& first);
  Result<CheckRow> survives_row(const std::string& source, const std::string& file, const Check& check);

  Session& session_;
  const Lesson& lesson_;
  const Exercise& exercise_;
  CheckProgress* progress_;
  std::vector<RunResult> oracle_;
};

/// The part of `order` that the program's calls do not follow, in words; empty when they do. An entry is a
/// call's name, a copy with its direction ("cudaMemcpy host to device"), "launch" or "launch NAME"; other
/// calls may stand between.
std::string missing_call(const HostProgram& program, const std::vector<std::string>& order);

}  // namespace warpbook
