#pragma once
// What a run left on the GPU, in a texture. The window's way to a Device: it asks here, and never waits for a
// GPU that is at work.
#include <string>

#include "lab/run.h"
#include "result/image_target.h"

namespace warpbook {

struct ShownBuffer {
  enum class State {
    shown,
    at_work,  ///< the GPU is: ask again later
    gone      ///< the buffers are another run's now, or the picture could not be written
  };
  State state = State::gone;
  ImageOutcome outcome;  ///< when shown
};

/// A buffer of RGBA8 pixels of that run, on the thread whose GL context is current. `first`: the texture is
/// new, and both ways are tried in it, so that the outcome has the cost of each.
ShownBuffer show_buffer(Session& session, const GpuRun& run, const std::string& buffer,
                        const ImageTarget& target, ImageWay way, bool first);

/// Before the texture ends; false when the GPU is at work: ask again later.
bool forget_picture(Session& session, const ImageTarget& target);
/// The same, waiting for as long as that takes.
void forget_picture_in_time(Session& session, const ImageTarget& target);

}  // namespace warpbook
