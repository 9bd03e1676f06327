#include "lab/gpu_picture.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/version.h"
#include "device/cuda_colours.h"
#include "device/cuda_device.h"

namespace warpbook {

namespace {

void forget(Session& session, const ImageTarget& target) {
  if (session.gpu_device) session.gpu_device->forget_image(target);
}

/// The plan with its buffers found; nullopt when the run has not all of them.
std::optional<ColourPlan> plan_of(const GpuRun& run, const PictureOrder& order) {
  const auto find = [&](const std::string& buffer, NumbersAt& at) {
    if (buffer.empty()) return true;
    const auto found = std::find_if(run.buffers.begin(), run.buffers.end(),
                                    [&](const auto& one) { return one.first == buffer; });
    const auto type = order.types.find(buffer);
    if (found == run.buffers.end()) return false;
    if (type == order.types.end() && order.colouring.kind != Colouring::Kind::pixels) return false;
    at = {found->second, type == order.types.end() ? ElementType::u32 : type->second};
    return true;
  };
  const Colouring& wanted = order.colouring;
  ColourPlan plan;
  plan.code = order.colours;
  plan.colouring = &wanted;
  const bool all = !wanted.buffer.empty() && find(wanted.buffer, plan.numbers) &&
                   find(wanted.reference, plan.reference) && find(wanted.left, plan.left) &&
                   find(wanted.right, plan.right);
  return all ? std::optional(plan) : std::nullopt;
}

Result<ColouredImage> write(Device& device, const ColourPlan& plan, const ImageTarget& target, ImageWay way) {
  if (plan.colouring->kind != Colouring::Kind::pixels) return write_coloured(device, plan, target, way);
  auto outcome = device.write_image(target, plan.numbers.address, way);
  if (!outcome) return outcome.error();
  return ColouredImage{std::move(*outcome), {}};
}

/// Twice each: the first time of a way pays for what is set up once, the second is what it costs.
void try_both_ways(Device& device, const ColourPlan& plan, const ImageTarget& target) {
  for (const ImageWay way : {ImageWay::through_host, ImageWay::without_copy})
    for (int time = 0; time < 2; ++time)
      if (!write(device, plan, target, way).ok()) break;
}

}  // namespace

ShownPicture show_picture(Session& session, const GpuRun& run, const PictureOrder& order,
                          const ImageTarget& target, ImageWay way, bool first) {
  using State = ShownPicture::State;
  const auto plan = plan_of(run, order);
  if (!plan) return {};
  const bool numbers = order.colouring.kind != Colouring::Kind::pixels;
  if (numbers && (!order.colours || run.own_process)) return {};
  const std::unique_lock lock(session.gpu_busy, std::try_to_lock);
  if (!lock) return {State::at_work, {}, {}};
  Device* device = run.own_process ? session.gpu_child.get() : session.gpu_device.get();
  if (!device || session.gpu_uses != run.use) return {};
  if (first && !run.own_process) try_both_ways(*device, *plan, target);
  auto image = write(*device, *plan, target, way);
  if (!image) return {};
  return {State::shown, std::move(image->outcome), image->facts};
}

Result<CompiledCode> compile_colours(Session& session) {
  const std::lock_guard lock(session.busy);
  if (!session.gpu_device)
    return Error{"There is no GPU to colour pictures on.", Trouble::unsupported, {}, {}};
  const Path file = session.options.root / "assets" / "colours.cu";
  auto source = read_file(file);
  if (!source) return source.error();
  const Capabilities& gpu = session.gpu_device->capabilities();
  CompileRequest request;
  request.source = std::move(*source);
  request.file = file.string();
  // PTX runs on every GPU at least as new as its target.
  const std::string usual = session.device->capabilities().compute;
  request.compute = version_number(gpu.compute) < version_number(usual) ? gpu.compute : usual;
  auto outcome = session.compiler->compile(request);
  if (outcome && outcome->code && newer_than_driver(outcome->code->ptx, gpu)) {
    request.compute = gpu.compute;
    request.machine_code = true;
    outcome = session.compiler->compile(request);
  }
  if (!outcome) return outcome.error();
  if (!outcome->code)
    return Error{"The kernels that colour pictures do not compile here.", Trouble::unsupported, {}, {}};
  return std::move(*outcome->code);
}

std::map<std::string, ElementType> buffer_types(const std::vector<std::string>& specs) {
  std::map<std::string, ElementType> types;
  for (const std::string& spec : specs) {
    const size_t start = spec.find("=buf:"), end = spec.find('[', start);
    if (start == std::string::npos || end == std::string::npos) continue;
    if (const auto type = element_type_named(spec.substr(start + 5, end - start - 5)))
      types[std::string(trim(std::string_view(spec).substr(0, start)))] = *type;
  }
  return types;
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
