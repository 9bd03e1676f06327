// See memory_table.h.
#include "cudart/memory_table.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace warpbook::cudart {
namespace {

/// The emulator's windows (emulator notes, "Addresses"): allocations are at least 44 MiB apart, most of them
/// 32 GiB.
constexpr uint64_t windows_begin = 0x1000'0000'0000, wide_end = 0x5000'0000'0000;
/// How far beside an allocation an address still belongs to it: half a window.
constexpr uint64_t wide_reach = 10ull << 30, narrow_reach = 20ull << 20;

uint64_t reach_of(uint64_t address) { return address < wide_end ? wide_reach : narrow_reach; }

bool counts_as_device(const Block& block) {
  return block.row != 0 && (block.kind == MemoryKind::device || block.kind == MemoryKind::managed);
}

}  // namespace

bool MemoryTable::is_device_range(uint64_t address) {
  // Behind wide_end come the narrow windows; only the first of them are ever used, and programs of the host
  // lie far above.
  return address >= windows_begin && address < wide_end + (1ull << 40);
}

void MemoryTable::add(Block block) {
  if (counts_as_device(block)) device_bytes_ += block.bytes;
  blocks_[block.address] = std::move(block);
}

const Block* MemoryTable::near(uint64_t address) const {
  const auto after = blocks_.upper_bound(address);
  const Block* best = nullptr;
  if (after != blocks_.begin()) {
    const Block& before = std::prev(after)->second;
    const uint64_t reach = is_device_range(before.address) ? reach_of(before.address) : 0;
    if (address - before.address <= before.bytes + reach) best = &before;
    if (best && address - before.address <= before.bytes) return best;
  }
  if (after != blocks_.end() && is_device_range(after->first) &&
      after->first - address <= reach_of(after->first)) {
    const uint64_t below = best ? address - best->address - best->bytes : ~0ull;
    if (after->first - address < below) best = &after->second;
  }
  return best;
}

const Block* MemoryTable::holding(uint64_t address, uint64_t bytes) const {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const Block& block = std::prev(after)->second;
  const uint64_t at = address - block.address;
  return block.live && at <= block.bytes && bytes <= block.bytes - at ? &block : nullptr;
}

Block* MemoryTable::starting(uint64_t address) {
  const auto found = blocks_.find(address);
  return found == blocks_.end() ? nullptr : &found->second;
}

void MemoryTable::freed(uint64_t address) {
  Block* block = starting(address);
  if (!block || !block->live) return;
  if (counts_as_device(*block)) device_bytes_ -= block->bytes;
  block->live = false;
}

void MemoryTable::remove(uint64_t address) { blocks_.erase(address); }

TapePlace MemoryTable::place(const std::string& argument, uint64_t address) const {
  TapePlace place;
  place.argument = argument;
  place.address = address;
  if (address == 0) return place;
  if (const Block* block = near(address)) {
    place.kind = block->live ? block->kind : MemoryKind::freed;
    place.allocation = block->row;
    place.variable = block->variable;
    place.offset = int64_t(address - block->address);
    place.size = block->bytes;
  } else {
    place.kind = is_device_range(address) ? MemoryKind::no_buffer
                 : host_has(address)      ? MemoryKind::host
                                          : MemoryKind::not_mapped;
  }
  return place;
}

std::vector<Block> MemoryTable::live() const {
  std::vector<Block> all;
  for (const auto& [address, block] : blocks_) {
    if (block.live) all.push_back(block);
  }
  return all;
}

bool host_has(uint64_t address) {
  static const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
  if (address < page) return false;
  unsigned char resident = 0;
  // ENOMEM says that nothing is mapped there; that a page is not resident is no error.
  return mincore(reinterpret_cast<void*>(address / page * page), 1, &resident) == 0 || errno != ENOMEM;
}

}  // namespace warpbook::cudart
