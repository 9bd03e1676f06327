#pragma once
// Colour for terminals, only where it was asked for.
#include <string>
#include <string_view>

namespace warpbook {

struct Paint {
  bool on = false;
  std::string wrap(const char* code, std::string_view text) const {
    std::string out;
    if (on) out.append("\x1b[").append(code).append("m");
    out.append(text);
    if (on) out.append("\x1b[0m");
    return out;
  }
  std::string good(std::string_view text) const { return wrap("32", text); }
  std::string bad(std::string_view text) const { return wrap("1;31", text); }
  std::string warn(std::string_view text) const { return wrap("1;33", text); }
  std::string quiet(std::string_view text) const { return wrap("2", text); }
};

}  // namespace warpbook
