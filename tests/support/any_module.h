#pragma once
// Takes any text for PTX and does with it all that a launch does: parses, decodes at every level, and runs
// each kernel at level check with small limits. Whatever the text is, this returns.
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simt/emulator.h"
#include "simt/module.h"

namespace warpbook::any_module {

/// False when it is no PTX at all.
inline bool read(std::string_view text) {
  const auto module = simt::load_module(text);
  if (!module.ok()) return false;
  for (const simt::Level level : {simt::Level::run, simt::Level::check}) (*module)->code(level);
  return true;
}

inline simt::RunOptions small_limits() {
  simt::RunOptions options;
  options.level = simt::Level::check;
  options.threads = 1;
  options.max_instructions = 3000;
  options.max_time = std::chrono::milliseconds(300);
  options.max_printf_bytes = 4096;
  return options;
}

/// Number of kernels that were launched.
inline int run(std::string_view text) {
  const auto module = simt::load_module(text);
  if (!module.ok()) return 0;
  constexpr uint64_t most_memory = 64u << 20;
  simt::Memory memory(most_memory);
  const auto instance = simt::instantiate(*module, memory);
  if (!instance.ok()) return 0;
  GpuRow gpu;
  gpu.name = "small", gpu.compute = "8.0", gpu.sms = 2, gpu.max_warps_per_sm = 8, gpu.max_blocks_per_sm = 4;
  gpu.shared_per_sm = gpu.shared_per_block_optin = 64 * 1024;
  const auto buffer = memory.allocate(4096, "buffer", 4);
  if (!buffer.ok()) return 0;
  int launched = 0;
  for (const simt::KernelInfo& kernel : simt::kernels_of(**module)) {
    std::vector<simt::KernelArgument> arguments;
    for (const simt::ParameterInfo& parameter : kernel.parameters) {
      simt::KernelArgument argument;
      argument.name = "p" + std::to_string(arguments.size());
      argument.bytes.resize(std::min<uint32_t>(parameter.bytes, 4096), std::byte{3});
      if (parameter.bytes == 8) std::memcpy(argument.bytes.data(), &*buffer, 8);
      arguments.push_back(std::move(argument));
    }
    Launch launch;
    launch.grid = {2, 1, 1};
    launch.block = {40, 1, 1};
    launch.shared_bytes = 256;
    simt::run(**instance, kernel.name, launch, arguments, gpu, small_limits());
    if (++launched == 4) break;
  }
  return launched;
}

}  // namespace warpbook::any_module
