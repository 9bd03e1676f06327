#pragma once
// Pictures against recorded ones. A pixel differs when a channel is off by more than 2; a picture differs
// when more than 0.05 % of its pixels do. Recorded with WARPBOOK_RECORD=1, for one renderer, named in
// renderer.txt.
#include <string>

#include "base/files.h"
#include "ui/picture_file.h"

namespace warpbook::ui {

struct PictureDifference {
  bool same_size = true;
  size_t pixels = 0;  ///< that differ
  double share = 0;
  Picture picture;  ///< differing pixels in red on a faint ground
  bool acceptable() const { return same_size && share <= 0.0005; }
};
PictureDifference compare_pictures(const Picture& expected, const Picture& actual);

enum class GoldenOutcome { same, different, skipped, recorded };
struct GoldenResult {
  GoldenOutcome outcome = GoldenOutcome::same;
  std::string message;
};
/// `folder`: where the recorded pictures lie; on a difference the picture and the difference are written to
/// `beside`.
GoldenResult against_golden(const Path& folder, const Path& beside, const std::string& name,
                            const Picture& picture, const std::string& renderer);
/// "llvmpipe, Mesa 22": what pictures depend on.
std::string renderer_family(const std::string& renderer);

}  // namespace warpbook::ui
