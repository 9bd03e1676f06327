#pragma once
// Kernels that fail on purpose, sent to the GPU's process without the emulator's look before: each must come
// back as a diagnosis, and the run after it must work.
#include <string>
#include <vector>

#include "lab/session.h"

namespace warpbook {

struct FaultTrial {
  std::string name;
  std::string status;   ///< of the faulty kernel: fault or limit is as it should be
  std::string message;  ///< what is said of it
  bool next_works = false;
  double seconds_to_next = 0;  ///< from the fault to the end of the next run
  bool held() const { return (status == "fault" || status == "limit") && next_works; }
};

/// Every file of kernels/bench/faults. Errors: no GPU, or a file that does not compile.
Result<std::vector<FaultTrial>> run_gpu_faults(Session& session);
std::string faults_as_text(const std::vector<FaultTrial>& trials);
std::string faults_as_json(const std::vector<FaultTrial>& trials);

}  // namespace warpbook
