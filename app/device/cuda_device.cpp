// Loads, buffers, copies, launches and pictures on one GPU.
#include "device/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/clock.h"
#include "base/text.h"
#include "device/cuda_colours.h"
#include "device/cuda_gpus.h"
#include "device/cuda_inside.h"
#include "device/cuda_measure.h"
#include "device/cuda_module.h"
#include "device/cuda_pictures.h"
#include "device/cuda_timer.h"

namespace warpbook {

namespace {

using namespace cuda;
void add_to(std::optional<double>& sum, double more) { sum = sum.value_or(0) + more; }

class CudaDevice final : public Device {
 public:
  CudaDevice(std::shared_ptr<const Driver> driver, FoundGpu gpu, DeviceNumber number, CudaOptions options)
      : driver_(std::move(driver)),
        gpu_(std::move(gpu)),
        number_(number),
        options_(std::move(options)),
        limits_(limits_of(gpu_)) {
    capabilities_ = capabilities_of(gpu_);
  }
  ~CudaDevice() override { close(); }

  const Capabilities& capabilities() const override { return capabilities_; }

  Result<Done> load(const CompiledCode& code) override {
    if (auto open = in_context(); !open) return open;
    const GpuContext::Current here(*context_);
    if (!here.entered()) return here.entered();
    times_ = {};
    const auto start = Clock::now();
    if (!module_) module_ = std::move(kept_);
    // Code that keeps nothing between launches is as good as loaded anew; a picture that follows a control
    // must not wait for the driver's compiler.
    const bool again =
        module_ && !module_->keeps_state() && loaded_ptx_ == code.ptx && loaded_names_ == code.names;
    if (!again) {
      module_.reset();
      auto loaded = LoadedModule::load(*context_, parsed_, code);
      if (!loaded) return loaded.error();
      module_ = std::move(*loaded);
      loaded_ptx_ = code.ptx;
      loaded_names_ = code.names;
    }
    times_.load_ms = milliseconds_since(start);
    times_.load_note = module_->note();
    return Done{};
  }

  std::vector<KernelInfo> kernels() const override {
    return module_ ? module_->kernels() : std::vector<KernelInfo>{};
  }

  Result<DeviceAddress> allocate(uint64_t bytes, const std::string& name, uint32_t) override {
    if (auto open = in_context(); !open) return open.error();
    uint64_t in_use = 0;
    for (const auto& [address, size] : buffers_) in_use += size;
    if (options_.max_bytes != 0 && in_use + bytes > options_.max_bytes)
      return Error{fmt::format("{} needs {} bytes; all buffers together may take {}.", name, bytes,
                               options_.max_bytes),
                   Trouble::limit,
                   {},
                   "Use fewer elements."};
    const GpuContext::Current here(*context_);
    if (!here.entered()) return here.entered().error();
    Pointer address = 0;
    const Code code = driver_->allocate(&address, std::max<uint64_t>(bytes, 1));
    if (const auto done = context_->check(fmt::format("get memory for {}", name), code); !done)
      return done.error();
    buffers_[address] = bytes;
    // The emulator's poison: what a kernel does not write looks alike on both engines.
    if (bytes > 0) {
      const Code filled = driver_->fill(address, 0xCD, bytes, context_->stream());
      if (const auto done = context_->check(fmt::format("fill the memory for {}", name), filled); !done)
        return done.error();
    }
    return address;
  }

  Result<Done> free(DeviceAddress address) override {
    if (auto open = in_context(); !open) return open;
    if (buffers_.erase(address) == 0) return no_buffer(address);
    const GpuContext::Current here(*context_);
    if (!here.entered()) return here.entered();
    return context_->check("free memory", driver_->free(address));
  }

  Result<Done> copy_in(DeviceAddress to, std::span<const std::byte> bytes) override {
    if (auto fits = in_buffer(to, bytes.size()); !fits || bytes.empty()) return fits;
    const GpuContext::Current here(*context_);
    if (!here.entered()) return here.entered();
    const auto start = Clock::now();
    const Code code = driver_->copy_in(to, bytes.data(), bytes.size(), context_->stream());
    auto done = waited("copy to the GPU", code);
    add_to(times_.copy_in_ms, milliseconds_since(start));
    return done;
  }

