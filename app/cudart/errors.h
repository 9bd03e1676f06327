#pragma once
// cudaError_t: numbers, names, and what they say.
#include <string>

namespace warpbook::cudart {

enum Code : int {
  success = 0,
  invalid_value = 1,
  memory_allocation = 2,
  initialization_error = 3,
  invalid_configuration = 9,
  invalid_pitch = 12,
  invalid_symbol = 13,
  invalid_direction = 21,
  invalid_function = 98,
  invalid_device = 101,
  no_image = 209,
  unsupported_limit = 215,
  invalid_ptx = 218,
  invalid_handle = 400,
  not_ready = 600,
  illegal_address = 700,
  out_of_resources = 701,
  launch_timeout = 702,
  already_registered = 712,
  not_registered = 713,
  stack_error = 714,
  misaligned_address = 716,
  assertion = 710,
  launch_failure = 719,
  cooperative_too_large = 720,
  not_permitted = 800,
  not_supported = 801,
};

/// "cudaErrorInvalidValue"; null when there is no such code.
const char* error_name(int code);
/// What cudaGetErrorString says.
const char* error_text(int code);
/// After it every call of the process fails with the same code (driver_types.h says so of each).
bool is_sticky(int code);
/// What a GPU reports for a launch with a diagnosis of this kind; success for what it does not notice.
int code_for(const std::string& diagnosis_kind);

}  // namespace warpbook::cudart
