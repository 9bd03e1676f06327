#pragma once
// The pure step of `numbers`: named counters as rows, with the run before as a ghost.
#include <optional>
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

struct NumberRow {
  std::string name, label, unit;
  double value = 0;
  std::optional<double> previous;
};

/// The counters of option `show`, in its order; a useful few when there is no such option. Beside the named
/// counters: `idle_threads` = threads beyond the control `n`.
std::vector<NumberRow> make_numbers(const ViewInput& input);

/// What changed since the run before, in words; empty when nothing worth saying did.
std::string change_in_words(const NumberRow& row);

}  // namespace warpbook::view
