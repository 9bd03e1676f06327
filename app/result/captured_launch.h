#pragma once
// A launch with everything that it found: the memory of its moment at the addresses where it lay, and its
// arguments. So it can be run again by itself, elsewhere, as often as one likes.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook {

struct TapeRow;  // result/tape.h

struct ByteRange {
  uint64_t first = 0, count = 0;
  bool operator==(const ByteRange&) const = default;
};

/// An allocation, or a variable of the launch's module.
struct CapturedMemory {
  uint64_t address = 0;
  std::string name;      ///< as the engine called it: "allocation 3"; of a variable, the learner's
  std::string variable;  ///< its name in the PTX; empty for an allocation
  uint32_t element_bytes = 4;
  std::string bytes;
  std::vector<ByteRange> unwritten;  ///< that nothing had written, ascending
  bool operator==(const CapturedMemory&) const = default;
};

struct CapturedLaunch {
  uint64_t row = 0;  ///< of the tape: it has kernel, module and launch
  std::vector<std::string> arguments;
  std::vector<CapturedMemory> memory;
  uint64_t bytes() const {
    uint64_t all = 0;
    for (const CapturedMemory& one : memory) all += one.bytes.size();
    return all;
  }
};

/// No record of a tape is longer.
inline constexpr uint32_t most_record_bytes = 64u << 20;
std::string tape_record(const CapturedLaunch& launch);
std::string tape_record_of_ptx(uint32_t module, const std::string& ptx);

/// Reads the captured launches off a tape while it is being written, beside TapeReader, which reads the rest.
class CapturedLaunches {
 public:
  /// What is damaged is left out: TapeReader says so.
  void take(std::string_view more);
  /// What a row's launch found; of one that was not executed, what the equal one before it found. Null when
  /// it was not kept.
  std::shared_ptr<const CapturedLaunch> of(const TapeRow& row) const;
  /// The code of its module.
  std::shared_ptr<const std::string> ptx_of(const TapeRow& row) const;
  bool empty() const { return launches_.empty(); }

 private:
  void take_record(std::string_view record);
  std::map<uint64_t, std::shared_ptr<const CapturedLaunch>> launches_;  ///< by row
  std::map<uint32_t, std::shared_ptr<const std::string>> ptx_;          ///< by TapeModule::index
  std::string rest_;
  bool headed_ = false, broken_ = false;
};

}  // namespace warpbook
