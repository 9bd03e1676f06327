#pragma once
// What all workers of a launch share of memory: where the shared arrays lie, what was saved, who is looked
// at.
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "simt/access/access.h"
#include "simt/access/allocation.h"
#include "simt/access/instance.h"

namespace warpbook::simt {

/// The kernel's parameters as a block of bytes: each at the next multiple of its alignment (PTX ISA 5.4.2
/// ".param").
struct ParameterPlace {
  std::string name;  ///< in the PTX
  uint32_t offset = 0;
  uint32_t bytes = 0;
};

struct RaceState;
struct RaceStateDeleter {
  void operator()(RaceState* state) const;
};

struct MemoryLaunch {
  Instance* instance = nullptr;
  Memory::State* memory = nullptr;
  const Code* code = nullptr;
  const CodeFunction* kernel = nullptr;
  Launch launch;
  Level level = Level::check;
  bool write_maps = false;
  std::optional<std::pair<Dim3, uint32_t>> record;
  std::optional<Dim3> record_block;
  std::string null_argument;  ///< the first argument given as null, or empty

  std::vector<SharedArray> arrays;         ///< array i lies in shared window i
  std::vector<std::string> array_symbols;  ///< its PTX name
  size_t first_dynamic = 0;                ///< arrays from here on are `extern __shared__`
  int array_shift = 30;                    ///< shared windows have 2^array_shift bytes
  uint32_t static_bytes = 0;
  uint32_t total_bytes = 0;
  std::vector<ParameterPlace> parameters;
  uint32_t parameter_bytes = 0;
  uint32_t l1_byte_cost = 0;  ///< of the GPU whose limits hold (result/l1_path.h)

  bool looking = false;     ///< accesses leave marks
  bool concurrent = false;  ///< several workers do
  std::atomic<bool> met{false};
  /// A buffer whose readers left no marks was written: the launch begins anew, with Allocation::mark_reads.
  std::atomic<bool> again{false};
  std::unique_ptr<RaceState, RaceStateDeleter> race;  ///< accesses are judged by the full rules

  struct Saved {
    Allocation* allocation;
    std::vector<std::byte> bytes;
    std::vector<uint8_t> written;  ///< empty with all_written, or when nothing is
    bool all_written;
  };
  std::vector<Saved> saved;  ///< what was written so far, as it was before
  std::mutex saving;

  /// The shared array whose window holds the generic address; null when none does.
  const SharedArray* array_at(Address address) const {
    const uint64_t at = (address - shared_window) >> array_shift;
    return address >= shared_window && at < arrays.size() ? &arrays[at] : nullptr;
  }
};

/// Fills arrays, static_bytes, total_bytes: what the kernel and all functions it can call name.
void lay_out_shared(MemoryLaunch& launch, const ptx::Module& module, const ptx::Function& kernel);

}  // namespace warpbook::simt
