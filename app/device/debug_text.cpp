// See debug_text.h.
#include "device/debug_text.h"

#include <fmt/format.h>

#include <bit>

namespace warpbook {

namespace {

int64_t floor_divide(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

int64_t extended(uint64_t bits, uint32_t bytes) {
  const uint32_t unused = 64 - 8 * std::min<uint32_t>(bytes, 8);
  return unused >= 64 ? 0 : int64_t(bits << unused) >> unused;
}

}  // namespace

std::string element_path(const DebugInfo& info, int type, int64_t offset) {
  std::string path;
  for (int depth = 0; depth < 16; ++depth) {
    const DebugType* t = info.plain(type);
    if (!t) return path;
    if (t->kind == DebugType::Kind::array) {
      const DebugType* inner = info.plain(t->inner);
      if (!inner || inner->bytes == 0) return path;
      int64_t flat = floor_divide(offset, inner->bytes);
      offset -= flat * int64_t(inner->bytes);
      int64_t stride = 1;
      for (size_t d = 1; d < t->dimensions.size(); ++d) stride *= std::max<uint32_t>(1, t->dimensions[d]);
      for (size_t d = 0; d < t->dimensions.size(); ++d) {
        const int64_t index = floor_divide(flat, stride);
        flat -= index * stride;
        path += fmt::format("[{}]", index);
        if (d + 1 < t->dimensions.size()) stride /= std::max<uint32_t>(1, t->dimensions[d + 1]);
      }
      type = t->inner;
    } else if (t->kind == DebugType::Kind::structure) {
      const DebugType::Member* found = nullptr;
      for (const DebugType::Member& member : t->members) {
        const DebugType* inner = info.plain(member.type);
        if (inner && offset >= int64_t(member.offset) && offset < int64_t(member.offset) + inner->bytes) {
          found = &member;
          break;
        }
      }
      if (!found) return path;
      if (!found->name.empty()) path += "." + found->name;
      offset -= found->offset;
      type = found->type;
    } else {
      return path;
    }
  }
  return path;
}

uint32_t scalar_bytes(const DebugInfo& info, int type) {
  const DebugType* t = info.plain(type);
  if (!t) return 0;
  if (t->kind == DebugType::Kind::array) return scalar_bytes(info, t->inner);
  if (t->kind == DebugType::Kind::structure) {
    uint32_t bytes = 0;
    for (const DebugType::Member& member : t->members) {
      const uint32_t own = scalar_bytes(info, member.type);
      if (own == 0 || (bytes != 0 && own != bytes)) return 0;
      bytes = own;
    }
    return bytes;
  }
  return t->bytes;
}

void enter_members(const DebugInfo& info, std::string& name, int& type, int64_t from, int64_t& offset) {
  for (int depth = 0; depth < 16; ++depth) {
    const DebugType* t = info.plain(type);
    if (!t || t->kind != DebugType::Kind::structure) return;
    const DebugType::Member* found = nullptr;
    for (const DebugType::Member& member : t->members) {
      const DebugType* inner = info.plain(member.type);
      if (inner && from >= int64_t(member.offset) && from < int64_t(member.offset) + inner->bytes)
        found = &member;
    }
    if (!found || found->name.empty()) return;
    name += "." + found->name;
    type = found->type;
    from -= found->offset;
    offset -= found->offset;
  }
}

std::string value_text(const DebugInfo& info, int type, uint64_t bits) {
  const DebugType* t = info.plain(type);
  if (!t || t->bytes == 0 || t->bytes > 8) return {};
  if (t->kind == DebugType::Kind::enumeration) return fmt::format("{}", extended(bits, t->bytes));
  if (t->kind != DebugType::Kind::base) return {};
  const uint64_t unsigned_bits = t->bytes == 8 ? bits : bits & ((uint64_t(1) << (8 * t->bytes)) - 1);
  switch (t->encoding) {
    case DebugType::Encoding::boolean: return unsigned_bits ? "true" : "false";
    case DebugType::Encoding::real:
      if (t->bytes == 4) return fmt::format("{}", std::bit_cast<float>(uint32_t(bits)));
      if (t->bytes == 8) return fmt::format("{}", std::bit_cast<double>(bits));
      return {};
    case DebugType::Encoding::integer: return fmt::format("{}", extended(bits, t->bytes));
    case DebugType::Encoding::natural: return fmt::format("{}", unsigned_bits);
    case DebugType::Encoding::other: return {};
  }
  return {};
}

}  // namespace warpbook
