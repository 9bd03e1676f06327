#pragma once
// Equal launches on unchanged memory. Each allocation's content has a number; a launch is known by the
// kernel, the configuration, the argument bytes and the numbers of all that it read or wrote. When they are
// what they were, the contents that it left are put back instead of executing it again.
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/device.h"
#include "result/kernel_trace.h"

namespace warpbook {

/// What is kept of an executed launch for those that repeat it.
struct RememberedLaunch {
  uint64_t ticket = 0;
  RunReport report;
  std::shared_ptr<const KernelTrace> trace;
};

class LaunchMemo {
 public:
  explicit LaunchMemo(simt::Memory& memory) : memory_(memory) {}

  /// The host wrote into this allocation, or it is gone.
  void changed(DeviceAddress allocation);
  void forget(DeviceAddress allocation);

  static std::string key_of(uint32_t module, const std::string& kernel, const Launch& launch,
                            std::span<const KernelArgument> arguments, Level level);
  /// The launch that this one repeats, its results already in memory; null when it must be executed.
  const RememberedLaunch* repeat(const std::string& key);
  /// Before a launch is executed and behind it. Without a key its results are not kept, but what it wrote
  /// counts as changed.
  void begin();
  void end(const std::string* key, RememberedLaunch launch);
  /// Allocations that the launch between begin() and end() wrote.
  std::vector<DeviceAddress> written() const;

  /// Bytes that all kept contents may take together.
  static constexpr uint64_t most_kept = 512u << 20;

 private:
  struct Content {
    std::vector<std::byte> bytes;
    std::vector<uint8_t> written;  ///< level check: empty when all is, or nothing is known
    bool all_written = true;
  };
  struct Touched {
    DeviceAddress allocation = 0;
    uint64_t before = 0;
    uint64_t after = 0;  ///< 0 = only read
    bool read = false;
    std::shared_ptr<const Content> content;  ///< afterwards; null until the launch is seen to come again
  };
  struct Entry {
    RememberedLaunch launch;
    std::vector<Touched> touched;
  };
  uint64_t number_of(DeviceAddress allocation);
  std::shared_ptr<const Content> content_of(DeviceAddress allocation) const;
  bool fits(const Touched& touched) const;
  void drop(const Entry& entry);
  bool holds(DeviceAddress allocation, const Content& content) const;
  void put_back(const Touched& touched);

  simt::Memory& memory_;
  uint64_t last_number_ = 0;
  uint64_t kept_ = 0;
  std::map<DeviceAddress, uint64_t> numbers_;
  std::map<std::string, std::list<Entry>> entries_;  ///< youngest first, a few a key
  std::list<std::string> keys_;                      ///< in the order in which they were first seen
};

}  // namespace warpbook
