// Device memory as the host sees it: allocate, free, copy. What kernels do to it is in simt/access.
#include "simt/memory.h"

#include <fmt/format.h>

#include <cstring>

#include "simt/access/allocation.h"

namespace warpbook::simt {
namespace {

std::string readable_bytes(uint64_t bytes) {
  if (bytes >= (1ull << 30)) return fmt::format("{:.4g} GiB", double(bytes) / double(1ull << 30));
  if (bytes >= (1ull << 20)) return fmt::format("{:.4g} MiB", double(bytes) / double(1ull << 20));
  return fmt::format("{} bytes", bytes);
}

Error refusal(Trouble trouble, std::string message, std::string hint = {}) {
  Error error;
  error.message = std::move(message);
  error.trouble = trouble;
  error.hint = std::move(hint);
  return error;
}

}  // namespace

Memory::State::State(uint64_t budget_bytes) : budget(budget_bytes) {
  for (uint32_t i = 0; i < wide_windows; ++i) free_wide.push_back(i);
}

Allocation* Memory::State::narrow_window_of(Address address) const {
  const uint32_t window = uint32_t((address - wide_end) >> narrow_shift);
  auto after = narrow.upper_bound(window);
  if (after == narrow.begin()) return nullptr;
  --after;
  return window < after->first + after->second.span ? after->second.allocation.get() : nullptr;
}

void Memory::State::mark_written(Allocation& a, uint64_t at, uint64_t count) {
  if (a.all_written.load(std::memory_order_relaxed)) return;
  if (at == 0 && count == a.info.bytes) {
    a.all_written = true;
    a.written = Pages();
    return;
  }
  if (!a.written) a.written = Pages::zeros(a.info.bytes);
  if (a.written) std::memset(a.written_bytes() + at, 1, count);
}

Memory::Memory(uint64_t budget) : state_(std::make_unique<State>(budget)) {}
Memory::~Memory() = default;

Result<Address> Memory::allocate(uint64_t bytes, std::string name, uint32_t element_bytes) {
  State& s = *state_;
  if (bytes > s.budget || s.used > s.budget - bytes) {
    return refusal(Trouble::limit,
                   fmt::format("{} needs {}, but {} of the {} of device memory are in use.", name,
                               readable_bytes(bytes), readable_bytes(s.used), readable_bytes(s.budget)),
                   "Use a smaller size, or free buffers that are no longer needed.");
  }
  auto a = std::make_unique<Allocation>();
  a->bytes = Pages::poisoned(bytes);
  if (!a->bytes) {
    return refusal(Trouble::limit,
                   fmt::format("The computer has no room for {} of {}.", readable_bytes(bytes), name),
                   "Use a smaller size, or close other programs.");
  }
  a->live = true;
  a->all_written = bytes == 0;
  a->info.bytes = bytes;
  a->info.name = std::move(name);
  a->info.element_bytes = element_bytes ? element_bytes : 1;
  // A byte-sized element may share a word with a neighbour that another block owns.
  a->granule_shift = a->info.element_bytes % 4 == 0 ? 2 : a->info.element_bytes % 2 == 0 ? 1 : 0;

  // Room for indices that miss on either side must stay: a buffer beyond 20 GiB goes to the narrow windows.
  if (!s.free_wide.empty() && bytes <= (20ull << 30)) {
    const uint32_t window = s.free_wide.front();
    s.free_wide.pop_front();
    a->info.address = wide_begin + (uint64_t(window) << wide_shift) + wide_offset;
    s.used += bytes;
    s.wide[window] = std::move(a);
    return s.wide[window]->info.address;
  }
  const uint32_t span = uint32_t((2 * narrow_offset + bytes + (1u << narrow_shift) - 1) >> narrow_shift);
  auto& again = s.free_narrow[span];
  uint32_t first = 0;
  if (s.next_narrow + span <= narrow_windows) {
    first = s.next_narrow;
    s.next_narrow += span;
  } else if (!again.empty()) {
    first = again.front();
    again.pop_front();
  } else {
    return refusal(Trouble::limit, fmt::format("No address range is left for {}.", a->info.name),
                   "Free buffers that are no longer needed.");
  }
  a->info.address = wide_end + (uint64_t(first) << narrow_shift) + narrow_offset;
  const Address address = a->info.address;
  s.used += bytes;
  s.narrow[first] = {span, std::move(a)};
  return address;
}

Result<Done> Memory::free(Address address) {
  State& s = *state_;
  Allocation* a = s.window_of(address);
  if (!a || a->info.address != address) {
    return refusal(Trouble::bad_input, fmt::format("Address {:#x} is not the start of a buffer.", address),
                   "Free what allocate returned, once.");
  }
  if (!a->live) {
    return refusal(Trouble::bad_input, fmt::format("{} was freed already.", a->info.name),
                   "Free a buffer once.");
  }
  a->live = false;
  a->bytes = Pages();
  a->written = Pages();
  s.used -= a->info.bytes;
  if (address < wide_end) {
    s.free_wide.push_back(uint32_t((address - wide_begin) >> wide_shift));
  } else {
    const uint32_t first = uint32_t((address - wide_end) >> narrow_shift);
    s.free_narrow[s.narrow[first].span].push_back(first);
  }
  return Done{};
}

namespace {

Result<Allocation*> live_range(const Memory::State& s, Address address, uint64_t count, const char* what) {
  Allocation* a = s.window_of(address);
  if (!a || !a->live) {
    return refusal(
        Trouble::bad_input,
        a ? fmt::format("The {} address {:#x} lies in {}, which was freed.", what, address, a->info.name)
          : fmt::format("The {} address {:#x} lies in no buffer.", what, address));
  }
  if (!a->contains(address, count)) {
    return refusal(Trouble::bad_input,
                   fmt::format("{} bytes from offset {} do not fit into {}, which has {} bytes.", count,
                               int64_t(address - a->info.address), a->info.name, a->info.bytes));
  }
  return a;
}

}  // namespace

Result<Done> Memory::write(Address to, std::span<const std::byte> bytes) {
  auto a = live_range(*state_, to, bytes.size(), "target");
  if (!a) return a.error();
  const uint64_t at = to - (*a)->info.address;
  if (!bytes.empty()) std::memcpy((*a)->host() + at, bytes.data(), bytes.size());
  State::mark_written(**a, at, bytes.size());
  return Done{};
}

Result<Done> Memory::read(Address from, std::span<std::byte> bytes) const {
  auto a = live_range(*state_, from, bytes.size(), "source");
  if (!a) return a.error();
  if (!bytes.empty()) std::memcpy(bytes.data(), (*a)->host() + (from - (*a)->info.address), bytes.size());
  return Done{};
}

const AllocationInfo* Memory::find(Address address) const {
  const Allocation* a = state_->window_of(address);
  return a && a->live ? &a->info : nullptr;
}

uint64_t Memory::bytes_in_use() const { return state_->used; }

}  // namespace warpbook::simt
