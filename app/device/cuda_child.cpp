// The parent's side: each call is a request; trouble with the child is told as what it means for the run.
#include "device/cuda_child.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "base/process.h"
#include "base/sanitized.h"
#include "base/shared_memory.h"
#include "device/cuda_message.h"

namespace warpbook {

namespace {

using namespace cuda;

/// Beyond the kernel's own time: for the driver's compiler, copies and a slow start.
constexpr std::chrono::milliseconds patience{20000};

class CudaChild final : public Device {
 public:
  explicit CudaChild(CudaChildOptions options) : options_(std::move(options)) {
    if (options_.worker.empty()) options_.worker = {own_executable().string(), "cuda-worker"};
    Capabilities& c = capabilities_;
    c = capabilities_of(options_.gpu);
    c.interop = false;
    c.why_no_interop = "Code that you wrote runs in a process of its own, whose pictures are copied.";
  }

  const Capabilities& capabilities() const override { return capabilities_; }

  Result<Done> load(const CompiledCode& code) override {
    if (const auto ready = ensure_child(); !ready) return ready;
    kernels_.clear();
    Request request;
    request.what = "load";
    request.code = code;
    auto answer = ask(request);
    if (!answer) return answer.error();
    kernels_ = std::move(answer->kernels);
    times_ = answer->times;
    return Done{};
  }

  std::vector<KernelInfo> kernels() const override { return kernels_; }

  Result<DeviceAddress> allocate(uint64_t bytes, const std::string& name, uint32_t element_bytes) override {
    if (const auto ready = ensure_child(); !ready) return ready.error();
    Request request;
    request.what = "allocate";
    request.bytes = bytes;
    request.name = name;
    request.element_bytes = element_bytes;
    const auto answer = ask(request);
    if (!answer) return answer.error();
    return answer->address;
  }

  Result<Done> free(DeviceAddress address) override {
    Request request;
    request.what = "free";
    request.address = address;
    return done(ask(request));
  }

  Result<Done> copy_in(DeviceAddress to, std::span<const std::byte> bytes) override {
    for (size_t at = 0; at < bytes.size(); at += window_bytes) {
      const size_t part = std::min(window_bytes, bytes.size() - at);
      if (!memory_) return gone();
      std::memcpy(memory_->bytes().data(), bytes.data() + at, part);
      Request request;
      request.what = "copy_in";
      request.address = to + at;
      request.bytes = part;
      if (auto copied = done(ask(request)); !copied) return copied;
    }
    return Done{};
  }

  Result<Done> copy_out(DeviceAddress from, std::span<std::byte> bytes) override {
    for (size_t at = 0; at < bytes.size(); at += window_bytes) {
      const size_t part = std::min(window_bytes, bytes.size() - at);
      Request request;
      request.what = "copy_out";
      request.address = from + at;
      request.bytes = part;
      if (auto copied = done(ask(request)); !copied) return copied;
      std::memcpy(bytes.data() + at, memory_->bytes().data(), part);
    }
    return Done{};
  }

  void reset() override {
    times_ = {};
    kernels_.clear();
    if (!child_ || opening_) return;
    Request request;
    request.what = "reset";
    static_cast<void>(ask(request));  // a child that does not answer is replaced, which is a reset as well
  }

  Result<LaunchOutcome> launch(const std::string& kernel, const Launch& launch,
                               std::span<const KernelArgument> arguments,
                               const std::atomic<bool>* stop) override {
    auto answer = ask(launching("launch", kernel, launch, arguments), stop);
    if (answer) {
      if (answer->lost) replace();
      return std::move(answer->outcome);
    }
    // The child is gone or was killed: that is what the kernel did.
    LaunchOutcome outcome;
    outcome.times = times_;
    const Error& error = answer.error();
    if (error.trouble == Trouble::cancelled) {
      outcome.report.status = RunStatus::cancelled;
      return outcome;
    }
    if (!ended_) return error;  // the child is well and says what is wrong
    if (error.trouble != Trouble::io && error.trouble != Trouble::limit) return error;
    Diagnosis d;
    d.access = "launch";
    if (error.trouble == Trouble::limit) {
      outcome.report.status = RunStatus::limit;
      d.kind = "long-loop";
      d.severity = Severity::note;
      d.message = fmt::format("{} did not end on the GPU within {:.0f} s, and its process was ended.", kernel,
                              double((options_.cuda.max_time + patience).count()) / 1000);
      d.hint = "A loop that never ends looks like this, and so does more work than the time allows.";
    } else {
      outcome.report.status = RunStatus::fault;
      d.kind = "gpu-fault";
      d.message = fmt::format("The process that ran {} on the GPU is gone. {}", kernel, error.message);
      d.hint = "The next run starts a fresh one.";
    }
    outcome.report.diagnostics.push_back(std::move(d));
    return outcome;
  }

