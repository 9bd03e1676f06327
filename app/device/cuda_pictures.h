#pragma once
// Pictures from a GPU's memory to OpenGL textures: registered once, mapped, copied on the device, unmapped;
// through pinned host memory where the two do not share.
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "device/cuda_context.h"
#include "result/image_target.h"

namespace warpbook::cuda {

class Pictures {
 public:
  explicit Pictures(GpuContext& context) : context_(context), pinned_(context) {}
  ~Pictures();
  Pictures(const Pictures&) = delete;
  Pictures& operator=(const Pictures&) = delete;

  /// In the context, on the thread whose GL context is current.
  Result<ImageOutcome> write(const ImageTarget& target, Pointer from, ImageWay way);
  void forget(const ImageTarget& target);

 private:
  /// handle, generation, width, height: another size or generation is another object.
  using Key = std::tuple<uint64_t, uint64_t, uint32_t, uint32_t>;
  struct Link {
    bool asked = false;                   ///< OpenGL was asked to share it
    GraphicsResource resource = nullptr;  ///< null: refused
    bool is_buffer = false;
    std::string refused;                                     ///< why, in a sentence
    std::optional<double> without_copy_ms, through_host_ms;  ///< when last taken
  };
  static Key key_of(const ImageTarget& target);
  Link& link(const ImageTarget& target);
  void share(const ImageTarget& target, Link& link);
  std::string why_not_here() const;
  Result<Done> copy_within(const ImageTarget& target, const Link& link, Pointer from);
  Result<Done> copy_into(const ImageTarget& target, const Link& link, Pointer from);
  Result<Done> copy_through_host(const ImageTarget& target, Pointer from);
  void release(Link& link);

  GpuContext& context_;
  PinnedMemory pinned_;
  std::map<Key, Link> links_;
};

}  // namespace warpbook::cuda
