#pragma once
// What the program has allocated, by address, as the host's side of the runtime knows it. All of it but
// registered host memory lies in the emulator's windows, where the host can reach pinned and managed memory
// and nothing else.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "result/tape.h"

namespace warpbook::cudart {

struct Block {
  MemoryKind kind = MemoryKind::device;
  uint64_t address = 0;         ///< as the program knows it
  DeviceAddress on_device = 0;  ///< the same but for registered memory
  uint64_t bytes = 0;
  uint64_t row = 0;      ///< that made it; 0 = a variable
  std::string variable;  ///< as written
  unsigned flags = 0;    ///< of cudaHostAlloc and cudaHostRegister
  bool live = true;
  bool constant = false;
  bool host_reaches() const { return kind == MemoryKind::pinned || kind == MemoryKind::managed; }
};

class MemoryTable {
 public:
  void add(Block block);
  /// The live or freed block that this address was computed from: it holds it, or it is the nearest in the
  /// same window. Null for plain host memory.
  const Block* near(uint64_t address) const;
  /// The live block that holds [address, address + bytes); null when none does.
  const Block* holding(uint64_t address, uint64_t bytes) const;
  /// The block that starts here, live or the last that did.
  Block* starting(uint64_t address);
  void freed(uint64_t address);
  /// Registered memory is no longer known.
  void remove(uint64_t address);

  TapePlace place(const std::string& argument, uint64_t address) const;
  std::vector<Block> live() const;
  uint64_t device_bytes() const { return device_bytes_; }

  /// The range in which all device addresses lie.
  static bool is_device_range(uint64_t address);

 private:
  std::map<uint64_t, Block> blocks_;
  uint64_t device_bytes_ = 0;
};

/// Something is mapped there in this process.
bool host_has(uint64_t address);

}  // namespace warpbook::cudart
