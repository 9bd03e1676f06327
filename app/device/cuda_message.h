#pragma once
// What the parent and the child on the GPU say to each other: one CBOR object a frame, and bulk data in
// shared memory beside it.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"

namespace warpbook::cuda {

/// How many bytes pass through shared memory at a time.
inline constexpr size_t window_bytes = 4u << 20;  // containers give /dev/shm 64 MB in all

struct Request {
  std::string what;  ///< open load allocate free copy_in copy_out launch measure reset
  std::string gpu;   ///< open
  std::string memory;
  uint64_t max_bytes = 0;
  int64_t max_ms = 0;
  CompiledCode code;     ///< load
  uint64_t address = 0;  ///< free, copies
  uint64_t bytes = 0;    ///< allocate, copies
  uint32_t element_bytes = 0;
  std::string name;  ///< allocate, launch, measure
  Launch launch;
  std::vector<KernelArgument> arguments;
  MeasureRequest measure;
};

struct Answer {
  std::optional<Error> trouble;
  uint64_t address = 0;
  std::vector<KernelInfo> kernels;  ///< load
  LaunchOutcome outcome;            ///< launch: status, diagnoses, times, printf
  Measured measured;
  Times times;        ///< of the load and the copies
  bool lost = false;  ///< the context is gone: only an end helps
};

std::string encode(const Request& request);
std::string encode(const Answer& answer);
Result<Request> decode_request(std::string_view frame);
Result<Answer> decode_answer(std::string_view frame);

}  // namespace warpbook::cuda
