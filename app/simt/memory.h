#pragma once
// The emulator's device memory. Addresses are virtual 47-bit numbers and never host pointers: each allocation
// has a wide window of its own (emulator notes, "Addresses"), so a far miss is still charged to the buffer
// that it was computed from, and nothing that a kernel does can reach the host.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"

namespace warpbook::simt {

using Address = uint64_t;

struct AllocationInfo {
  Address address = 0;
  uint64_t bytes = 0;
  std::string name;            ///< the learner's
  uint32_t element_bytes = 4;  ///< for indices in diagnoses
  bool read_only = false;      ///< __constant__
};

class Memory {
 public:
  /// `budget`: all allocations together, bytes.
  explicit Memory(uint64_t budget = 2ull << 30);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Poisoned (0xCD) and, for level check, counted as never written. Trouble::limit when the budget is spent.
  Result<Address> allocate(uint64_t bytes, std::string name, uint32_t element_bytes);
  /// Zeros that the host reaches at the same address, as managed and pinned memory is. The host writes there
  /// unseen, so all of it counts as written.
  Result<Address> allocate_visible(uint64_t bytes, std::string name, uint32_t element_bytes);
  /// A window for `bytes` that the host has at `host` and keeps until free(). Likewise.
  Result<Address> adopt(std::byte* host, uint64_t bytes, std::string name, uint32_t element_bytes);
  Result<Done> free(Address address);
  Result<Done> write(Address to, std::span<const std::byte> bytes);
  Result<Done> read(Address from, std::span<std::byte> bytes) const;
  /// Between buffers, or within one; what was never written stays so.
  Result<Done> copy(Address to, Address from, uint64_t bytes);
  Result<Done> fill(Address to, std::byte value, uint64_t bytes);
  /// Of a range inside a live buffer: how many bytes nothing has written, and the first of them.
  struct Unwritten {
    uint64_t bytes = 0, first = 0;
  };
  Unwritten never_written(Address from, uint64_t bytes) const;
  /// Null when no live allocation's window holds the address.
  const AllocationInfo* find(Address address) const;
  uint64_t bytes_in_use() const;

  struct State;
  State& state() { return *state_; }
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace warpbook::simt
