#pragma once
// What the compiler and its worker say to each other, one JSON object a frame.
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "device/nvrtc.h"

namespace warpbook {

struct WorkerRequest {
  std::string library;  ///< NVRTC's file
  NvrtcJob job;
  std::string pch_folder;  ///< where precompiled headers may go; empty = none for this source
};

struct WorkerAnswer {
  std::optional<Error> trouble;
  NvrtcAnswer answer;
  uint64_t resident_bytes = 0;  ///< of the worker, so that one that has grown is replaced
};

std::string encode(const WorkerRequest& request);
std::string encode(const WorkerAnswer& answer);
Result<WorkerRequest> decode_request(std::string_view frame);
Result<WorkerAnswer> decode_answer(std::string_view frame);

}  // namespace warpbook