  Result<Measured> measure(const std::string& kernel, const Launch& launch,
                           std::span<const KernelArgument> arguments, const MeasureRequest& measuring,
                           const std::atomic<bool>* stop) override {
    Request request = launching("measure", kernel, launch, arguments);
    request.measure = measuring;
    auto answer = ask(request, stop);
    if (!answer) return answer.error();
    return std::move(answer->measured);
  }

  Result<ImageOutcome> write_image(const ImageTarget& target, DeviceAddress from, ImageWay way) override {
    if (way == ImageWay::without_copy)
      return Error{capabilities_.why_no_interop, Trouble::unsupported, {}, {}};
    if (target.upload == nullptr)
      return Error{"The picture has no place to be drawn to.", Trouble::unsupported, {}, {}};
    const auto start = std::chrono::steady_clock::now();
    std::vector<uint32_t> pixels(size_t(target.width) * target.height);
    if (const auto read = copy_out(from, std::as_writable_bytes(std::span(pixels))); !read)
      return read.error();
    target.upload(target.owner, target, pixels.data());
    const double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return ImageOutcome{"host copy", capabilities_.why_no_interop, {}, ms};
  }

  Times times() const override { return times_; }

 private:
  static Error gone() {
    return Error{"The GPU's process is gone, and the buffers with it.", Trouble::io, {}, "Run it again."};
  }

  Request launching(const char* what, const std::string& kernel, const Launch& launch,
                    std::span<const KernelArgument> arguments) const {
    Request request;
    request.what = what;
    request.name = kernel;
    request.launch = launch;
    request.arguments.assign(arguments.begin(), arguments.end());
    return request;
  }

  Result<Done> done(const Result<Answer>& answer) {
    if (!answer) return answer.error();
    times_ = answer->times;
    return Done{};
  }

  /// Starts a child and tells it which GPU; it opens the GPU while the parent does something else.
  Result<Done> start() {
    auto memory = SharedMemory::create(window_bytes);
    if (!memory) return memory.error();
    ChildLimits limits;
    if (!sanitized) limits.data_bytes = options_.host_bytes;
    auto child = FramedChild::start(options_.worker, limits);
    if (!child) return child.error();
    Request request;
    request.what = "open";
    request.gpu = options_.cuda.gpu;
    request.memory = memory->name();
    request.max_bytes = options_.cuda.max_bytes;
    request.max_ms = options_.cuda.max_time.count();
    if (const auto sent = (*child)->send(encode(request)); !sent) return sent.error();
    memory_.emplace(std::move(*memory));
    child_ = std::move(*child);
    opening_ = true;
    return Done{};
  }

  Result<Done> ensure_child() {
    if (child_ && !child_->alive()) end();
    if (!child_)
      if (const auto started = start(); !started) return started;
    if (!opening_) return Done{};
    opening_ = false;
    auto answer = receive(patience, nullptr);
    if (answer) memory_->forget_name();
    return done(answer);
  }

  void end() {
    child_.reset();
    memory_.reset();
    opening_ = false;
  }

  /// A fresh child starts at once, so that the next run need not wait for it.
  void replace() {
    ended_ = true;
    end();
    static_cast<void>(start());  // a failure shows at the next use, which tries again
  }

  Result<Answer> receive(std::chrono::milliseconds time, const std::atomic<bool>* stop) {
    auto frame = child_->receive(time, stop);
    if (!frame) {
      const Error error = frame.error();
      replace();
      return error;
    }
    auto answer = decode_answer(*frame);
    if (!answer) {
      const Error error = answer.error();
      replace();
      return error;
    }
    if (answer->trouble) return *answer->trouble;
    return answer;
  }

  Result<Answer> ask(const Request& request, const std::atomic<bool>* stop = nullptr) {
    ended_ = false;
    if (!child_ || opening_) return gone();
    if (const auto sent = child_->send(encode(request)); !sent) {
      const Error error = sent.error();
      replace();
      return error;
    }
    return receive(options_.cuda.max_time + patience, stop);
  }

  CudaChildOptions options_;
  Capabilities capabilities_;
  Times times_;
  std::vector<KernelInfo> kernels_;
  std::optional<SharedMemory> memory_;
  std::unique_ptr<FramedChild> child_;
  bool opening_ = false;  ///< told to open, and not heard from yet
  bool ended_ = false;    ///< the last request cost the child
};

}  // namespace

std::unique_ptr<Device> make_cuda_child(CudaChildOptions options) {
  return std::make_unique<CudaChild>(std::move(options));
}

}  // namespace warpbook
