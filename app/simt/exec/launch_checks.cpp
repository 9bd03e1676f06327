// Launch limits, from the GPU's row (CUDA C++ Programming Guide, "Technical specifications per compute
// capability").
#include "simt/exec/launch_checks.h"

#include <fmt/format.h>

#include "simt/exec/diagnose.h"

namespace warpbook::simt {
namespace {

std::string text_of(const Dim3& size) { return fmt::format("({}, {}, {})", size.x, size.y, size.z); }

struct Refusal {
  std::string kind, message, hint;
};

std::optional<Refusal> refusal(const Launch& launch, const GpuRow& gpu, const CodeFunction& kernel,
                               uint64_t static_shared) {
  const Dim3 grid = launch.grid;
  const Dim3 block = launch.block;
  const auto count = [](const Dim3& size) {
    // Wide enough for any three 32-bit numbers.
    return static_cast<long double>(size.x) * size.y * size.z;
  };
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
    return Refusal{"grid-dim-zero",
                   fmt::format("The grid is {}: a dimension of 0 means no blocks at all.", text_of(grid)),
                   "Every dimension must be at least 1; a division that rounds down often makes it 0."};
  }
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    return Refusal{"grid-dim-zero",
                   fmt::format("The block is {}: a dimension of 0 means no threads at all.", text_of(block)),
                   "Every dimension must be at least 1."};
  }
  if (count(block) > gpu.max_threads_per_block) {
    return Refusal{"block-too-large",
                   fmt::format("The block {} has {:.0f} threads; {} allows {} in a block.", text_of(block),
                               double(count(block)), gpu.name, gpu.max_threads_per_block),
                   "Use smaller blocks and more of them."};
  }
  if (kernel.source->max_threads != 0 && count(block) > kernel.source->max_threads) {
    return Refusal{"block-too-large",
                   fmt::format("The block {} has {:.0f} threads; the kernel's __launch_bounds__ allow {}.",
                               text_of(block), double(count(block)), kernel.source->max_threads),
                   "Launch smaller blocks, or raise the number in __launch_bounds__."};
  }
  const struct {
    char name;
    uint64_t value, limit;
  } block_sizes[] = {{'x', block.x, uint64_t(gpu.max_block_x)},
                     {'y', block.y, uint64_t(gpu.max_block_y)},
                     {'z', block.z, uint64_t(gpu.max_block_z)}};
  for (const auto& size : block_sizes) {
    if (size.value > size.limit) {
      return Refusal{
          "block-dim-too-large",
          fmt::format("The block's {} is {}; {} allows {}.", size.name, size.value, gpu.name, size.limit),
          "Turn the block: x may be the longest."};
    }
  }
  const struct {
    char name;
    uint64_t value, limit;
  } grid_sizes[] = {
      {'x', grid.x, gpu.max_grid_x}, {'y', grid.y, gpu.max_grid_y}, {'z', grid.z, gpu.max_grid_z}};
  for (const auto& size : grid_sizes) {
    if (size.value > size.limit) {
      return Refusal{
          "grid-too-large",
          fmt::format("The grid's {} is {}; {} allows {}.", size.name, size.value, gpu.name, size.limit),
          "Put the long direction into x, or let each thread do more than one element."};
    }
  }
  const uint64_t shared = static_shared + launch.shared_bytes;
  const uint64_t most = gpu.shared_per_block_optin ? gpu.shared_per_block_optin : gpu.shared_per_block;
  const uint64_t limit = launch.shared_optin ? most : gpu.shared_per_block;
  if (shared > limit) {
    return Refusal{
        "shared-too-large",
        fmt::format("A block wants {} bytes of shared memory ({} static, {} dynamic); {} allows {}{}.",
                    shared, static_shared, launch.shared_bytes, gpu.name, limit,
                    launch.shared_optin ? " with opt-in" : " without opt-in"),
        !launch.shared_optin && shared <= most
            ? fmt::format(
                  "Opt in (cudaFuncSetAttribute, here --shared-optin) to use up to {} bytes, or use less.",
                  most)
            : "Use a smaller tile."};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnosis> refuse_launch(const Launch& launch, const GpuRow& gpu, const Code& code,
                                       const CodeFunction& kernel, uint64_t static_shared) {
  std::optional<Refusal> reason = refusal(launch, gpu, kernel, static_shared);
  if (!reason) return std::nullopt;
  Diagnosis d;
  d.kind = std::move(reason->kind);
  d.message = std::move(reason->message);
  d.hint = std::move(reason->hint);
  d.access = "launch";
  const LearnerLine at = learner_line(code, kernel.source->first_point);
  d.file = at.file;
  d.line = at.line;
  return d;
}

}  // namespace warpbook::simt
