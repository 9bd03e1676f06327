// See copying.h.
#include "cudart/copying.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpbook::cudart {
namespace {

constexpr size_t sample_bytes = 64;

/// One side of a copy.
struct Side {
  const Block* block = nullptr;  ///< null = plain host memory
  uint64_t address = 0;
  bool on_device() const { return block && !block->host_reaches(); }
  bool pinned() const { return block && block->host_reaches(); }
  DeviceAddress device_address() const { return block->on_device + (address - block->address); }
};

struct Objection {
  int code = success;
  std::string note;
};

std::string name_of_block(const Block& block) {
  if (!block.variable.empty()) return block.variable;
  return fmt::format("the allocation of row {}", block.row);
}

/// From the first byte of the first row to the last of the last.
uint64_t reach_of(const CopyShape& shape, size_t pitch, size_t slice) {
  if (shape.bytes() == 0) return 0;
  return (shape.slices - 1) * slice + (shape.rows - 1) * pitch + shape.width;
}

Objection find_side(const Runtime& runtime, const char* argument, uint64_t address, uint64_t bytes,
                    Side& side) {
  side.address = address;
  if (address == 0) return {invalid_value, fmt::format("{} is null.", argument)};
  side.block = runtime.memory.holding(address, bytes);
  if (side.block) return {};
  const Block* near = runtime.memory.near(address);
  if (!near) {
    if (!MemoryTable::is_device_range(address)) return {};
    return {invalid_value, fmt::format("{} points to no allocation on the device.", argument)};
  }
  if (!near->live)
    return {invalid_value,
            fmt::format("{} points into memory that was freed: {}.", argument, name_of_block(*near))};
  const int64_t offset = int64_t(address - near->address);
  return {invalid_value, fmt::format("{} bytes from offset {} do not fit into {}, which has {} bytes.", bytes,
                                     offset, name_of_block(*near), near->bytes)};
}

Objection check_direction(int kind, const Side& to, const Side& from) {
  const auto says = [&](bool to_device, bool from_device, const char* words) -> Objection {
    // Pinned and managed memory may be named either way.
    if (!to.pinned() && to.on_device() != to_device) {
      return {invalid_value, fmt::format("The copy is said to go {}, but dst is {} memory.", words,
                                         to.on_device() ? "device" : "host")};
    }
    if (!from.pinned() && from.on_device() != from_device) {
      return {invalid_value, fmt::format("The copy is said to go {}, but src is {} memory.", words,
                                         from.on_device() ? "device" : "host")};
    }
    return {};
  };
  switch (kind) {
    case host_to_host: return says(false, false, "from host to host");
    case host_to_device: return says(true, false, "from host to device");
    case device_to_host: return says(false, true, "from device to host");
    case device_to_device: return says(true, true, "from device to device");
    default: return {};
  }
}

bool move_row(ProgramDevice& device, const Side& to, const Side& from, size_t to_at, size_t from_at,
              size_t width) {
  auto* const host_to = reinterpret_cast<std::byte*>(to.address + to_at);
  const auto* const host_from = reinterpret_cast<const std::byte*>(from.address + from_at);
  if (to.on_device() && from.on_device()) {
    return device.copy(to.device_address() + to_at, from.device_address() + from_at, width).ok();
  }
  if (to.on_device()) return device.write(to.device_address() + to_at, {host_from, width}).ok();
  if (from.on_device()) return device.read(from.device_address() + from_at, {host_to, width}).ok();
  std::memmove(host_to, host_from, width);
  return true;
}

void note_unwritten(Call& call, ProgramDevice& device, const Side& from, const CopyShape& shape) {
  if (!call.recording || !from.on_device()) return;
  for (size_t slice = 0; slice < shape.slices; ++slice) {
    for (size_t row = 0; row < shape.rows; ++row) {
      const auto missing = device.never_written(
          from.device_address() + slice * shape.from_slice + row * shape.from_pitch, shape.width);
      if (missing.bytes != 0 && call.row.never_written == 0) call.row.first_never_written = missing.first;
      call.row.never_written += missing.bytes;
    }
  }
}

}  // namespace

