// Retaining, entering and leaving a context, and waiting in it.
#include "device/cuda_context.h"

#include <thread>

namespace warpbook::cuda {

Result<std::unique_ptr<GpuContext>> GpuContext::open(std::shared_ptr<const Driver> driver,
                                                     DeviceNumber device) {
  std::unique_ptr<GpuContext> opened(new GpuContext(std::move(driver), device));
  const Driver& d = opened->driver();
  if (const Code code = d.context_retain(&opened->context_, device); code != code::success) {
    opened->context_ = nullptr;
    return d.trouble("be opened for kernels", code);
  }
  const Current here(*opened);
  if (!here.entered()) return here.entered().error();
  // Non-blocking: the default stream of other libraries in the process shall not wait for ours.
  if (const Code code = d.stream_create(&opened->stream_, stream_non_blocking); code != code::success) {
    opened->stream_ = nullptr;
    return d.trouble("make a stream", code);
  }
  return opened;
}

GpuContext::~GpuContext() {
  if (context_ == nullptr || stuck_) return;  // giving back would wait for the work that does not end
  if (stream_ != nullptr) {
    const Current here(*this);
    if (here.entered()) driver_->stream_destroy(stream_);
  }
  driver_->context_release(device_);
  // What is left of a failed context goes with it, so that the next one starts clean.
  if (lost_) driver_->context_reset(device_);
}

GpuContext::Current::Current(GpuContext& context) : context_(context) {
  if (const Code code = context.driver_->context_push(context.context_); code != code::success) {
    context.note(code);
    entered_ = context.driver_->trouble("be used from this thread", code);
  }
}

GpuContext::Current::~Current() {
  Context popped = nullptr;
  if (entered_) context_.driver_->context_pop(&popped);
}

Result<Done> GpuContext::check(std::string_view doing, Code code) {
  note(code);
  return driver_->check(doing, code);
}

Code GpuContext::wait(std::chrono::milliseconds max_time, const std::atomic<bool>* stop) {
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    // Short kernels are met by polling; for long ones a core is not worth the tenth of a millisecond.
    const Code code = driver_->stream_query(stream_);
    if (code != code::not_ready) {
      note(code);
      return code;
    }
    const auto waited = std::chrono::steady_clock::now() - start;
    const bool stopped = stop != nullptr && stop->load();
    if (stopped || waited > max_time) {
      lost_ = stuck_ = true;
      return stopped ? code::not_ready : code::launch_timeout;
    }
    if (waited > std::chrono::microseconds(300)) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

PinnedMemory::~PinnedMemory() {
  if (memory_ == nullptr || context_.stuck()) return;
  const GpuContext::Current here(context_);
  if (here.entered()) context_.driver().host_free(memory_);
}

Result<std::byte*> PinnedMemory::at_least(size_t bytes) {
  if (bytes > bytes_) {
    if (memory_ != nullptr) context_.driver().host_free(memory_);
    memory_ = nullptr;
    bytes_ = 0;
    const Code code = context_.driver().host_allocate(&memory_, bytes, 0);
    if (const auto done = context_.check("get host memory for copies", code); !done) {
      memory_ = nullptr;
      return done.error();
    }
    bytes_ = bytes;
  }
  return static_cast<std::byte*>(memory_);
}

}  // namespace warpbook::cuda
