#pragma once
// The window's pictures of runs on a GPU: which buffer goes to which texture and by which way, what each way
// costs, and textures whose end has to wait because the GPU is at work.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/gpu_picture.h"
#include "lab/run.h"
#include "result/image_target.h"
#include "view/view.h"

namespace warpbook {
class Surface;
}

namespace warpbook::ui {

/// A run that left nothing but buffers on the GPU, shown before the emulator knows more.
struct LivePicture {
  GpuRun run;
  std::map<std::string, ElementType> types;     ///< of its buffers
  std::shared_ptr<const CompiledCode> colours;  ///< compile_colours(); null where no view needs them
  std::map<std::string, int64_t> values;        ///< controls and derived dimensions that it was made with
};

/// How the newest picture came to its texture, and what both ways cost.
struct PictureWay {
  uint64_t use = 0;      ///< GpuRun::use
  ImageOutcome outcome;  ///< costs are of that texture
};

class GpuPictures {
 public:
  /// Before the first picture; on the thread that draws, as everything here.
  void open(Session* session, Surface* surface);

  /// For ViewInput::on_gpu; `run` must outlive the frame. `types`: of its buffers, where numbers are shown.
  view::OnGpu of(const GpuRun& run, bool newer, std::map<std::string, ElementType> types = {});
  /// What colours numbers, as it comes with a live picture; kept for what follows.
  void take_colours(const std::shared_ptr<const CompiledCode>& colours) {
    if (colours) colours_ = colours;
  }
  /// Textures as views ask for them; their ends go through here, since a GPU may know them.
  view::PictureMaker maker();
  /// Once a frame: ends what had to wait.
  void tidy();
  /// At the end, or before the engine is another: every texture is forgotten by the GPU.
  void close();

  ImageWay way() const { return way_; }
  /// Pictures come anew, by that way.
  void choose(ImageWay way) { way_ = way; }
  const std::optional<PictureWay>& newest() const { return newest_; }

 private:
  view::OnGpu::Answer show(const GpuRun& run, const PictureOrder& order, const ImageTarget& target,
                           ColouredFacts& facts);
  void release(ImageTarget& target);

  Session* session_ = nullptr;
  Surface* surface_ = nullptr;
  ImageWay way_ = ImageWay::automatic;
  std::optional<PictureWay> newest_;
  std::shared_ptr<const CompiledCode> colours_;
  std::vector<ImageTarget> shared_;   ///< textures that the GPU was given
  std::vector<ImageTarget> retired_;  ///< released while the GPU was at work
};

}  // namespace warpbook::ui
