#pragma once
// Numbers that a kernel left on the GPU, coloured there and shown in a texture (assets/colours.cu).
#include <memory>

#include "device/device.h"
#include "result/colouring.h"
#include "result/element.h"

namespace warpbook {

/// Where a buffer's numbers lie.
struct NumbersAt {
  DeviceAddress address = 0;
  ElementType type = ElementType::f32;
};

struct ColourPlan {
  const CompiledCode* code = nullptr;  ///< of assets/colours.cu
  const Colouring* colouring = nullptr;
  NumbersAt numbers, reference, left, right;  ///< of the colouring's buffers
};

struct ColouredImage {
  ImageOutcome outcome;  ///< both costs with the colouring, which both ways need
  ColouredFacts facts;
};

/// As Device::write_image, of numbers. Errors: also a device that is no GPU in this process.
Result<ColouredImage> write_coloured(Device& device, const ColourPlan& plan, const ImageTarget& target,
                                     ImageWay way);

namespace cuda {

class GpuContext;
class LoadedModule;

/// The colouring kernels in a context, and memory for the pixels. In the context, all of it.
class Colours {
 public:
  explicit Colours(GpuContext& context);
  ~Colours();
  Colours(const Colours&) = delete;
  Colours& operator=(const Colours&) = delete;

  /// The address of width x height RGBA8 pixels, until the next call.
  Result<DeviceAddress> paint(const ColourPlan& plan, uint32_t width, uint32_t height, ColouredFacts& facts);

 private:
  Result<Done> load(const CompiledCode& code);
  Result<Done> make_room(uint64_t bytes);
  GpuContext& context_;
  std::unique_ptr<LoadedModule> module_;
  std::string loaded_;  ///< the PTX that it is of
  DeviceAddress memory_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace cuda
}  // namespace warpbook
