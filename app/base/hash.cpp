// FNV-1a with 128 bits (Fowler, Noll, Vo; the constants are those of their published parameters).
#include "base/hash.h"

#include <fmt/format.h>

#include <cstdint>

namespace warpbook {

std::string content_hash(std::string_view content) {
  // The prime is 2^88 + 2^8 + 0x3B, so a multiplication is one by 0x13B and a shift.
  using Wide = unsigned __int128;
  Wide hash = (Wide(0x6C62272E07BB0142ull) << 64) | 0x62B821756295C58Dull;
  for (const char c : content) {
    hash ^= static_cast<unsigned char>(c);
    hash = hash * 0x13B + (hash << 88);
  }
  return fmt::format("{:016x}{:016x}", uint64_t(hash >> 64), uint64_t(hash));
}

}  // namespace warpbook