  Result<Done> copy_out(DeviceAddress from, std::span<std::byte> bytes) override {
    if (auto fits = in_buffer(from, bytes.size()); !fits || bytes.empty()) return fits;
    const GpuContext::Current here(*context_);
    if (!here.entered()) return here.entered();
    const auto start = Clock::now();
    const Code code = driver_->copy_out(bytes.data(), from, bytes.size(), context_->stream());
    auto done = waited("copy from the GPU", code);
    add_to(times_.copy_out_ms, milliseconds_since(start));
    return done;
  }

  void reset() override {
    times_ = {};
    if (!context_ || context_->lost()) {
      close();
      return;
    }
    const GpuContext::Current here(*context_);
    if (module_) kept_ = std::move(module_);
    for (const auto& [address, bytes] : buffers_)
      if (here.entered()) context_->note(driver_->free(address));
    buffers_.clear();
  }

  Result<LaunchOutcome> launch(const std::string& kernel, const Launch& launch,
                               std::span<const KernelArgument> arguments,
                               const std::atomic<bool>* stop) override {
    LaunchOutcome outcome;
    outcome.times = times_;
    if (auto refused = refusal(kernel, launch)) {
      outcome.report.status = RunStatus::launch_error;
      outcome.report.diagnostics.push_back(std::move(*refused));
      return outcome;
    }
    if (auto ready = ready_to_launch(); !ready) return ready.error();
    const GpuContext::Current here(*context_);
    if (!here.entered()) return here.entered().error();
    auto plan = LaunchPlan::make(*context_, *module_, kernel, launch, arguments);
    if (!plan) return plan.error();
    auto timer = Timer::make(*context_);
    if (!timer) return timer.error();
    const auto start = Clock::now();
    if (const auto done = context_->check("record an event", (*timer)->start()); !done) return done.error();
    Code code = plan->enqueue();
    if (code == code::success) code = (*timer)->stop();
    context_->note(code);
    if (code == code::success) code = context_->wait(options_.max_time, stop);
    outcome.report.wall_ms = milliseconds_since(start);
    if (code == code::not_ready) {
      outcome.report.status = RunStatus::cancelled;
      return outcome;
    }
    if (context_->stuck()) {
      outcome.report.status = RunStatus::limit;
      outcome.report.diagnostics.push_back(too_long(kernel));
      return outcome;
    }
    if (is_sticky(code) || code == code::launch_out_of_resources) {
      outcome.report.status = is_sticky(code) ? RunStatus::fault : RunStatus::launch_error;
      outcome.report.diagnostics.push_back(gpu_fault(code, kernel));
      return outcome;
    }
    if (const auto done = context_->check("run the kernel", code); !done) return done.error();
    const auto time = (*timer)->milliseconds();
    if (!time) return time.error();
    outcome.times.kernel_ms = *time;
    outcome.times.stamp = fmt::format("measured ({})", gpu_.name);
    outcome.report.counters.blocks = launch.grid.count();
    outcome.report.counters.threads = launch.grid.count() * launch.block.count();
    return outcome;
  }

  Result<Measured> measure(const std::string& kernel, const Launch& launch,
                           std::span<const KernelArgument> arguments, const MeasureRequest& request,
                           const std::atomic<bool>* stop) override {
    if (auto ready = ready_to_launch(); !ready) return ready.error();
    const GpuContext::Current here(*context_);
    if (!here.entered()) return here.entered().error();
    auto plan = LaunchPlan::make(*context_, *module_, kernel, launch, arguments);
    if (!plan) return plan.error();
    MeasureOrder order{request, options_.max_time, &buffers_, uint64_t(limits_.l2_mb * (1 << 20)),
                       module_->keeps_state()};
    auto measured = measure_launches(*context_, *plan, order, stop);
    if (!measured) return measured.error();
    if (!launch_us_) {
      const auto overhead = launch_overhead_us(*context_);
      if (overhead) launch_us_ = *overhead;
      if (context_->lost()) return overhead ? stuck_or_lost() : overhead.error();
    }
    measured->launch_us = launch_us_;
    const ClockState clocks = clocks_now(gpu_.uuid);
    measured->sm_mhz = clocks.sm_mhz;
    measured->memory_mhz = clocks.memory_mhz;
    return measured;
  }

  Result<ImageOutcome> write_image(const ImageTarget& target, DeviceAddress from, ImageWay way) override {
    if (auto fits = in_buffer(from, uint64_t(target.width) * target.height * 4); !fits) return fits.error();
    const GpuContext::Current here(*context_);
    if (!here.entered()) return here.entered().error();
    if (!pictures_) pictures_ = std::make_unique<Pictures>(*context_);
    return pictures_->write(target, from, way);
  }

