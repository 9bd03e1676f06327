#pragma once
// The DWARF that NVRTC writes into the text of a debug build, as plain tables: functions, their variables
// with where they live, types. DWARF 2, one unit; registers are named by their letters (PTX Writer's Guide to
// Interoperability, "Debug information").
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace warpbook {

struct DebugType {
  enum class Kind : uint8_t { none, base, pointer, reference, structure, array, enumeration, alias };
  enum class Encoding : uint8_t { other, boolean, real, integer, natural };
  struct Member {
    std::string name;  ///< empty for a base class
    int type = -1;
    uint32_t offset = 0;  ///< bytes
    uint32_t bits = 0;    ///< of a bit field; 0 = none
  };
  Kind kind = Kind::none;
  Encoding encoding = Encoding::other;
  std::string name;
  uint32_t bytes = 0;                ///< filled in for arrays and aliases as well
  int inner = -1;                    ///< what is pointed to, repeated or renamed
  std::vector<uint32_t> dimensions;  ///< outermost first; 0 = open
  std::vector<Member> members;
  std::vector<std::pair<std::string, int64_t>> values;  ///< of an enumeration
};

struct DebugLocation {
  enum class Kind : uint8_t { none, reg, local, symbol, constant };
  Kind kind = Kind::none;
  std::string name;     ///< register ("%r5") or symbol
  uint64_t offset = 0;  ///< in the depot, or from the symbol; a constant's bits
};

struct DebugVariable {
  std::string name;
  int line = 0;
  int type = -1;
  bool parameter = false;
  std::string from, to;  ///< labels of the scope; empty = the whole function
  /// Where it lives between two labels in the order of the text; empty labels = in all of the scope.
  struct Place {
    std::string from, to;
    DebugLocation location;
  };
  std::vector<Place> places;
};

struct DebugFunction {
  std::string linkage;  ///< its name in the PTX
  std::string name;
  int line = 0;
  std::vector<DebugVariable> variables;  ///< parameters, then by scope, outer ones first
};

struct DebugInfo {
  std::vector<DebugType> types;
  std::vector<DebugFunction> functions;  ///< those with code
  std::vector<DebugVariable> globals;    ///< __constant__, __device__ and file-scope __shared__
  const DebugFunction* function(std::string_view linkage) const;
  /// The type without typedef, const and volatile; null for none.
  const DebugType* plain(int type) const;
};

/// Errors: the text has sections that cannot be read. Text without them gives empty tables.
Result<DebugInfo> read_debug_info(std::string_view ptx);

}  // namespace warpbook
