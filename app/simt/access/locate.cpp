// The slow way of an access: every lane by itself, through all windows. Handlers come here when their site's
// cache does not hold all lanes: the first time, when lanes reach several buffers, and when something is
// wrong.
#include <algorithm>
#include <cstring>

#include "simt/access/worker.h"
#include "simt/exec/state.h"

namespace warpbook::simt {
namespace {

/// Where one address leads. host null: nowhere.
struct Target {
  std::byte* host = nullptr;
  uint8_t* written = nullptr;  ///< level check, shared and local
  Allocation* allocation = nullptr;
  const SharedArray* array = nullptr;
  bool local = false;
  bool read_only = false;
};

std::byte* local_byte(std::byte* base, uint32_t bytes_per_thread, uint32_t warp, int lane, uint32_t offset) {
  return base + size_t(warp) * 32 * bytes_per_thread + size_t(offset / 4) * local_stride +
         uint32_t(lane) * 4 + offset % 4;
}

/// `bytes` from `address` on, all inside one object.
Target target_of(Warp& warp, int lane, Address address, uint32_t bytes) {
  Target t;
  BlockState& block = *warp.block;
  MemoryLaunch& launch = *warp.worker->memory->launch;
  if (address >= local_window) {
    const uint64_t offset = address - local_window;
    const uint32_t have = block.memory.local_bytes_per_thread;
    if (offset <= have && bytes <= have - offset) {
      t.host = local_byte(block.memory.local.data(), have, warp.index, lane, uint32_t(offset));
      if (!block.memory.local_written.empty()) {
        t.written = reinterpret_cast<uint8_t*>(
            local_byte(reinterpret_cast<std::byte*>(block.memory.local_written.data()), have, warp.index,
                       lane, uint32_t(offset)));
      }
      t.local = true;
    }
    return t;
  }
  if (address >= shared_window) {
    const SharedArray* array = launch.array_at(address);
    if (array && address >= array->address && address - array->address <= array->bytes &&
        bytes <= array->bytes - (address - array->address)) {
      const size_t at = array->offset + (address - array->address);
      t.host = block.memory.shared.data() + at;
      t.array = array;
      if (!block.memory.shared_written.empty()) t.written = block.memory.shared_written.data() + at;
    }
    return t;
  }
  if (address >= parameter_window) {
    const uint64_t offset = address - parameter_window;
    auto& parameters = warp.worker->launch->parameters;
    if (offset <= parameters.size() && bytes <= parameters.size() - offset) {
      t.host = parameters.data() + offset;
      t.read_only = true;
    }
    return t;
  }
  Allocation* a = launch.memory->window_of(address);
  if (a && a->live && a->contains(address, bytes)) {
    t.host = a->host() + (address - a->info.address);
    t.allocation = a;
    t.read_only = a->info.read_only;
  }
  return t;
}

void remember(SiteCache& cache, const Target& t) {
  if (t.allocation) {
    cache.base = t.allocation->info.address;
    cache.bytes = t.allocation->info.bytes;
    cache.host = t.allocation->host();
    cache.allocation = t.allocation;
    cache.read_only = t.read_only;
    cache.shared = false;
  } else if (t.array) {
    cache.base = t.array->address;
    cache.bytes = t.array->bytes;
    cache.host = nullptr;
    cache.allocation = nullptr;
    cache.shared_offset = t.array->offset;
    cache.read_only = false;
    cache.shared = true;
  }
}

}  // namespace

bool locate(Warp& warp, const Access& access, Places& places) {
  MemoryWorker& worker = *warp.worker->memory;
  places.local_lanes = 0;
  bool good = true;
  bool first = true;
  // Vector components are aligned as the whole vector is (PTX ISA 6.4.1).
  const uint64_t misaligned = access.bytes - 1;
  for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const Address address = access.address[lane];
    Target t;
    // What an instruction says of its space holds: a shared address is none of a global load's.
    if (access.space != ptx::Space::global || address < parameter_window)
      t = target_of(warp, lane, address, access.bytes);
    if (!t.host || (address & misaligned) != 0 || (t.read_only && access.kind != AccessKind::read)) {
      note_address_fault(warp, access, lane);
      good = false;
      continue;
    }
    places.host[size_t(lane)] = t.host;
    if (t.local) places.local_lanes |= 1u << lane;
    if (first && !t.local) {
      remember(worker.caches[access.site], t);
      if (worker.launch->level != Level::run) worker.caches[access.site].record = &worker.record(access.site);
    }
    first = false;
    if (t.allocation) {
      (access.kind == AccessKind::write ? t.allocation->stored : t.allocation->loaded)
          .store(true, std::memory_order_relaxed);
      if (access.kind == AccessKind::atomic) t.allocation->stored.store(true, std::memory_order_relaxed);
    }
    if (t.allocation && access.kind != AccessKind::read && worker.launch->level != Level::check) {
      t.allocation->stored_untracked.store(true, std::memory_order_relaxed);
    }
  }
  return good;
}

bool read_bytes(Warp& warp, int lane, Address from, void* to, uint32_t bytes) {
  auto* out = static_cast<std::byte*>(to);
  for (uint32_t i = 0; i < bytes; ++i) {
    const Target t = target_of(warp, lane, from + i, 1);
    if (!t.host) return false;
    out[i] = *t.host;
    if (t.allocation) t.allocation->loaded.store(true, std::memory_order_relaxed);
  }
  return true;
}

bool write_bytes(Warp& warp, int lane, Address to, const void* from, uint32_t bytes) {
  const auto* in = static_cast<const std::byte*>(from);
  for (uint32_t i = 0; i < bytes; ++i) {
    const Target t = target_of(warp, lane, to + i, 1);
    if (!t.host || t.read_only) return false;
    *t.host = in[i];
    if (t.written) *t.written = 1;
    if (t.allocation) t.allocation->stored.store(true, std::memory_order_relaxed);
    if (t.allocation && !t.allocation->all_written.load(std::memory_order_relaxed)) {
      if (t.allocation->written) {
        t.allocation->written_bytes()[to + i - t.allocation->info.address] = 1;
      } else {
        t.allocation->stored_untracked.store(true, std::memory_order_relaxed);
      }
    }
  }
  return true;
}

std::optional<std::string> read_string(Warp& warp, int lane, Address from, uint32_t limit) {
  std::string text;
  for (uint32_t i = 0; i < limit; ++i) {
    char c = 0;
    if (!read_bytes(warp, lane, from + i, &c, 1)) return std::nullopt;
    if (c == '\0') return text;
    text.push_back(c);
  }
  return text;
}

}  // namespace warpbook::simt