  Result<ColouredImage> write_coloured(const ColourPlan& plan, const ImageTarget& target, ImageWay way) {
    const Colouring& colouring = *plan.colouring;
    const uint64_t elements = uint64_t(target.width) * target.height;
    const auto there = [&](const NumbersAt& numbers, uint64_t count) {
      return in_buffer(numbers.address, count * bytes_of(numbers.type));
    };
    if (auto fits = there(plan.numbers, elements); !fits) return fits.error();
    if (colouring.kind == Colouring::Kind::difference) {
      const bool product = colouring.reference.empty();
      if (auto fits =
              product ? there(plan.left, target.height * colouring.inner) : there(plan.reference, elements);
          !fits)
        return fits.error();
      if (auto fits = product ? there(plan.right, colouring.inner * target.width) : Result<Done>(Done{});
          !fits)
        return fits.error();
    }
    const GpuContext::Current here(*context_);
    if (!here.entered()) return here.entered().error();
    if (!colours_) colours_ = std::make_unique<Colours>(*context_);
    if (!pictures_) pictures_ = std::make_unique<Pictures>(*context_);
    ColouredImage image;
    const auto start = Clock::now();
    const auto pixels = colours_->paint(plan, target.width, target.height, image.facts);
    if (!pixels) return pixels.error();
    const double colouring_ms = milliseconds_since(start);
    auto outcome = pictures_->write(target, *pixels, way);
    if (!outcome) return outcome.error();
    image.outcome = std::move(*outcome);
    for (std::optional<double>* cost : {&image.outcome.without_copy_ms, &image.outcome.through_host_ms})
      if (*cost) **cost += colouring_ms;
    return image;
  }

  void forget_image(const ImageTarget& target) override {
    if (!pictures_ || !context_ || context_->stuck()) return;
    const GpuContext::Current here(*context_);
    if (here.entered()) pictures_->forget(target);
  }

  Times times() const override { return times_; }

  GpuContext* context() { return in_context() ? context_.get() : nullptr; }

 private:
  /// Opens the context on first use and again after a fault.
  Result<Done> in_context() {
    if (context_ && context_->stuck()) return stuck();
    if (context_ && context_->lost()) close();
    if (context_) return Done{};
    auto opened = GpuContext::open(driver_, number_);
    if (!opened) return opened.error();
    context_ = std::move(*opened);
    const GpuContext::Current here(*context_);
    if (!here.entered()) return here.entered();
    // A driver that keeps its own heap size is no reason to run nothing.
    context_->note(driver_->context_set_limit(limit::heap_bytes, options_.heap_bytes));
    if (context_->lost()) return stuck_or_lost();
    return Done{};
  }

  void close() {
    if (context_ && !context_->lost()) {
      const GpuContext::Current here(*context_);
      for (const auto& [address, bytes] : buffers_)
        if (here.entered()) context_->note(driver_->free(address));
    }
    buffers_.clear();
    pictures_.reset();
    colours_.reset();
    module_.reset();
    kept_.reset();
    // A context with a kernel that does not end stays, as what tells that there is no other to be had;
    // nothing that goes here touches the driver then.
    if (context_ && !context_->stuck()) context_.reset();
  }

  Error stuck() const {
    return Error{"The GPU still works on a kernel that did not end.",
                 Trouble::unsupported,
                 {},
                 "Restart Warpbook to use the GPU again; the emulator works meanwhile."};
  }
  Error stuck_or_lost() const {
    return Error{"The GPU's context is not usable any more.", Trouble::unsupported, {}, "Run it again."};
  }
  Error no_buffer(DeviceAddress address) const {
    return Error{
        fmt::format("There is no buffer at address {:#x} on the GPU.", address), Trouble::bad_input, {}, {}};
  }

  /// The context as it is: what a fault took with it must be loaded and copied again first.
  Result<Done> usable() const {
    if (context_ && context_->stuck()) return stuck();
    if (!context_ || context_->lost()) return stuck_or_lost();
    return Done{};
  }
  Result<Done> ready_to_launch() const {
    if (!module_)
      return Error{"No code is loaded, so there is no kernel to launch.", Trouble::bad_input, {}, {}};
    return usable();
  }
  Result<Done> in_buffer(DeviceAddress address, uint64_t bytes) const {
    if (auto there = usable(); !there) return there;
    auto after = buffers_.upper_bound(address);
    if (after == buffers_.begin()) return no_buffer(address);
    const auto& [start, size] = *--after;
    if (address - start > size || bytes > size - (address - start))
      return Error{
          fmt::format("{} bytes at address {:#x} reach past the end of their buffer.", bytes, address),
          Trouble::bad_input,
          {},
          {}};
    return Done{};
  }
  Result<Done> waited(const char* doing, Code code) {
    if (auto done = context_->check(doing, code); !done) return done;
    return context_->check(doing, context_->wait());
  }

