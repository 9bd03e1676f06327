// See debug_sections.h.
#include "device/debug_sections.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

namespace warpbook {

namespace {

void append_number(std::vector<uint8_t>& bytes, uint64_t value, uint32_t width) {
  for (uint32_t i = 0; i < width; ++i) bytes.push_back(uint8_t(value >> (8 * i)));
}

/// One operand: a number, `label`, or `label+offset`; section names count as zero.
void append_operand(DebugSection& section, std::string_view text, uint32_t width) {
  int64_t number = 0;
  const char first = text.empty() ? '0' : text.front();
  if (std::isdigit(static_cast<unsigned char>(first)) || first == '-') {
    std::from_chars(text.data(), text.data() + text.size(), number);
  } else {
    const size_t plus = text.find('+');
    if (plus != std::string_view::npos) {
      std::from_chars(text.data() + plus + 1, text.data() + text.size(), number);
    }
    if (first != '.') section.labels[uint32_t(section.bytes.size())] = text.substr(0, plus);
  }
  append_number(section.bytes, uint64_t(number), width);
}

}  // namespace

DebugSection read_debug_section(std::string_view ptx, std::string_view name) {
  DebugSection section;
  const std::string head = fmt::format(".section\t.{}", name);
  size_t at = 0;
  for (at = ptx.find(head); at != std::string_view::npos; at = ptx.find(head, at + 1)) {
    const size_t after = at + head.size();
    if (after < ptx.size() && std::isspace(static_cast<unsigned char>(ptx[after]))) break;
  }
  if (at == std::string_view::npos) return section;
  const size_t open = ptx.find('{', at);
  const size_t close = ptx.find('}', at);
  if (open == std::string_view::npos || close == std::string_view::npos) return section;
  const std::string_view body = ptx.substr(open + 1, close - open - 1);
  for (size_t line = 0; line < body.size();) {
    const size_t end = std::min(body.find('\n', line), body.size());
    std::string_view text = body.substr(line, end - line);
    line = end + 1;
    const size_t dot = text.find(".b");
    if (dot == std::string_view::npos) continue;
    text.remove_prefix(dot + 2);
    uint32_t bits = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
    if (error != std::errc() || bits % 8 != 0 || bits == 0 || bits > 64) continue;
    text.remove_prefix(size_t(rest - text.data()));
    while (!text.empty()) {
      while (!text.empty() && (std::isspace(static_cast<unsigned char>(text.front())) || text.front() == ','))
        text.remove_prefix(1);
      size_t length = 0;
      while (length < text.size() && text[length] != ',' &&
             !std::isspace(static_cast<unsigned char>(text[length])))
        ++length;
      if (length == 0) break;
      append_operand(section, text.substr(0, length), bits / 8);
      text.remove_prefix(length);
    }
  }
  return section;
}

uint64_t DebugReader::number(uint32_t bytes) {
  if (at_ + uint64_t(bytes) > section_.bytes.size()) {
    good_ = false;
    at_ = uint32_t(section_.bytes.size());
    return 0;
  }
  uint64_t value = 0;
  for (uint32_t i = 0; i < bytes && i < 8; ++i) value |= uint64_t(section_.bytes[at_ + i]) << (8 * i);
  at_ += bytes;
  return value;
}

uint64_t DebugReader::uleb() {
  uint64_t value = 0;
  for (uint32_t shift = 0; shift < 64; shift += 7) {
    const uint64_t byte = number(1);
    value |= (byte & 0x7f) << shift;
    if (!(byte & 0x80)) break;
  }
  return value;
}

int64_t DebugReader::sleb() {
  uint64_t value = 0;
  for (uint32_t shift = 0; shift < 64; shift += 7) {
    const uint64_t byte = number(1);
    value |= (byte & 0x7f) << shift;
    if (!(byte & 0x80)) {
      if ((byte & 0x40) && shift + 7 < 64) value |= ~uint64_t(0) << (shift + 7);
      break;
    }
  }
  return int64_t(value);
}

std::string DebugReader::text() {
  std::string out;
  while (good_) {
    const char c = char(number(1));
    if (c == '\0') break;
    out += c;
  }
  return out;
}

std::string DebugReader::address() {
  const auto label = section_.labels.find(at_);
  number(8);
  return label == section_.labels.end() ? std::string() : label->second;
}

}  // namespace warpbook
