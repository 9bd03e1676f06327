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
#include "result/trace.h"
#include "simt/code.h"
#include "simt/emulator.h"
#include "simt/memory.h"

namespace warpbook::simt {

struct Warp;
struct LaunchContext;

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

/// A block's own memory; made when the block becomes resident, recycled by the worker.
struct BlockMemory {
  std::vector<std::byte> shared;
  std::vector<uint8_t> shared_written;  ///< level check: a byte each
  std::vector<std::byte> local;         ///< all threads' local bytes, layout private to simt/access
  std::vector<uint8_t> local_written;
  uint32_t local_bytes_per_thread = 0;
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

/// With more than one worker alive at level check, blocks that meet in memory are looked for.
MemoryWorkerPtr make_memory_worker(MemoryLaunch& launch);
void start_block(BlockMemory& block, MemoryLaunch& launch, uint32_t threads, uint32_t local_bytes_per_thread);

/// True once a worker found, at level check, that two blocks touched the same bytes with a write among them
/// and the launch was sharing blocks out over several workers: it must be run again in a fixed order.
bool blocks_met(const MemoryLaunch& launch);
/// Copies of what a launch may write, and back again, for that second run. After restore_contents blocks are
/// not looked at any more (the second run has a fixed order): drop the old workers and make one new.
void save_contents(MemoryLaunch& launch);
void restore_contents(MemoryLaunch& launch);

/// Adds what the workers gathered to the report: traffic by site (into `by_site`, one entry a site; the sums
/// in report.counters are the caller's, see add_traffic), diagnoses with their places, write maps, the
/// recording. Sets report.status from ok to fault when an error is among them.
void collect(MemoryLaunch& launch, std::vector<MemoryWorkerPtr>& workers, std::vector<SiteTraffic>& by_site,
             RunReport& report);

/// Byte-wise access for printf, assert and call parameters: reads through any window (generic addresses: add
/// local_window to a local offset); false when out of range. No diagnosis, no counters; writes count as
/// written.
bool read_bytes(Warp& warp, int lane, Address from, void* to, uint32_t bytes);
bool write_bytes(Warp& warp, int lane, Address to, const void* from, uint32_t bytes);
/// A NUL-terminated string of at most `limit` bytes.
std::optional<std::string> read_string(Warp& warp, int lane, Address from, uint32_t limit = 4096);

}  // namespace warpbook::simt