  std::optional<Diagnosis> refusal(const std::string& kernel, const Launch& launch) const {
    return module_ ? module_->refuse(kernel, launch, limits_) : std::nullopt;
  }

  Diagnosis too_long(const std::string& kernel) const {
    Diagnosis d;
    d.kind = "long-loop";
    d.severity = Severity::note;
    d.access = "launch";
    d.message = fmt::format("{} did not end on the GPU within {:.0f} s and was given up.", kernel,
                            double(options_.max_time.count()) / 1000);
    d.hint = "A loop that never ends looks like this, and so does more work than the time allows.";
    return d;
  }

  std::shared_ptr<const Driver> driver_;
  FoundGpu gpu_;
  DeviceNumber number_;
  CudaOptions options_;
  GpuRow limits_;
  Capabilities capabilities_;
  Times times_;
  ModuleCache parsed_;
  std::optional<double> launch_us_;
  std::map<Pointer, uint64_t> buffers_;  ///< address to bytes
  std::unique_ptr<GpuContext> context_;
  std::unique_ptr<LoadedModule> module_;  // after the context: destroyed before it
  std::unique_ptr<LoadedModule> kept_;    ///< of before the last reset
  std::string loaded_ptx_;                ///< what the newest of the two was made from
  std::vector<std::pair<std::string, std::string>> loaded_names_;
  std::unique_ptr<Pictures> pictures_;
  std::unique_ptr<Colours> colours_;
};

}  // namespace

cuda::GpuContext* cuda::context_of(Device& device) {
  auto* gpu = dynamic_cast<CudaDevice*>(&device);
  return gpu ? gpu->context() : nullptr;
}

Result<ColouredImage> write_coloured(Device& device, const ColourPlan& plan, const ImageTarget& target,
                                     ImageWay way) {
  auto* gpu = dynamic_cast<CudaDevice*>(&device);
  if (!gpu)
    return Error{"Only a GPU in this process colours its pictures itself.", Trouble::unsupported, {}, {}};
  return gpu->write_coloured(plan, target, way);
}

bool newer_than_driver(const std::string& ptx, const Capabilities& gpu) {
  const auto parts = split(gpu.cuda_version, '.');
  const auto major = parse_int(parts[0]), minor = parts.size() > 1 ? parse_int(parts[1]) : std::nullopt;
  const int known = major && minor ? ptx_version_of(int(*major * 1000 + *minor * 10)) : 0;
  return known > 0 && known < ptx_version_in(ptx);
}

Diagnosis gpu_fault(int code, const std::string& kernel) {
  Diagnosis d;
  d.access = "launch";
  switch (code) {
    case code::assert_failed: d.kind = "assert"; break;
    case code::illegal_instruction: d.kind = "trap"; break;
    case code::hardware_stack_error: d.kind = "stack-overflow"; break;
    case code::launch_out_of_resources: d.kind = "block-too-large"; break;
    default: d.kind = "gpu-fault"; break;
  }
  d.message = fmt::format("On the GPU, {} ended early: {}.", kernel,
                          words_of(code).empty() ? "the driver tells no reason" : words_of(code));
  d.hint = advice_on(code).empty() ? "A GPU does not tell which thread or line it was; the emulator does."
                                   : std::string(advice_on(code));
  return d;
}

Result<std::unique_ptr<Device>> make_cuda_device(const CudaOptions& options) {
  auto driver = Driver::open();
  if (!driver) return driver.error();
  auto gpus = gpus_of(**driver);
  if (!gpus) return gpus.error();
  auto gpu = choose_gpu(*gpus, options.gpu);
  if (!gpu) return gpu.error();
  DeviceNumber number = 0;
  if (const Code code = (*driver)->device_get(&number, gpu->number); code != code::success)
    return (*driver)->trouble(fmt::format("be found under number {}", gpu->number), code);
  return std::unique_ptr<Device>(
      std::make_unique<CudaDevice>(std::move(*driver), std::move(*gpu), number, options));
}

}  // namespace warpbook
