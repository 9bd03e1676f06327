#pragma once
// What a run left on the GPU, in a texture. The window's way to a Device: it asks here, and never waits for a
// GPU that is at work.
#include <map>
#include <string>
#include <vector>

#include "lab/run.h"
#include "result/colouring.h"
#include "result/image_target.h"

namespace warpbook {

/// What a picture is made from and how.
struct PictureOrder {
  Colouring colouring;
  std::map<std::string, ElementType> types;  ///< of the run's buffers
  const CompiledCode* colours = nullptr;     ///< for numbers; null = only pixels can be shown
};

struct ShownPicture {
  enum class State {
    shown,
    at_work,  ///< the GPU is: ask again later
    gone      ///< the buffers are another run's now, or the picture could not be made
  };
  State state = State::gone;
  ImageOutcome outcome;  ///< when shown
  ColouredFacts facts;   ///< ... of numbers
};

/// Buffers of that run, on the thread whose GL context is current. `first`: the texture is new, and both ways
/// are tried in it, so that the outcome has the cost of each. Numbers are coloured by a GPU in this process
/// alone.
ShownPicture show_picture(Session& session, const GpuRun& run, const PictureOrder& order,
                          const ImageTarget& target, ImageWay way, bool first);

/// assets/colours.cu for the session's GPU. Compiles, so not on a thread that draws.
Result<CompiledCode> compile_colours(Session& session);
/// Types of the buffers among argument SPECs.
std::map<std::string, ElementType> buffer_types(const std::vector<std::string>& specs);

/// Before the texture ends; false when the GPU is at work: ask again later.
bool forget_picture(Session& session, const ImageTarget& target);
/// The same, waiting for as long as that takes.
void forget_picture_in_time(Session& session, const ImageTarget& target);

}  // namespace warpbook
