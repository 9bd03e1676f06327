#include "lab/npy.h"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "base/complaint.h"
#include "base/text.h"

namespace warpbook {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

namespace {

std::string_view descriptor(ElementType type) {
  switch (type) {
    case ElementType::i8: return "|i1";
    case ElementType::u8: return "|u1";
    case ElementType::i16: return "<i2";
    case ElementType::u16: return "<u2";
    case ElementType::i32: return "<i4";
    case ElementType::u32: return "<u4";
    case ElementType::i64: return "<i8";
    case ElementType::u64: return "<u8";
    case ElementType::f16: return "<f2";
    case ElementType::bf16: return "<u2";
    case ElementType::f32: return "<f4";
    case ElementType::f64: return "<f8";
  }
  return "";
}

/// The value after `'key':` in the header's Python dictionary, up to a comma outside parentheses.
std::optional<std::string_view> entry(std::string_view header, std::string_view key) {
  const size_t at = header.find(fmt::format("'{}'", key));
  if (at == std::string_view::npos) return std::nullopt;
  const size_t colon = header.find(':', at);
  if (colon == std::string_view::npos) return std::nullopt;
  size_t end = colon + 1;
  for (int depth = 0; end < header.size(); ++end) {
    const char c = header[end];
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (depth == 0 && (c == ',' || c == '}')) break;
  }
  return trim(header.substr(colon + 1, end - colon - 1));
}

}  // namespace

Result<std::vector<std::byte>> parse_npy(std::string_view content, ElementType type,
                                         const std::string& file) {
  const auto bad = [&](std::string message) { return complaint(std::move(message), {}, {file, 0, 0}); };
  constexpr std::string_view magic = "\x93NUMPY";
  if (!starts_with(content, magic) || content.size() < 12) return bad("is no .npy file");
  const auto byte = [&](size_t at) { return uint64_t(uint8_t(content[at])); };
  const uint64_t major = byte(6);
  if (major < 1 || major > 3)
    return bad(fmt::format("has .npy format version {}, which is not known", major));
  const size_t start = major == 1 ? 10 : 12;
  const uint64_t length = byte(8) | byte(9) << 8 | (major == 1 ? 0 : byte(10) << 16 | byte(11) << 24);
  if (length > content.size() - start) return bad("ends in the middle of its header");
  const std::string_view header = content.substr(start, length);
  const std::string_view data = content.substr(start + length);

  const auto descr = entry(header, "descr"), order = entry(header, "fortran_order"),
             shape = entry(header, "shape");
  if (!descr || !order || !shape || shape->size() < 2 || descr->size() < 4)
    return bad("has a header that cannot be read");
  std::string_view found = descr->substr(1, descr->size() - 2);
  if (found == "|b1") found = "|u1";
  if (found != descriptor(type))
    return bad(fmt::format("holds elements of type {}, but the buffer is {}", found, name_of(type)));
  uint64_t count = 1;
  int dimensions = 0;
  for (std::string_view part : split(shape->substr(1, shape->size() - 2), ',')) {
    if (trim(part).empty()) continue;
    const auto extent = parse_uint(trim(part));
    if (!extent || (*extent && count > UINT64_MAX / *extent)) return bad("has a shape that cannot be read");
    count *= *extent;
    ++dimensions;
  }
  if (*order == "True" && dimensions > 1)
    return bad("is in Fortran order; save it with numpy.ascontiguousarray");
  if (count > data.size() || data.size() < count * bytes_of(type))
    return bad(fmt::format("promises {} elements but ends before them", count));
  const auto* first = reinterpret_cast<const std::byte*>(data.data());
  return std::vector<std::byte>(first, first + count * bytes_of(type));
}

Result<std::vector<std::byte>> read_npy(const Path& file, ElementType type) {
  const auto content = read_file(file, (uint64_t{4} << 30) + 65536);
  if (!content) return content.error();
  return parse_npy(*content, type, file.string());
}

std::string write_npy(ElementType type, uint64_t count, const std::byte* data) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", descriptor(type), count);
  // The data starts at a multiple of 64 bytes; the header ends with a line end.
  constexpr size_t prefix = 10;
  header.append((64 - (prefix + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += char(header.size() & 255);
  out += char(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char*>(data), count * bytes_of(type));
  return out;
}

}  // namespace warpbook
