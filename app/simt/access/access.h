#pragma once
// Memory as a running kernel sees it: per-block shared and local memory, per-worker caches, counters and
// shadow. Owned by the memory side of the emulator; the execution side only makes these and passes them on.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "result/counters.h"
#include "result/diagnosis.h"
#include "result/step_recording.h"
#include "result/trace.h"
#include "simt/access/ordering.h"
#include "simt/code.h"
#include "simt/emulator.h"
#include "simt/memory.h"

namespace warpbook::simt {

struct Warp;
struct BlockState;
struct LaunchContext;
struct Worker;

/// Virtual windows that are not global: one address range means the running block's shared memory or the
/// running lane's local memory, whatever block or lane that is. Static shared variables have a window each.
///
/// In its own space (ld.shared, ld.local, `mov` of a symbol) a shared or local address is the 32-bit offset
/// from these, because compilers compute it in 32-bit registers; cvta adds or subtracts the window. Global
/// and constant addresses are the same number in their own space and as generic ones.
inline constexpr Address shared_window = 0x7000'0000'0000;  ///< to 0x77ff'ffff'ffff
inline constexpr Address local_window = 0x7800'0000'0000;   ///< to 0x7fff'ffff'ffff
/// A kernel's parameter block, when the kernel takes the address of a parameter; read-only.
inline constexpr Address parameter_window = 0x6800'0000'0000;
/// Functions have addresses too, for calls through pointers: 16 bytes each, by index in
/// ptx::Module::functions.
inline constexpr Address function_window = 0x6000'0000'0000;
inline constexpr Address function_address(uint32_t index) { return function_window + uint64_t(index) * 16; }

/// One shared array of a kernel's block: static, or the dynamic one at the end.
struct SharedArray {
  std::string name;     ///< the learner's
  Address address = 0;  ///< in the shared window; keeps the offset modulo 128 for the bank rules
  uint32_t offset = 0;  ///< in the block's shared bytes
  uint32_t bytes = 0;
  uint32_t element_bytes = 4;
};

/// What the race rules know of a block's threads (access/race.h); only in a run in a fixed order.
struct BlockOrder;
struct BlockOrderDeleter {
  void operator()(BlockOrder* order) const;
};

/// A block's own memory; made when the block becomes resident, recycled by the worker.
struct BlockMemory {
  std::vector<std::byte> shared;
  std::vector<uint8_t> shared_written;  ///< level check: a byte each
  std::vector<std::byte> local;         ///< all threads' local bytes, layout private to simt/access
  std::vector<uint8_t> local_written;
  uint32_t local_bytes_per_thread = 0;
  // Level check: marks a granule of shared memory, and the moments that order them (access/marks.h). Moments
  // go on from one block to the next that uses this memory, so that old marks need not be cleared.
  std::vector<uint32_t> read_marks, write_marks, atomic_marks;
  uint32_t mark_shift = 2;
  uint32_t now = 1, block_base = 1;
  std::vector<uint32_t> warp_base;  ///< by warp; empty = block_base
  std::unique_ptr<BlockOrder, BlockOrderDeleter> order;
};

/// Counts of one instruction site over a worker's part of the launch.
struct SiteTraffic {
  enum class Kind : uint8_t { none, load, store, atomic };
  Kind kind = Kind::none;
  AccessCounters access;                 ///< all of it; constant and parameter reads are only here
  AccessCounters global, shared, local;  ///< by the memory that the lanes reached (generic accesses may mix)
  AccessCounters copied_to_shared;       ///< cp.async: the storing side; `global` is the loading one
};
/// Adds a site's traffic to the counters of its kind: global_load and so on.
void add_traffic(Counters& counters, const SiteTraffic& traffic);

/// A worker's memory side: caches by site, counters, write maps, what went wrong. Merged at the end in a way
/// that does not depend on how blocks were shared out.
struct MemoryWorker;
struct MemoryWorkerDeleter {
  void operator()(MemoryWorker* worker) const;
};
using MemoryWorkerPtr = std::unique_ptr<MemoryWorker, MemoryWorkerDeleter>;

/// What the whole launch shares; made once by prepare_memory.
struct MemoryLaunch;
struct MemoryLaunchDeleter {
  void operator()(MemoryLaunch* launch) const;
};
using MemoryLaunchPtr = std::unique_ptr<MemoryLaunch, MemoryLaunchDeleter>;

/// Lays out the kernel's shared arrays (those of functions it can call included) and snapshots the allocation
/// table. `arguments` give null pointers their names in diagnoses.
MemoryLaunchPtr prepare_memory(Instance& instance, const Code& code, const CodeFunction& kernel,
                               const Launch& launch, const RunOptions& options,
                               std::span<const KernelArgument> arguments = {});
const std::vector<SharedArray>& shared_arrays(const MemoryLaunch& launch);
/// Static plus dynamic bytes of a block.
uint32_t shared_bytes(const MemoryLaunch& launch);
/// The address of a module or function variable, of a function, of the kernel's own parameter (in
/// parameter_window), or, when `within` has such a place, of its local depot or call parameter (offset in the
/// activation's local bytes: the caller adds Frame::local_base); null when unknown.
std::optional<Address> address_of(const MemoryLaunch& launch, const std::string& symbol, bool as_generic,
                                  const ptx::Function* within = nullptr);

MemoryWorkerPtr make_memory_worker(MemoryLaunch& launch);
/// Makes the block's memory ready; its number, threads and worker are set.
void start_block(BlockState& block, uint32_t local_bytes_per_thread);

/// Level check: several workers run blocks at once, or one runs them one after the other.
void look_for_suspicion(MemoryLaunch& launch, bool concurrent);
/// True once two threads were found to touch the same bytes, one of them writing, and nothing simple orders
/// them: the launch must be run again in a fixed order and judged by the full rules.
bool suspicious(const MemoryLaunch& launch);
/// From now on accesses are judged by the full rules: one worker, all blocks in a fixed order.
void judge_races(MemoryLaunch& launch);
/// True when only marks of readers were missing: look_for_suspicion() and run it once more.
bool wants_marks(const MemoryLaunch& launch);
/// Back to how everything was before the launch, for that second run: drop the old workers and make new ones.
void restore_contents(MemoryLaunch& launch);

// What orders accesses, told by the execution side (emulator notes 10).

/// Threads wait at a block barrier no longer: `waiting` by warp. `whole_block`: all threads of the block.
void pass_barrier(BlockState& block, uint32_t id, const std::vector<uint32_t>& waiting, bool whole_block);
/// The same for all threads of the block.
void pass_whole_barrier(BlockState& block);
/// bar.arrive: lanes go on without waiting.
void arrive_at_barrier(Warp& warp, uint32_t id, uint32_t lanes);
/// bar.warp.sync: all of these lanes have come.
void sync_lanes(Warp& warp, uint32_t lanes);
/// membar and fence.
void pass_fence(Warp& warp, uint32_t lanes, Scope scope);
/// cp.async.commit_group and cp.async.wait_group (the last `groups_left` groups may go on) or wait_all.
void commit_copies(Warp& warp, uint32_t lanes);
void wait_for_copies(Warp& warp, uint32_t lanes, uint32_t groups_left, bool all);

/// Adds what the workers gathered to the report: traffic by site (into `by_site`, one entry a site; the sums
/// in report.counters are the caller's, see add_traffic), diagnoses with their places, write maps, the
/// recording. Sets report.status from ok to fault when an error is among them.
void collect(MemoryLaunch& launch, std::vector<MemoryWorkerPtr>& workers, std::vector<SiteTraffic>& by_site,
             RunReport& report);

/// malloc and free of a kernel, for one lane; blocks run in a fixed order then. Null when the heap has no
/// room for so many bytes.
Address heap_allocate(Warp& warp, uint64_t bytes);
enum class Freed : uint8_t { done, twice, not_a_start, not_heap };
/// `line`: where the learner frees, for later reports. `before`: where it was freed first.
Freed heap_free(Warp& warp, Address address, int line, int& before);
/// Of all allocations of malloc together (cudaLimitMallocHeapSize is 8 MB unless a program sets it).
inline constexpr uint64_t heap_bytes = 8u << 20;

/// The accesses of a block whose every step is recorded, once it has ended.
std::vector<StepAccess> take_step_accesses(Worker& worker);

/// Byte-wise access for printf, assert and call parameters: reads through any window (generic addresses: add
/// local_window to a local offset); false when out of range. No diagnosis, no counters; writes count as
/// written.
bool read_bytes(Warp& warp, int lane, Address from, void* to, uint32_t bytes);
bool write_bytes(Warp& warp, int lane, Address to, const void* from, uint32_t bytes);
/// A NUL-terminated string of at most `limit` bytes.
std::optional<std::string> read_string(Warp& warp, int lane, Address from, uint32_t limit = 4096);

}  // namespace warpbook::simt