int copy(Call& call, void* to_pointer, const void* from_pointer, const CopyShape& shape, int kind,
         Stream& stream, bool asynchronous) {
  Runtime& runtime = call.runtime;
  call.row.bytes = shape.bytes();
  if (kind < 0 || kind > 4) {
    return call.finish(invalid_direction, "The direction is none of the five that cudaMemcpyKind has.");
  }
  auto device = runtime.device();
  if (!device) return call.finish(initialization_error, device.error().message);
  if (shape.bytes() == 0) return call.finish(success);
  Side to, from;
  Objection trouble = find_side(runtime, "dst", reinterpret_cast<uint64_t>(to_pointer),
                                reach_of(shape, shape.to_pitch, shape.to_slice), to);
  if (trouble.code == success) {
    trouble = find_side(runtime, "src", reinterpret_cast<uint64_t>(from_pointer),
                        reach_of(shape, shape.from_pitch, shape.from_slice), from);
  }
  if (trouble.code == success) trouble = check_direction(kind, to, from);
  // The direction that was asked for is told also when it is wrong.
  call.row.direction = direction_of(kind, to.on_device(), from.on_device());
  if (trouble.code != success) return call.finish(trouble.code, trouble.note);

  // After a failed kernel nothing more runs on the device, and nobody knows yet.
  const bool pinned = (to.on_device() || to.pinned()) && (from.on_device() || from.pinned());
  const bool waits = !asynchronous && call.row.direction != CopyDirection::device_to_device;
  if (runtime.pending.code == success) {
    call.write_in_progress();
    note_unwritten(call, **device, from, shape);
    for (size_t slice = 0; slice < shape.slices; ++slice) {
      for (size_t row = 0; row < shape.rows; ++row) {
        if (!move_row(**device, to, from, slice * shape.to_slice + row * shape.to_pitch,
                      slice * shape.from_slice + row * shape.from_pitch, shape.width)) {
          return call.finish(invalid_value);
        }
      }
    }
    if (call.recording) {
      call.row.sample.resize(std::min(sample_bytes, shape.width));
      const std::span<std::byte> sample = std::as_writable_bytes(std::span(call.row.sample));
      if (to.on_device()) {
        (void)(*device)->read(to.device_address(), sample);
      } else {
        std::memcpy(sample.data(), to_pointer, sample.size());
      }
    }
  }
  const Span span = runtime.timeline.copy(stream, call.row.direction,
                                          copy_ms(runtime.gpu(), call.row.direction, shape.bytes(), pinned));
  call.row.begin_ms = span.begin_ms;
  call.row.end_ms = span.end_ms;
  if (waits) {
    if (const int late = call.wait(span.end_ms); late != success) return call.finish(late);
  }
  return call.finish(success);
}

int fill(Call& call, void* to_pointer, int value, const CopyShape& shape, Stream& stream) {
  Runtime& runtime = call.runtime;
  call.row.bytes = shape.bytes();
  auto device = runtime.device();
  if (!device) return call.finish(initialization_error, device.error().message);
  if (shape.bytes() == 0) return call.finish(success);
  Side to;
  Objection trouble = find_side(runtime, "devPtr", reinterpret_cast<uint64_t>(to_pointer),
                                reach_of(shape, shape.to_pitch, shape.to_slice), to);
  if (trouble.code == success && !to.block) trouble = {invalid_value, "devPtr is host memory."};
  if (trouble.code != success) return call.finish(trouble.code, trouble.note);
  if (runtime.pending.code == success) {
    for (size_t slice = 0; slice < shape.slices; ++slice) {
      for (size_t row = 0; row < shape.rows; ++row) {
        const uint64_t at = slice * shape.to_slice + row * shape.to_pitch;
        (void)(*device)->fill(to.device_address() + at, std::byte(value), shape.width);
      }
    }
    if (call.recording) call.row.sample.assign(std::min(sample_bytes, shape.width), char(value));
  }
  const double ms = copy_ms(runtime.gpu(), CopyDirection::device_to_device, shape.bytes() / 2, true);
  const Span span = runtime.timeline.kernel(stream, ms);
  call.row.begin_ms = span.begin_ms;
  call.row.end_ms = span.end_ms;
  return call.finish(success);
}

}  // namespace warpbook::cudart
