#pragma once
// A debug section of PTX text as bytes: `.b8 1,2`, `.b32 355`, `.b64 $L__tmp5`, `.b32 .debug_loc+86`. What
// stands for an address keeps its label beside it.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook {

struct DebugSection {
  std::vector<uint8_t> bytes;
  std::map<uint32_t, std::string> labels;  ///< by the offset of the address
};

/// Empty when the text has no such section.
DebugSection read_debug_section(std::string_view ptx, std::string_view name);

/// Reads numbers one after the other; past the end they are zero and `good` turns false.
class DebugReader {
 public:
  DebugReader(const DebugSection& section, uint32_t at) : section_(section), at_(at) {}
  uint64_t number(uint32_t bytes);
  uint64_t uleb();
  int64_t sleb();
  std::string text();
  /// An address: its label, or empty when it is a plain number.
  std::string address();
  uint32_t at() const { return at_; }
  void skip(uint32_t bytes) { at_ += bytes; }
  bool good() const { return good_; }
  bool at_end() const { return at_ >= section_.bytes.size(); }

 private:
  const DebugSection& section_;
  uint32_t at_;
  bool good_ = true;
};

}  // namespace warpbook
