#pragma once
// The emulator for whole programs: several modules live side by side over one memory, memory that the host
// sees too, and launches that repeat an earlier one on unchanged memory are not executed again.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "result/captured_launch.h"
#include "result/kernel_trace.h"

namespace warpbook {

class LaunchMemo;

/// What is known of a kernel before it runs.
struct ProgramKernel {
  KernelInfo info;
  uint32_t max_threads = 0;       ///< __launch_bounds__; 0 = none
  bool meets_whole_grid = false;  ///< it asks where a cooperative grid meets
  bool repeatable = false;        ///< equal launches give equal results: no clock, printf, malloc
};

/// What it takes of a multiprocessor, estimated from the PTX, as nobody asks ptxas.
struct ProgramResources {
  int registers = 0;         ///< a thread
  uint32_t local_bytes = 0;  ///< a thread
};

struct ProgramVariable {
  std::string name;     ///< in the PTX
  std::string display;  ///< the learner's
  DeviceAddress address = 0;
  uint64_t bytes = 0;
  bool constant = false;
};

/// What a launch changed in one allocation.
struct MemoryChange {
  DeviceAddress allocation = 0;  ///< its start
  uint64_t first = 0, bytes = 0;
};

struct ProgramLaunch {
  RunReport report;
  std::shared_ptr<const KernelTrace> trace;  ///< levels measure and check
  uint64_t repeats = 0;               ///< ticket of an equal launch that was executed; 0 = this one was
  std::vector<MemoryChange> changes;  ///< only while memory is small, see most_compared
  /// All memory before it; nothing when it was more than `most_captured`, or the launch was not executed.
  std::optional<std::vector<CapturedMemory>> found;
};

class ProgramDevice {
 public:
  ProgramDevice(const GpuRow& gpu, uint64_t memory_bytes);
  ~ProgramDevice();
  ProgramDevice(const ProgramDevice&) = delete;
  ProgramDevice& operator=(const ProgramDevice&) = delete;

  /// Number of the module. Variables named in `visible` are the host's too.
  Result<uint32_t> load(const std::string& ptx, std::span<const std::string> visible);
  const std::vector<ProgramVariable>& variables(uint32_t module) const;
  /// By the name in the PTX; null when the module has none.
  const ProgramKernel* kernel(uint32_t module, const std::string& name) const;
  std::vector<std::string> kernels(uint32_t module) const;
  /// Decodes the module's code when that has not happened yet.
  ProgramResources resources(uint32_t module, const std::string& kernel) const;

  Result<DeviceAddress> allocate(uint64_t bytes, const std::string& name);
  /// Memory that the host reaches at the same address.
  Result<DeviceAddress> allocate_visible(uint64_t bytes, const std::string& name);
  /// A device address for memory of the host, which keeps it until free().
  Result<DeviceAddress> adopt(std::byte* host, uint64_t bytes, const std::string& name);
  Result<Done> free(DeviceAddress address);
  Result<Done> write(DeviceAddress to, std::span<const std::byte> bytes);
  Result<Done> read(DeviceAddress from, std::span<std::byte> bytes) const;
  Result<Done> copy(DeviceAddress to, DeviceAddress from, uint64_t bytes);
  Result<Done> fill(DeviceAddress to, std::byte value, uint64_t bytes);
  simt::Memory::Unwritten never_written(DeviceAddress from, uint64_t bytes) const;
  uint64_t bytes_in_use() const;
  /// Of how many bytes the elements of an allocation are, for indices in diagnoses.
  void describe(DeviceAddress allocation, uint32_t element_bytes);

  /// `ticket` names this launch, see ProgramLaunch::repeats; never 0. `memo`: may take the result of an equal
  /// one. `most_captured`: up to so many bytes, what it found is kept.
  ProgramLaunch launch(uint32_t module, const std::string& kernel, const Launch& launch,
                       std::span<const KernelArgument> arguments, const RunOptions& options, uint64_t ticket,
                       bool memo, uint64_t most_captured = 0);
  /// A fresh device becomes what a captured launch found: allocations at their own addresses, the module of
  /// this text, its variables with their values. Of another text of the same kernel (a debug build), the
  /// variables that both have. `arguments` that lead into variables are led to where those lie now.
  Result<uint32_t> restore(const CapturedLaunch& captured, const std::string& ptx,
                           std::vector<KernelArgument>& arguments);
  const GpuRow& gpu() const { return gpu_; }

  /// Changes are found by comparing all memory with what it was: only up to so many bytes.
  static constexpr uint64_t most_compared = 1u << 20;

 private:
  struct Module {
    std::shared_ptr<simt::Instance> instance;
    std::vector<ProgramVariable> variables;
    std::vector<ProgramKernel> kernels;
  };

  /// Which of it are variables of the module.
  void name_variables(uint32_t module, std::vector<CapturedMemory>& memory) const;

  GpuRow gpu_;
  simt::Memory memory_;
  std::unique_ptr<LaunchMemo> memo_;
  std::vector<Module> modules_;  // after memory_: their variables lie in it
};

}  // namespace warpbook
