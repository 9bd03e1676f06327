#pragma once
// Text that people read: one string (English) or one a locale, with English as the fallback.
#include <map>
#include <string>

namespace warpbook {

struct LocalText {
  std::map<std::string, std::string> by_locale;  ///< "en" always when not empty
  const std::string& in(const std::string& locale) const;
  bool empty() const { return by_locale.empty(); }
};

}  // namespace warpbook
