#pragma once
// A launch made ready, and the same launch again and again for its time.
#include <map>
#include <span>
#include <string>
#include <vector>

#include "device/cuda_module.h"
#include "device/device.h"

namespace warpbook::cuda {

/// A kernel with its launch and arguments, checked against its parameters; enqueue() as often as wanted.
class LaunchPlan {
 public:
  /// In the context. Raises the kernel's limit of dynamic shared memory when the launch opts in.
  static Result<LaunchPlan> make(GpuContext& context, LoadedModule& module, const std::string& kernel,
                                 const Launch& launch, std::span<const KernelArgument> arguments);
  Code enqueue();

 private:
  GpuContext* context_ = nullptr;
  LoadedModule::Kernel kernel_;
  Launch launch_;
  std::vector<std::vector<std::byte>> values_;
};

struct MeasureOrder {
  MeasureRequest request;
  std::chrono::milliseconds max_time;
  const std::map<Pointer, uint64_t>* buffers = nullptr;  ///< put back before each launch
  uint64_t l2_bytes = 0;
  bool keeps_state = false;  ///< of its own, which nobody can put back: then there is one launch
};

/// In the context. Buffers hold what the last launch left.
Result<Measured> measure_launches(GpuContext& context, LaunchPlan& plan, const MeasureOrder& order,
                                  const std::atomic<bool>* stop);

/// Between two events around an empty kernel: what every measured time contains.
Result<double> launch_overhead_us(GpuContext& context);

}  // namespace warpbook::cuda
