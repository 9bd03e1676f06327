#pragma once
// Kernel arguments as text: `name=buf:TYPE[COUNT]:INIT`, `name=TYPE:VALUE`, `name=struct:HEX`, `name=null`.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "result/launch.h"

namespace warpbook {

enum class ElementType : uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };
uint32_t bytes_of(ElementType type);
std::string_view name_of(ElementType type);
std::optional<ElementType> element_type_named(std::string_view name);
/// Element `index` of raw little-endian data as a double (64-bit integers may round).
double element_as_double(ElementType type, const std::byte* data, uint64_t index);
/// As a person reads it: integers in full, floats with the digits that tell them apart.
std::string element_as_text(ElementType type, const std::byte* data, uint64_t index);

struct ArgumentSpec {
  enum class Kind { buffer, scalar, structure, null };
  std::string name;
  Kind kind = Kind::scalar;
  ElementType type = ElementType::i32;
  uint64_t count = 0;                 ///< buffer: elements
  bool uninitialised = false;         ///< buffer: `uninit`
  std::vector<std::byte> bytes;       ///< initial content of a buffer, or the value
};

/// Parses one SPEC; errors name the argument and the part that is wrong. `seed` is mixed into random(...) when not 0.
/// `folder`: where file(x.npy) is looked up. Buffers over 4 GiB are refused before anything is allocated.
Result<ArgumentSpec> parse_argument(std::string_view spec, const std::string& folder = {}, uint64_t seed = 0);

/// What a .cu file's leading `// key: value` comments say.
struct SourceHeader {
  std::optional<std::string> kernel;
  std::optional<Launch> launch;
  std::vector<std::string> args;
};
Result<SourceHeader> parse_header(std::string_view source, const std::string& file);

}  // namespace warpbook
