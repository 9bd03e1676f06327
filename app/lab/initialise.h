#pragma once
// How a buffer is filled before the launch: the INIT part of a SPEC.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "result/element.h"

namespace warpbook {

struct InitialContent {
  bool uninitialised = false;    ///< `uninit`: bytes stay empty
  std::vector<std::byte> bytes;  ///< count elements of the type
};

/// zeros iota value(c) affine(m,c) mod(p) onehot(k) list(..) hex(..) random(seed,lo,hi) uninit file(x.npy).
/// `seed` is mixed into random(...) when not 0; `folder` is where file(...) is looked up.
Result<InitialContent> initial_content(ElementType type, uint64_t count, std::string_view init,
                                       const std::string& folder, uint64_t seed);

}  // namespace warpbook
