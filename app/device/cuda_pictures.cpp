// The two ways of a picture. The order within the first is what the driver demands: register, map, ask for
// the array or pointer, copy, unmap; the texture is drawn after the unmap (CUDA driver API, "Graphics
// Interoperability").
#include "device/cuda_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/clock.h"

namespace warpbook::cuda {

Pictures::~Pictures() {
  if (context_.stuck()) return;
  const GpuContext::Current here(context_);
  if (!here.entered()) return;
  for (auto& [key, link] : links_) release(link);
}

Pictures::Key Pictures::key_of(const ImageTarget& target) {
  return {target.handle, target.generation, target.width, target.height};
}

void Pictures::release(Link& link) {
  if (link.resource != nullptr) context_.note(context_.driver().unregister(link.resource));
  link.resource = nullptr;
}

/// Registering a texture of another GPU's OpenGL fails with a code that says little, so it is asked first.
std::string Pictures::why_not_here() const {
  const Driver& driver = context_.driver();
  if (!driver.has_graphics()) return "This driver has no functions for sharing pictures with OpenGL.";
  if (driver.gl_devices == nullptr) return {};
  std::vector<DeviceNumber> devices(16, -1);
  unsigned count = 0;
  const Code code = driver.gl_devices(&count, devices.data(), unsigned(devices.size()), gl_devices_all);
  if (code == code::success) {
    devices.resize(std::min<size_t>(count, devices.size()));
    if (std::find(devices.begin(), devices.end(), context_.device()) != devices.end()) return {};
    return "OpenGL is drawn by something else than this GPU, so pictures are copied through the host.";
  }
  if (code == code::no_device || code == code::invalid_graphics_context)
    return "OpenGL is not drawn by an NVIDIA GPU, so pictures are copied through the host.";
  return driver.trouble("tell whether it draws", code).message;
}

Pictures::Link& Pictures::link(const ImageTarget& target) {
  const Key key = key_of(target);
  const auto known = links_.find(key);
  if (known != links_.end()) return known->second;
  // The same texture in another size or another life: the registration of before must not stay.
  for (auto other = links_.begin(); other != links_.end();) {
    if (std::get<0>(other->first) == target.handle) {
      release(other->second);
      other = links_.erase(other);
    } else {
      ++other;
    }
  }
  return links_[key];
}

/// Once for each texture; a refusal is kept, since asking again at each frame would only cost time.
void Pictures::share(const ImageTarget& target, Link& link) {
  if (link.asked) return;
  link.asked = true;
  link.refused = why_not_here();
  if (!link.refused.empty()) return;
  const Driver& driver = context_.driver();
  Code code =
      driver.register_image(&link.resource, unsigned(target.handle), gl_texture_2d, register_write_discard);
  if (code == code::success) return;
  link.resource = nullptr;
  link.refused = driver.trouble("share the texture with OpenGL", code).message;
  context_.note(code);
  if (target.pixel_buffer == 0 || target.unpack == nullptr || context_.lost()) return;
  code = driver.register_buffer(&link.resource, unsigned(target.pixel_buffer), register_write_discard);
  context_.note(code);
  if (code == code::success) {
    link.is_buffer = true;
    link.refused.clear();
  } else {
    link.resource = nullptr;
  }
}

/// While mapped.
Result<Done> Pictures::copy_into(const ImageTarget& target, const Link& link, Pointer from) {
  const Driver& driver = context_.driver();
  Copy2D copy;
  copy.source_kind = memory_device;
  copy.source_device = from;
  copy.source_pitch = copy.width_bytes = size_t(target.width) * 4;
  copy.height = target.height;
  if (link.is_buffer) {
    size_t bytes = 0;
    copy.target_kind = memory_device;
    const Code code = driver.mapped_pointer(&copy.target_device, &bytes, link.resource);
    if (const auto done = context_.check("tell where the pixel buffer is", code); !done) return done;
    copy.target_pitch = copy.width_bytes;
    if (bytes < copy.width_bytes * copy.height)
      return Error{fmt::format("The pixel buffer has {} bytes and the picture {}.", bytes,
                               copy.width_bytes * copy.height),
                   Trouble::bad_input,
                   {},
                   {}};
  } else {
    copy.target_kind = memory_array;
    const Code code = driver.mapped_array(&copy.target_array, link.resource, 0, 0);
    if (const auto done = context_.check("tell where the texture is", code); !done) return done;
  }
  return context_.check("copy the picture", driver.copy_2d(&copy, context_.stream()));
}

Result<Done> Pictures::copy_within(const ImageTarget& target, const Link& link, Pointer from) {
  const Driver& driver = context_.driver();
  GraphicsResource resource = link.resource;
  if (const auto mapped =
          context_.check("take the texture from OpenGL", driver.map(1, &resource, context_.stream()));
      !mapped)
    return mapped;
  auto copied = copy_into(target, link, from);
  // Unmapped whatever happened, so that OpenGL gets its texture back.
  const auto unmapped =
      context_.check("give the texture back to OpenGL", driver.unmap(1, &resource, context_.stream()));
  if (!copied) return copied;
  if (!unmapped) return unmapped;
  if (const auto done = context_.check("copy the picture", context_.wait(std::chrono::seconds(10))); !done)
    return done;
  if (link.is_buffer) target.unpack(target.owner, target);
  return Done{};
}

Result<Done> Pictures::copy_through_host(const ImageTarget& target, Pointer from) {
  if (target.upload == nullptr)
    return Error{"The picture has no place to be drawn to.", Trouble::unsupported, {}, {}};
  const size_t bytes = size_t(target.width) * target.height * 4;
  const auto memory = pinned_.at_least(bytes);
  if (!memory) return memory.error();
  const Code code = context_.driver().copy_out(*memory, from, bytes, context_.stream());
  if (const auto done = context_.check("copy the picture to the host", code); !done) return done;
  if (const auto done =
          context_.check("copy the picture to the host", context_.wait(std::chrono::seconds(10)));
      !done)
    return done;
  target.upload(target.owner, target, reinterpret_cast<const uint32_t*>(*memory));
  return Done{};
}

Result<ImageOutcome> Pictures::write(const ImageTarget& target, Pointer from, ImageWay way) {
  Link& made = link(target);
  std::string why;
  const auto outcome = [&](const char* taken) {
    return ImageOutcome{taken, why, made.without_copy_ms, made.through_host_ms};
  };
  if (way != ImageWay::through_host) {
    share(target, made);
    why = made.refused;
    if (why.empty()) {
      const auto start = Clock::now();
      const auto done = copy_within(target, made, from);
      if (done) {
        made.without_copy_ms = milliseconds_since(start);
        return outcome(made.is_buffer ? "pixel buffer" : "texture");
      }
      if (context_.lost()) return done.error();
      why = done.error().message;
      release(made);
      made.refused = why;
    }
    if (context_.lost()) return Error{why, Trouble::unsupported, {}, {}};
    if (way == ImageWay::without_copy) return Error{why, Trouble::unsupported, {}, {}};
  }
  const auto start = Clock::now();
  if (const auto done = copy_through_host(target, from); !done) return done.error();
  made.through_host_ms = milliseconds_since(start);
  return outcome("host copy");
}

void Pictures::forget(const ImageTarget& target) {
  const auto found = links_.find(key_of(target));
  if (found == links_.end()) return;
  release(found->second);
  links_.erase(found);
}

}  // namespace warpbook::cuda
