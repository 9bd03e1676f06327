#pragma once
// `.loc` and the names that it refers to: makes the module's list of source points, each once (PTX ISA 11.5).
#include <string_view>
#include <unordered_map>
#include <vector>

#include "simt/ptx/module.h"
#include "simt/ptx/scanner.h"

namespace warpbook::ptx {

class SourcePoints {
 public:
  explicit SourcePoints(Module& module) : module_(module) {}

  /// A function starts: `inlined_at` refers to places of the same function only.
  void start_function() { latest_.clear(); }
  /// After `.loc`: the index of its point, or -1 when it cannot be read (the scanner then failed).
  int32_t read_location(Scanner& scanner);
  /// After `.file`.
  bool read_file(Scanner& scanner);
  /// After `.section .debug_str {`: its labels and bytes.
  bool read_strings(Scanner& scanner);
  /// At the end of the text, when the strings are known.
  void name_functions();

 private:
  struct Place {
    uint32_t file = 0, line = 0, column = 0;
    bool operator==(const Place&) const = default;
  };
  struct Key {
    Place place;
    int32_t inlined_at = -1;
    std::string_view label;
    uint64_t label_offset = 0;
    bool operator==(const Key&) const = default;
  };
  struct PlaceHash {
    size_t operator()(const Place& p) const {
      return (size_t(p.file) * 0x9e3779b97f4a7c15u) ^ (size_t(p.line) << 20) ^ p.column;
    }
  };
  struct KeyHash {
    size_t operator()(const Key& k) const {
      return PlaceHash{}(k.place) * 31 + size_t(uint32_t(k.inlined_at)) * 1000003u +
             std::hash<std::string_view>{}(k.label) + k.label_offset;
    }
  };
  bool read_place(Scanner& scanner, Place& place);
  int32_t point(const Key& key);

  Module& module_;
  std::vector<Key> keys_;  ///< by point
  std::unordered_map<Key, int32_t, KeyHash> known_;
  std::unordered_map<Place, int32_t, PlaceHash> latest_;  ///< the last point at each place of this function
  std::string strings_;                                   ///< the bytes of .debug_str
  std::unordered_map<std::string_view, size_t> string_labels_;
};

}  // namespace warpbook::ptx
