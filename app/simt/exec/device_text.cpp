// printf on the device: the conversions of C, read from a packed argument buffer that cannot be trusted.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "simt/exec/device_calls.h"

namespace warpbook::simt {
namespace {

constexpr int widest_field = 512;

struct Reader {
  Warp& warp;
  int lane;
  Address at;

  template <class T>
  T next() {
    T value{};
    at = (at + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    read_bytes(warp, lane, at, &value, sizeof(T));
    at += sizeof(T);
    return value;
  }
};

/// One conversion as C's printf takes it: flags, width and precision as numbers.
struct Conversion {
  std::string flags;
  int width = -1, precision = -1;
  int longs = 0;   ///< number of l; z, j and t count as two
  int shorts = 0;  ///< number of h
  char letter = 0;

  std::string specification(const char* length, char conversion) const {
    std::string text(1, '%');
    text.append(flags);
    if (width >= 0) text.append(std::to_string(width));
    if (precision >= 0) text.append(1, '.').append(std::to_string(precision));
    return text.append(length).append(1, conversion);
  }
};

template <class T>
void append(std::string& out, const std::string& specification, T value) {
  char buffer[2 * widest_field + 400];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int length = std::snprintf(buffer, sizeof buffer, specification.c_str(), value);
#pragma GCC diagnostic pop
  if (length > 0) out.append(buffer, std::min(size_t(length), sizeof buffer - 1));
}

int clamp_field(int value) { return value > widest_field ? widest_field : value; }

/// A signed argument of the conversion's length; narrow ones were widened to int by the call (C 6.5.2.2).
int64_t signed_argument(Reader& reader, const Conversion& c) {
  if (c.longs) return reader.next<int64_t>();
  const auto value = reader.next<int32_t>();
  return c.shorts == 0 ? value : c.shorts == 1 ? int16_t(value) : int8_t(value);
}
uint64_t unsigned_argument(Reader& reader, const Conversion& c) {
  if (c.longs) return reader.next<uint64_t>();
  const auto value = reader.next<uint32_t>();
  return c.shorts == 0 ? value : c.shorts == 1 ? uint16_t(value) : uint8_t(value);
}

/// False: no conversion of C; it is printed as it stands.
bool convert(std::string& out, Reader& reader, const Conversion& c) {
  switch (c.letter) {
    case 'd':
    case 'i':
      append(out, c.specification("ll", 'd'), static_cast<long long>(signed_argument(reader, c)));
      return true;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      append(out, c.specification("ll", c.letter),
             static_cast<unsigned long long>(unsigned_argument(reader, c)));
      return true;
    case 'c': append(out, c.specification("", 'c'), reader.next<int32_t>()); return true;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': append(out, c.specification("", c.letter), reader.next<double>()); return true;
    case 'p': {
      // As CUDA prints it: 0x and the digits, or (nil).
      char digits[32] = "(nil)";
      if (const auto pointer = reader.next<uint64_t>()) {
        std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(pointer));
      }
      append(out, c.specification("", 's'), static_cast<const char*>(digits));
      return true;
    }
    case 's': {
      const auto text = read_string(reader.warp, reader.lane, reader.next<uint64_t>());
      std::string shown = text.value_or("(unreadable)");
      if (c.precision >= 0 && shown.size() > size_t(c.precision)) shown.resize(size_t(c.precision));
      const size_t width = c.width > 0 ? size_t(c.width) : 0;
      const std::string fill(width > shown.size() ? width - shown.size() : 0, ' ');
      const bool left = c.flags.find('-') != std::string::npos;
      if (!left) out.append(fill);
      out.append(shown);
      if (left) out.append(fill);
      return true;
    }
    default: return false;
  }
}

}  // namespace

DeviceText format_device_text(Warp& warp, int lane, std::string_view format, Address arguments) {
  DeviceText result;
  std::string& out = result.text;
  Reader reader{warp, lane, arguments};
  for (size_t i = 0; i < format.size();) {
    if (format[i] != '%') {
      const size_t end = std::min(format.find('%', i), format.size());
      out.append(format, i, end - i);
      i = end;
      continue;
    }
    const size_t start = i++;
    if (i < format.size() && format[i] == '%') {
      out += '%';
      ++i;
      continue;
    }
    Conversion c;
    while (i < format.size() && std::strchr("-+ #0", format[i])) {
      if (c.flags.find(format[i]) == std::string::npos) c.flags += format[i];
      ++i;
    }
    const auto number = [&]() -> int {
      if (i < format.size() && format[i] == '*') {
        ++i;
        return reader.next<int32_t>();
      }
      int value = 0;
      while (i < format.size() && format[i] >= '0' && format[i] <= '9') {
        value = clamp_field(value * 10 + (format[i++] - '0'));
      }
      return value;
    };
    if (i < format.size() && (format[i] == '*' || (format[i] >= '0' && format[i] <= '9'))) {
      int width = number();
      if (width < 0) {  // a negative * means the - flag and its absolute value
        if (c.flags.find('-') == std::string::npos) c.flags += '-';
        width = width < -widest_field ? widest_field : -width;
      }
      c.width = clamp_field(width);
    }
    if (i < format.size() && format[i] == '.') {
      ++i;
      const int precision = number();
      c.precision = precision < 0 ? -1 : clamp_field(precision);
    }
    while (i < format.size() && std::strchr("hljztL", format[i])) {
      if (format[i] == 'h') ++c.shorts;
      if (format[i] == 'l' || format[i] == 'z' || format[i] == 'j' || format[i] == 't') ++c.longs;
      ++i;
    }
    if (i < format.size()) c.letter = format[i++];
    if (c.letter != 0 && convert(out, reader, c)) {
      ++result.conversions;
    } else {
      out.append(format, start, i - start);
    }
  }
  return result;
}

}  // namespace warpbook::simt
