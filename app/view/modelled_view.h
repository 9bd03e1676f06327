#pragma once
// The pure steps of `modelled-time` and `roofline`.
#include <string>
#include <vector>

#include "view/plot.h"
#include "view/view.h"

namespace warpbook::view {

/// One bar of the picture: a resource's cycles beside the longest one's.
struct TermBar {
  std::string label, words;
  double cycles = 0, share = 0;  ///< of the longest
  double previous_share = -1;    ///< the run before on the same scale; -1 = it had none
  bool dominates = false;
};
std::vector<TermBar> make_term_bars(const ModelledTime& modelled, const ModelledTime* previous);

/// "12.3 µs on the T4, between 9.9 µs and 15.4 µs".
std::string modelled_headline(const ModelledTime& modelled);

/// "3.33 waves of 480 blocks; the last one is 33 % full".
std::string waves_in_words(const ModelledTime& modelled);
/// The slots for blocks of the GPU, gathered into at most `most` strips: until when each group is busy, as a
/// share of the launch; longest first.
std::vector<float> make_wave_strips(const ModelledTime& modelled, size_t most);

/// Performance over intensity at each level of memory, under the roofs of the GPU.
Plot make_roofline(const ModelledTime& modelled, const Style& style);

}  // namespace warpbook::view
