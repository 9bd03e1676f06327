#include "lab/gpu_picture.h"

#include <algorithm>

namespace warpbook {

namespace {

void forget(Session& session, const ImageTarget& target) {
  if (session.gpu_device) session.gpu_device->forget_image(target);
}

/// Twice each: the first time of a way pays for what is set up once, the second is what it costs.
void try_both_ways(Device& device, const ImageTarget& target, DeviceAddress from) {
  for (const ImageWay way : {ImageWay::through_host, ImageWay::without_copy})
    for (int time = 0; time < 2; ++time)
      if (!device.write_image(target, from, way).ok()) break;
}

}  // namespace

ShownBuffer show_buffer(Session& session, const GpuRun& run, const std::string& buffer,
                        const ImageTarget& target, ImageWay way, bool first) {
  using State = ShownBuffer::State;
  const auto found = std::find_if(run.buffers.begin(), run.buffers.end(),
                                  [&](const auto& one) { return one.first == buffer; });
  if (found == run.buffers.end()) return {State::gone, {}};
  const std::unique_lock lock(session.gpu_busy, std::try_to_lock);
  if (!lock) return {State::at_work, {}};
  Device* device = run.own_process ? session.gpu_child.get() : session.gpu_device.get();
  if (!device || session.gpu_uses != run.use) return {State::gone, {}};
  if (first && !run.own_process) try_both_ways(*device, target, found->second);
  auto outcome = device->write_image(target, found->second, way);
  if (!outcome) return {State::gone, {}};
  return {State::shown, std::move(*outcome)};
}

bool forget_picture(Session& session, const ImageTarget& target) {
  const std::unique_lock lock(session.gpu_busy, std::try_to_lock);
  if (lock) forget(session, target);
  return bool(lock);
}

void forget_picture_in_time(Session& session, const ImageTarget& target) {
  const std::lock_guard lock(session.gpu_busy);
  forget(session, target);
}

}  // namespace warpbook
