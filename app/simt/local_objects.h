#pragma once
// The variables of functions that lie in local memory, as the debug information of a debug build tells them.
// With them level check keeps an index within its own array, where the address alone would only reach a
// neighbour.
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpbook::simt {

class Module;

struct LocalObject {
  std::string name;
  uint32_t offset = 0, bytes = 0;  ///< in the function's __local_depot
};
/// By the function's name in the PTX.
using LocalObjects = std::map<std::string, std::vector<LocalObject>, std::less<>>;

Result<std::shared_ptr<const Module>> load_module(std::string_view ptx, LocalObjects objects);

}  // namespace warpbook::simt
