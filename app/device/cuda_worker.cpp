// The child that learners' kernels run in on the GPU. It does what it is told with one GPU and ends when its
// parent does.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "base/process.h"
#include "base/shared_memory.h"
#include "device/cuda_child.h"
#include "device/cuda_message.h"

namespace warpbook {

namespace {

using namespace cuda;

/// printf in a kernel is written to this process' stdout, which is the way to the parent: it goes into memory
/// for the time of a launch.
class CaughtOutput {
 public:
  CaughtOutput() : kept_(::dup(STDOUT_FILENO)), memory_(::memfd_create("printf", MFD_CLOEXEC)) {
    std::fflush(stdout);
    if (memory_ >= 0) ::dup2(memory_, STDOUT_FILENO);
  }
  ~CaughtOutput() { text(); }
  CaughtOutput(const CaughtOutput&) = delete;
  CaughtOutput& operator=(const CaughtOutput&) = delete;

  /// Ends the catching.
  std::string text() {
    if (kept_ < 0) return {};
    std::fflush(stdout);
    ::dup2(kept_, STDOUT_FILENO);
    ::close(kept_);
    kept_ = -1;
    std::string all;
    if (memory_ >= 0) {
      char buffer[65536];
      ::lseek(memory_, 0, SEEK_SET);
      for (ssize_t got; (got = ::read(memory_, buffer, sizeof buffer)) > 0;) all.append(buffer, size_t(got));
      ::close(memory_);
    }
    return all;
  }

 private:
  int kept_, memory_;
};

class Worker {
 public:
  Answer serve(const Request& request) {
    Answer answer;
    const auto fail = [&](const Error& error) {
      answer.trouble = error;
      return answer;
    };
    const auto finish = [&](const Result<Done>& done) {
      if (!done) answer.trouble = done.error();
      if (device_) answer.times = device_->times();
      return answer;
    };
    if (request.what == "open") {
      auto memory = SharedMemory::open(request.memory, window_bytes);
      if (!memory) return fail(memory.error());
      window_.emplace(std::move(*memory));
      CudaOptions options;
      options.gpu = request.gpu;
      options.max_bytes = request.max_bytes;
      options.max_time = std::chrono::milliseconds(request.max_ms);
      auto device = make_cuda_device(options);
      if (!device) return fail(device.error());
      device_ = std::move(*device);
      // The context costs most of a start; made now, it is there when the first load comes.
      const auto first = device_->allocate(16, "the first buffer", 1);
      if (!first) return fail(first.error());
      return finish(device_->free(*first));
    }
    if (!device_ || !window_)
      return fail({"The GPU's process was not told which GPU to use.", Trouble::bad_input, {}, {}});
    const auto window = window_->bytes();
    if (request.what == "load") {
      auto loaded = device_->load(request.code);
      answer.kernels = device_->kernels();
      return finish(loaded);
    }
    if (request.what == "allocate") {
      const auto address = device_->allocate(request.bytes, request.name, request.element_bytes);
      if (!address) return fail(address.error());
      answer.address = *address;
      return answer;
    }
    if (request.what == "free") return finish(device_->free(request.address));
    if (request.what == "copy_in" || request.what == "copy_out") {
      if (request.bytes > window.size())
        return fail({"More bytes than the shared memory holds.", Trouble::bad_input, {}, {}});
      const auto part = window.first(request.bytes);
      return finish(request.what == "copy_in" ? device_->copy_in(request.address, part)
                                              : device_->copy_out(request.address, part));
    }
    if (request.what == "launch") {
      CaughtOutput output;
      auto outcome = device_->launch(request.name, request.launch, request.arguments);
      std::string printed = output.text();
      if (!outcome) return fail(outcome.error());
      answer.outcome = std::move(*outcome);
      answer.outcome.report.printf = std::move(printed);
      const RunStatus status = answer.outcome.report.status;
      answer.lost = status == RunStatus::fault || status == RunStatus::limit;
      return answer;
    }
    if (request.what == "measure") {
      const CaughtOutput output;
      auto measured = device_->measure(request.name, request.launch, request.arguments, request.measure);
      if (!measured) return fail(measured.error());
      answer.measured = std::move(*measured);
      return answer;
    }
    if (request.what == "reset") {
      device_->reset();
      return answer;
    }
    return fail({"The GPU's process does not know the request.", Trouble::bad_input, {}, {}});
  }

 private:
  std::optional<SharedMemory> window_;
  std::unique_ptr<Device> device_;
};

}  // namespace

int cuda_worker_main() {
  Worker worker;
  while (const auto frame = read_frame_from_parent()) {
    const auto request = decode_request(*frame);
    Answer answer;
    if (request) {
      answer = worker.serve(*request);
    } else {
      answer.trouble = request.error();
    }
    if (!write_frame_to_parent(encode(answer))) return 1;
    // What a fault leaves is not taken apart: the parent starts a fresh process, and a driver that hangs
    // would keep this one.
    if (answer.lost) ::_exit(0);
  }
  return 0;
}

}  // namespace warpbook
