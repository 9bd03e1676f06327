// The emulator as a Device, and as the Inspector that no other engine has.
#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "device/device.h"
#include "device/module_cache.h"
#include "device/resources.h"
#include "simt/families.h"
#include "simt/trace.h"

namespace warpbook {

namespace {

void add_to(std::optional<double>& sum, double more) { sum = sum.value_or(0) + more; }

class EmulatedDevice final : public Device, public Inspector {
 public:
  explicit EmulatedDevice(const GpuRow& gpu) {
    capabilities_.engine = "emulator";
    capabilities_.emulated = true;
    capabilities_.counters = true;
    capabilities_.debugging = true;
    capabilities_.why_no_interop = "The emulator copies pictures through the host.";
    reset();
    set_gpu(gpu);
  }

  const Capabilities& capabilities() const override { return capabilities_; }

  Result<Done> load(const CompiledCode& code) override {
    const auto start = Clock::now();
    instance_.reset();
    module_.reset();
    names_.clear();
    times_ = {};
    auto loaded = modules_.load(code.ptx);
    if (!loaded) return loaded.error();
    auto instance = simt::instantiate(*loaded, *memory_);
    if (!instance) return instance.error();
    module_ = std::move(*loaded);
    instance_ = std::move(*instance);
    names_ = code.names;
    times_.load_ms = milliseconds_since(start);
    return Done{};
  }

  std::vector<KernelInfo> kernels() const override {
    return module_ ? simt::kernels_of(*module_) : std::vector<KernelInfo>{};
  }

  Result<DeviceAddress> allocate(uint64_t bytes, const std::string& name, uint32_t element_bytes) override {
    return memory_->allocate(bytes, name, element_bytes);
  }

  Result<Done> free(DeviceAddress address) override { return memory_->free(address); }

  Result<Done> copy_in(DeviceAddress to, std::span<const std::byte> bytes) override {
    const auto start = Clock::now();
    auto done = memory_->write(to, bytes);
    add_to(times_.copy_in_ms, milliseconds_since(start));
    return done;
  }

  Result<Done> copy_out(DeviceAddress from, std::span<std::byte> bytes) override {
    const auto start = Clock::now();
    auto done = memory_->read(from, bytes);
    add_to(times_.copy_out_ms, milliseconds_since(start));
    return done;
  }

  void reset() override {
    instance_.reset();  // its variables lie in the memory, so it goes first
    module_.reset();
    names_.clear();
    times_ = {};
    memory_ = std::make_unique<simt::Memory>();
  }

  Result<LaunchOutcome> launch(const std::string& kernel, const Launch& launch,
                               std::span<const KernelArgument> arguments,
                               const std::atomic<bool>* stop) override {
    RunOptions options;
    options.level = Level::run;
    options.stop = stop;
    return inspect(kernel, launch, arguments, options);
  }

  Result<ImageOutcome> write_image(const ImageTarget& target, DeviceAddress from, ImageWay way) override {
    if (way == ImageWay::without_copy)
      return Error{capabilities_.why_no_interop, Trouble::unsupported, {}, {}};
    if (target.upload == nullptr) {
      return Error{"The picture has no place to be drawn to.", Trouble::unsupported, {}, {}};
    }
    const auto start = Clock::now();
    std::vector<uint32_t> pixels(size_t(target.width) * target.height);
    if (auto read = memory_->read(from, std::as_writable_bytes(std::span(pixels))); !read)
      return read.error();
    target.upload(target.owner, target, pixels.data());
    return ImageOutcome{"host copy", capabilities_.why_no_interop, {}, milliseconds_since(start)};
  }

  Times times() const override { return times_; }
  Inspector* inspector() override { return this; }

  void set_gpu(const GpuRow& gpu) override {
    gpu_ = gpu;
    capabilities_.compute = gpu.compute;
  }

  Result<LaunchOutcome> inspect(const std::string& kernel, const Launch& launch,
                                std::span<const KernelArgument> arguments,
                                const RunOptions& options) override {
    if (!instance_)
      return Error{"No code is loaded, so there is no kernel to launch.", Trouble::bad_input, {}, {}};
    const auto name = name_in_ptx(kernel);
    if (!name) return name.error();
    LaunchOutcome outcome;
    outcome.report = simt::run(*instance_, *name, launch, arguments, gpu_, options);
    outcome.times = times_;
    outcome.times.emulator_ms = outcome.report.wall_ms;
    return outcome;
  }

  std::shared_ptr<const KernelTrace> trace() const {
    return instance_ ? simt::last_trace(*instance_) : nullptr;
  }

  std::string instruction_set() const override { return std::string(simt::instruction_set_name()); }

 private:
  /// Kernels are known by their names in the PTX and by those that the learner wrote.
  Result<std::string> name_in_ptx(const std::string& kernel) const {
    for (const auto& [source_name, ptx_name] : names_) {
      if (source_name == kernel) return ptx_name;
    }
    std::vector<std::string> known;
    for (const KernelInfo& info : simt::kernels_of(*module_)) {
      if (info.name == kernel) return kernel;
      known.push_back(info.name);
    }
    Error error{fmt::format("There is no kernel {} in the loaded code.", kernel), Trouble::not_found, {}, {}};
    if (!known.empty()) error.hint = "it has: " + join(known, ", ");
    return error;
  }

  Capabilities capabilities_;
  GpuRow gpu_;
  ModuleCache modules_;
  Times times_;
  std::vector<std::pair<std::string, std::string>> names_;
  std::unique_ptr<simt::Memory> memory_;
  std::shared_ptr<const simt::Module> module_;
  std::shared_ptr<simt::Instance> instance_;  // after memory_: destroyed before it
};

}  // namespace

std::shared_ptr<const KernelTrace> last_trace(const Device& device) {
  const auto* emulated = dynamic_cast<const EmulatedDevice*>(&device);
  return emulated ? emulated->trace() : nullptr;
}

Result<Measured> Device::measure(const std::string&, const Launch&, std::span<const KernelArgument>,
                                 const MeasureRequest&, const std::atomic<bool>*) {
  return Error{
      "This engine has no time of its own: only a GPU can be measured.", Trouble::unsupported, {}, {}};
}

std::unique_ptr<Device> make_emulated_device(const GpuRow& gpu) {
  return std::make_unique<EmulatedDevice>(gpu);
}

}  // namespace warpbook
