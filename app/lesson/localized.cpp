// Choosing a locale: itself, its language, English.
#include "lesson/localized.h"

namespace warpbook {

const std::string& LocalText::in(const std::string& locale) const {
  static const std::string nothing;
  for (const std::string& wanted : {locale, locale.substr(0, locale.find('-')), std::string("en")}) {
    const auto found = by_locale.find(wanted);
    if (found != by_locale.end()) return found->second;
  }
  return nothing;
}

}  // namespace warpbook
