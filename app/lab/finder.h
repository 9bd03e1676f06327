#pragma once
// The tape of a program under judgement: what the findings share. For lab's findings_*.cpp only.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "result/diagnosis.h"
#include "result/host_program.h"

namespace warpbook {

inline bool is_device(MemoryKind kind) { return kind == MemoryKind::device || kind == MemoryKind::managed; }

inline bool copies(const TapeRow& row) { return starts_with(row.call, "cudaMemcpy"); }

inline bool sets(const TapeRow& row) { return starts_with(row.call, "cudaMemset"); }

/// Rows of the learner's own calls that went through as far as the library knows.
inline bool worked(const TapeRow& row) { return row.code == 0 && !row.in_progress; }

/// The call itself failed: it neither reports an earlier error nor was made to fail.
inline bool failed_itself(const TapeRow& row) { return row.code != 0 && row.reports == 0 && !row.injected; }

const TapePlace* target_of(const TapeRow& row);
const TapePlace* source_of(const TapeRow& row);

class Finder {
 public:
  explicit Finder(const HostProgram& program) : program_(program), rows_(program.tape.rows) {}
  std::vector<Diagnosis> all();

 private:
  Diagnosis at(const TapeRow& row, Severity severity, const char* kind) const;
  std::string name(const TapePlace& place) const;
  SourcePlace kernel_place(const std::string& kernel) const;
  /// A pointer to host memory among the arguments of a launch that then touched what is nobody's.
  const TapePlace* host_argument(const TapeRow& row) const;
  void kernels();
  void host_pointer(const TapeRow& row, const TapePlace& place, const Diagnosis& access);
  /// A launch that was refused was not forgotten.
  bool was_tried(const std::string& kernel) const;
  void never_launched();
  void wrong_direction(const TapeRow& row);
  void too_large(const TapeRow& row);
  void read_before_write(const TapeRow& row);
  void host_fault(const TapeRow& row);
  void double_free(const TapeRow& row);
  void leaks();
  void unchecked_errors();
  void event_misuse(const TapeRow& row);
  /// A clock of the host read before and behind a launch, with nothing between that waits for the kernel:
  /// what the two readings enclose is the launch's call and not its work.
  void timing();
  void not_modelled_call(const TapeRow& row);
  void module_problem(const TapeRow& row);
  void add(Diagnosis diagnosis) { found_.push_back(std::move(diagnosis)); }

  const HostProgram& program_;
  const std::vector<TapeRow>& rows_;
  std::vector<Diagnosis> found_;
  std::set<uint64_t> explained_;  ///< copies whose mistake another finding tells already
  std::set<std::pair<std::string, int>> timed_;
};

}  // namespace warpbook
