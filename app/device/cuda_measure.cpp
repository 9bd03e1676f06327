// Repeated launches on equal data. Buffers are put back between launches, so that a kernel that works in
// place does the same work each time; the copies for that lie outside of the events.
#include "device/cuda_measure.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/cuda_timer.h"

namespace warpbook::cuda {

namespace {

/// 48 KiB: what a block may have without asking (CUDA C++ Programming Guide, "Compute Capabilities").
constexpr uint32_t shared_without_optin = 49152;

/// Device memory that frees itself.
class Scratch {
 public:
  explicit Scratch(GpuContext& context) : context_(context) {}
  ~Scratch() {
    if (context_.stuck()) return;
    for (const Pointer one : pieces_) context_.note(context_.driver().free(one));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Result<Pointer> get(uint64_t bytes) {
    Pointer made = 0;
    const Code code = context_.driver().allocate(&made, bytes);
    if (const auto done = context_.check("get memory for measuring", code); !done) return done.error();
    pieces_.push_back(made);
    return made;
  }

 private:
  GpuContext& context_;
  std::vector<Pointer> pieces_;
};

constexpr const char* empty_kernel =
    ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry empty()\n{\n  ret;\n}\n";

}  // namespace

Result<LaunchPlan> LaunchPlan::make(GpuContext& context, LoadedModule& module, const std::string& kernel,
                                    const Launch& launch, std::span<const KernelArgument> arguments) {
  LaunchPlan plan;
  plan.context_ = &context;
  plan.launch_ = launch;
  auto found = module.kernel(kernel);
  if (!found) return found.error();
  plan.kernel_ = std::move(*found);
  const auto& parameters = plan.kernel_.info.parameters;
  if (arguments.size() != parameters.size())
    return Error{
        fmt::format("{} takes {} arguments, but {} are given.", kernel, parameters.size(), arguments.size()),
        Trouble::bad_input,
        {},
        {}};
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].bytes.size() != parameters[i].bytes)
      return Error{fmt::format("Argument {} ({}) has {} bytes; the parameter takes {}.", i + 1,
                               arguments[i].name, arguments[i].bytes.size(), parameters[i].bytes),
                   Trouble::bad_input,
                   {},
                   {}};
    plan.values_.push_back(arguments[i].bytes);
  }
  if (launch.shared_optin &&
      launch.shared_bytes + plan.kernel_.info.static_shared_bytes > shared_without_optin) {
    const Code code = context.driver().function_set(
        plan.kernel_.function, function_attribute::dynamic_shared_bytes, int(launch.shared_bytes));
    if (const auto done = context.check("give a block that much shared memory", code); !done)
      return done.error();
  }
  if (plan.kernel_.cooperative && context.driver().launch_cooperative == nullptr)
    return Error{
        "This driver cannot launch a grid whose blocks wait for each other.", Trouble::unsupported, {}, {}};
  return plan;
}

Code LaunchPlan::enqueue() {
  std::vector<void*> parameters;
  for (auto& value : values_) parameters.push_back(value.data());
  const Driver& driver = context_->driver();
  const Dim3 &grid = launch_.grid, &block = launch_.block;
  if (kernel_.cooperative)
    return driver.launch_cooperative(kernel_.function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                     launch_.shared_bytes, context_->stream(), parameters.data());
  return driver.launch(kernel_.function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                       launch_.shared_bytes, context_->stream(), parameters.data(), nullptr);
}

Result<Measured> measure_launches(GpuContext& context, LaunchPlan& plan, const MeasureOrder& order,
                                  const std::atomic<bool>* stop) {
  const Driver& driver = context.driver();
  const auto started = std::chrono::steady_clock::now();
  int warm_ups = order.request.warm_ups, repeats = std::max(order.request.repeats, 1);
  std::string note;
  if (order.keeps_state && repeats > 1) {
    warm_ups = 0, repeats = 1;
    note = "One launch only: the kernel keeps state in __device__ variables.";
  }

  Scratch scratch(context);
  std::vector<std::pair<Pointer, Pointer>> kept;  ///< buffer, copy
  if (warm_ups + repeats > 1) {
    uint64_t needed = order.request.cold_l2 ? 2 * order.l2_bytes : 0;
    for (const auto& [address, bytes] : *order.buffers) needed += bytes;
    size_t free = 0, total = 0;
    if (const auto done = context.check("tell its free memory", driver.memory_info(&free, &total)); !done)
      return done.error();
    if (needed > free) {
      warm_ups = 0, repeats = 1;
      note = "One launch only: there is no memory for putting the buffers back between launches.";
    } else {
      for (const auto& [address, bytes] : *order.buffers) {
        if (bytes == 0) continue;
        const auto copy = scratch.get(bytes);
        if (!copy) return copy.error();
        const Code code = driver.copy(*copy, address, bytes, context.stream());
        if (const auto done = context.check("keep a buffer's content", code); !done) return done.error();
        kept.emplace_back(address, *copy);
      }
    }
  }
  // Writing twice the L2's size leaves nothing of the kernel's data in it.
  Pointer flush = 0;
  const uint64_t flush_bytes = 2 * order.l2_bytes;
  if (order.request.cold_l2 && flush_bytes > 0) {
    const auto made = scratch.get(flush_bytes);
    if (!made) return made.error();
    flush = *made;
  }

  auto timer = Timer::make(context);
  if (!timer) return timer.error();
  std::vector<double> times;
  for (int i = 0; i < warm_ups + repeats; ++i) {
    for (const auto& [address, copy] : kept) {
      const Code code = driver.copy(address, copy, order.buffers->at(address), context.stream());
      if (const auto done = context.check("put a buffer's content back", code); !done) return done.error();
    }
    if (flush != 0) {
      const Code code = driver.fill(flush, uint8_t(i), flush_bytes, context.stream());
      if (const auto done = context.check("flush the L2 cache", code); !done) return done.error();
    }
    if (const auto done = context.check("record an event", (*timer)->start()); !done) return done.error();
    if (const auto done = context.check("run the kernel", plan.enqueue()); !done) return done.error();
    if (const auto done = context.check("record an event", (*timer)->stop()); !done) return done.error();
    const Code code = context.wait(order.max_time, stop);
    if (code == code::not_ready) return Error{"The measurement was cancelled.", Trouble::cancelled, {}, {}};
    if (const auto done = context.check("run the kernel", code); !done) return done.error();
    const auto time = (*timer)->milliseconds();
    if (!time) return time.error();
    if (i >= warm_ups) times.push_back(*time);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    if (seconds > order.request.max_seconds && i + 1 < warm_ups + repeats && !times.empty()) {
      note = fmt::format("{} launches in place of {}: the time was used up.", times.size(), repeats);
      break;
    }
  }
  Measured measured = summary_of(std::move(times));
  measured.warm_ups = warm_ups;
  measured.cold_l2 = flush != 0;
  measured.note = std::move(note);
  return measured;
}

Result<double> launch_overhead_us(GpuContext& context) {
  ModuleCache parsed;
  CompiledCode code;
  code.ptx = empty_kernel;
  auto module = LoadedModule::load(context, parsed, code);
  if (!module) return module.error();
  auto plan = LaunchPlan::make(context, **module, "empty", {}, {});
  if (!plan) return plan.error();
  const std::map<Pointer, uint64_t> none;
  MeasureOrder order{{5, 50, 0.25, false}, std::chrono::seconds(5), &none, 0, false};
  const auto measured = measure_launches(context, *plan, order, nullptr);
  if (!measured) return measured.error();
  return measured->median_ms * 1000;
}

}  // namespace warpbook::cuda
