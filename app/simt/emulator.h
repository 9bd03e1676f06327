#pragma once
// The door of the emulator: PTX text in; results, counters, diagnoses and trace out.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "result/counters.h"
#include "result/diagnosis.h"
#include "result/gpu_row.h"
#include "result/launch.h"
#include "result/step_recording.h"
#include "result/trace.h"
#include "simt/memory.h"

namespace warpbook::simt {

class Module;  // parsed PTX with its source map; immutable, shared between launches

struct ParameterInfo {
  uint32_t bytes = 0;
  uint32_t alignment = 1;
  bool is_pointer = false;  ///< PTX says .ptr, or the parameter is a 64-bit integer (then it may be one)
};
struct KernelInfo {
  std::string name;  ///< as in the PTX (mangled for C++ functions)
  std::vector<ParameterInfo> parameters;
  uint32_t static_shared_bytes = 0;
};

/// Parses PTX of any version and target. Errors carry the PTX line. Unknown instructions are no error here.
Result<std::shared_ptr<const Module>> load_module(std::string_view ptx);
std::vector<KernelInfo> kernels_of(const Module& module);

/// A module's `__device__` and `__constant__` variables placed in a memory; lives as long as both.
/// Several instances may share a memory. Variables named in `visible` are the host's too, at the same address
/// (__managed__).
class Instance;
Result<std::shared_ptr<Instance>> instantiate(std::shared_ptr<const Module> module, Memory& memory,
                                              std::span<const std::string> visible = {});

enum class Level { run, measure, check };
/// The order in which blocks, warps and groups of lanes take turns. `round_robin`: each warp a few
/// instructions, then the next. `shuffled`: by RunOptions::seed; turns like to end where an order can show:
/// at stores, atomics, volatile loads and barriers.
enum class Order { forward, reverse, round_robin, shuffled };

struct KernelArgument {
  std::string name;
  std::vector<std::byte> bytes;  ///< of the parameter's size; a buffer's bytes are its Address
};

struct RunOptions {
  Level level = Level::check;
  Order order = Order::forward;
  uint64_t seed = 0;                        ///< of Order::shuffled
  unsigned threads = 0;                     ///< worker threads; 0 = all cores
  uint64_t max_instructions = 0;            ///< warp instructions over the launch; 0 = no limit
  std::chrono::milliseconds max_time{0};    ///< 0 = no limit
  const std::atomic<bool>* stop = nullptr;  ///< set it: the launch ends within 100 ms
  uint32_t stack_bytes = 1024;              ///< call stack a thread
  uint64_t max_printf_bytes = 1 << 20;
  bool write_maps = false;                          ///< fill RunReport::write_maps (level check)
  bool per_warp = false;                            ///< fill RunReport::warps (measure and check)
  std::optional<std::pair<Dim3, uint32_t>> record;  ///< block and warp to record (measure and check)
  std::optional<Dim3> record_block;                 ///< block whose every step is recorded (likewise)
  /// For the diagnoses alone, which bring the registers and local memory of their thread: counts of accesses
  /// are not whole, and no trace is kept.
  bool moments = false;
  std::vector<uint64_t> blocks;  ///< linear numbers, ascending, of the blocks to run; empty = all. Only for a
                                 ///< kernel whose blocks do not wait for each other.
};

enum class RunStatus { ok, fault, launch_error, limit, unsupported, cancelled };

struct RunReport {
  RunStatus status = RunStatus::ok;
  std::vector<Diagnosis> diagnostics;  ///< merged
  Counters counters;                   ///< levels measure and check; at run only threads, blocks and warps
  std::vector<LineCounters> lines;
  std::vector<WriteMap> write_maps;
  std::vector<WarpCounters> warps;
  std::optional<Recording> recording;
  std::optional<BlockRecording> block_recording;
  std::string printf;
  bool fixed_order = false;        ///< blocks can see each other and ran in a fixed order
  uint64_t warp_instructions = 0;  ///< at every level
  double wall_ms = 0;
};

/// Runs one launch to its end. Whatever the kernel does, this returns; results do not depend on `threads`.
RunReport run(Instance& instance, const std::string& kernel, const Launch& launch,
              std::span<const KernelArgument> arguments, const GpuRow& gpu, const RunOptions& options);

}  // namespace warpbook::simt
