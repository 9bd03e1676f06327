#include "result/modelled_time.h"

#include <fmt/format.h>

namespace warpbook {

std::string time_in_words(double us) {
  if (us >= 1e6) return fmt::format("{:.3g} s", us / 1e6);
  if (us >= 1e3) return fmt::format("{:.3g} ms", us / 1e3);
  return fmt::format("{:.3g} µs", us);
}

std::string dominating_in_words(const ModelledTime& modelled) {
  for (const TimeTerm& term : modelled.terms)
    if (term.name == modelled.dominating) return term.label;
  return "The launch itself";
}

}  // namespace warpbook
