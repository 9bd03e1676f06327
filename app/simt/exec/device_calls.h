#pragma once
// The functions that a GPU's runtime provides to device code.
#include <string_view>
#include <vector>

#include "simt/exec/calls.h"

namespace warpbook::simt {

/// True when the emulator provides this function.
bool is_device_call(std::string_view name);
Step device_call(Warp& warp, const Inst& inst, const CallInfo& call, uint32_t lanes);

/// printf of one lane: the text, or nothing when the format or an argument cannot be read. Arguments lie
/// packed in memory from `arguments` on, each at a multiple of its size (CUDA C++ Programming Guide,
/// "Formatted output").
struct DeviceText {
  std::string text;
  int conversions = 0;
};
DeviceText format_device_text(Warp& warp, int lane, std::string_view format, Address arguments);

}  // namespace warpbook::simt
