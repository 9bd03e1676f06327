#pragma once
// Kernel arguments as text: `name=buf:TYPE[COUNT]:INIT`, `name=TYPE:VALUE`, `name=struct:HEX`, `name=null`.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "result/element.h"
#include "result/launch.h"

namespace warpbook {

struct ArgumentSpec {
  enum class Kind { buffer, scalar, structure, null };
  std::string name;
  Kind kind = Kind::scalar;
  ElementType type = ElementType::i32;
  uint64_t count = 0;            ///< buffer: elements
  bool uninitialised = false;    ///< buffer: `uninit`
  std::vector<std::byte> bytes;  ///< initial content of a buffer, or the value
};

/// Parses one SPEC; errors name the argument and the part that is wrong. `seed` is mixed into random(...)
/// when not 0. `folder`: where file(x.npy) is looked up. Buffers over 4 GiB are refused before anything is
/// allocated.
Result<ArgumentSpec> parse_argument(std::string_view spec, const std::string& folder = {}, uint64_t seed = 0);

/// What a .cu file's leading `// key: value` comments say.
struct SourceHeader {
  std::optional<std::string> kernel;
  std::optional<Launch> launch;
  std::vector<std::string> args;
};
Result<SourceHeader> parse_header(std::string_view source, const std::string& file);

}  // namespace warpbook
