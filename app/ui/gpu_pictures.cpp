#include "ui/gpu_pictures.h"

#include <algorithm>

#include "result/surface.h"

namespace warpbook::ui {

namespace {

bool same(const ImageTarget& a, const ImageTarget& b) {
  return a.handle == b.handle && a.generation == b.generation;
}

}  // namespace

void GpuPictures::open(Session* session, Surface* surface) {
  session_ = session;
  surface_ = surface;
}

view::OnGpu GpuPictures::of(const GpuRun& run, bool newer, std::map<std::string, ElementType> types) {
  view::OnGpu on_gpu;
  // Four ways at most: a switch is another stamp, and the picture is taken again.
  on_gpu.stamp = 4 * run.use + uint64_t(way_) + 1;
  on_gpu.newer = newer;
  on_gpu.show = [this, &run, types = std::move(types)](const Colouring& colouring, const ImageTarget& target,
                                                       ColouredFacts& facts) {
    return show(run, {colouring, types, colours_.get()}, target, facts);
  };
  return on_gpu;
}

view::OnGpu::Answer GpuPictures::show(const GpuRun& run, const PictureOrder& order, const ImageTarget& target,
                                      ColouredFacts& facts) {
  using Answer = view::OnGpu::Answer;
  if (!session_) return Answer::gone;
  const bool known =
      std::any_of(shared_.begin(), shared_.end(), [&](const ImageTarget& one) { return same(one, target); });
  ShownPicture shown = show_picture(*session_, run, order, target, way_, !known);
  if (shown.state == ShownPicture::State::at_work) return Answer::later;
  if (!known) shared_.push_back(target);
  newest_.reset();
  if (shown.state == ShownPicture::State::gone) return Answer::gone;
  facts = shown.facts;
  newest_ = PictureWay{run.use, std::move(shown.outcome)};
  return Answer::shown;
}

view::PictureMaker GpuPictures::maker() {
  view::PictureMaker maker;
  maker.owner = this;
  maker.make = [](void* owner, uint32_t width, uint32_t height) {
    return static_cast<GpuPictures*>(owner)->surface_->make_image(width, height);
  };
  maker.release = [](void* owner, ImageTarget& target) { static_cast<GpuPictures*>(owner)->release(target); };
  return maker;
}

void GpuPictures::release(ImageTarget& target) {
  retired_.push_back(target);
  target = ImageTarget{};
  tidy();
}

void GpuPictures::tidy() {
  if (retired_.empty() || !surface_) return;
  const auto known = [&](const ImageTarget& target) {
    return std::find_if(shared_.begin(), shared_.end(),
                        [&](const ImageTarget& one) { return same(one, target); });
  };
  std::vector<ImageTarget> waiting;
  for (ImageTarget& target : retired_) {
    const auto shared = known(target);
    if (shared != shared_.end()) {
      if (!forget_picture(*session_, target)) {
        waiting.push_back(target);
        continue;
      }
      shared_.erase(shared);
    }
    surface_->release_image(target);
  }
  retired_ = std::move(waiting);
}

void GpuPictures::close() {
  if (!session_ || !surface_) return;
  for (const ImageTarget& target : shared_) forget_picture_in_time(*session_, target);
  shared_.clear();
  colours_.reset();
  newest_.reset();
  tidy();
}

}  // namespace warpbook::ui
