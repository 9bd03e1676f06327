// Device memory as the host sees it: allocate, free, copy. What kernels do to it is in simt/access.
#include "simt/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

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

Result<Address> Memory::State::place(std::unique_ptr<Allocation> a) {
  a->live = true;
  if (a->info.element_bytes == 0) a->info.element_bytes = 1;
  const uint64_t bytes = a->info.bytes;
  // A byte-sized element may share a word with a neighbour that another block owns.
  a->granule_shift = a->info.element_bytes % 4 == 0 ? 2 : a->info.element_bytes % 2 == 0 ? 1 : 0;

  // Room for indices that miss on either side must stay: a buffer beyond 20 GiB goes to the narrow windows.
  if (!free_wide.empty() && bytes <= (20ull << 30)) {
    const uint32_t window = free_wide.front();
    free_wide.pop_front();
    a->info.address = wide_begin + (uint64_t(window) << wide_shift) + wide_offset;
    used += bytes;
    wide[window] = std::move(a);
    return wide[window]->info.address;
  }
  const uint32_t span = uint32_t((2 * narrow_offset + bytes + (1u << narrow_shift) - 1) >> narrow_shift);
  auto& again = free_narrow[span];
  uint32_t first = 0;
  if (next_narrow + span <= narrow_windows) {
    first = next_narrow;
    next_narrow += span;
  } else if (!again.empty()) {
    first = again.front();
    again.pop_front();
  } else {
    return refusal(Trouble::limit, fmt::format("No address range is left for {}.", a->info.name),
                   "Free buffers that are no longer needed.");
  }
  a->info.address = wide_end + (uint64_t(first) << narrow_shift) + narrow_offset;
  const Address address = a->info.address;
  used += bytes;
  narrow[first] = {span, std::move(a)};
  return address;
}

namespace {

/// Nothing when `bytes` more fit.
std::optional<Error> over_budget(const Memory::State& s, uint64_t bytes, const std::string& name) {
  if (bytes <= s.budget && s.used <= s.budget - bytes) return std::nullopt;
  return refusal(Trouble::limit,
                 fmt::format("{} needs {}, but {} of the {} of device memory are in use.", name,
                             readable_bytes(bytes), readable_bytes(s.used), readable_bytes(s.budget)),
                 "Use a smaller size, or free buffers that are no longer needed.");
}

Error no_room(uint64_t bytes, const std::string& name) {
  return refusal(Trouble::limit,
                 fmt::format("The computer has no room for {} of {}.", readable_bytes(bytes), name),
                 "Use a smaller size, or close other programs.");
}

std::unique_ptr<Allocation> allocation_of(uint64_t bytes, std::string name, uint32_t element_bytes) {
  auto a = std::make_unique<Allocation>();
  a->info.bytes = bytes;
  a->info.name = std::move(name);
  a->info.element_bytes = element_bytes;
  return a;
}

}  // namespace

Result<Address> Memory::allocate(uint64_t bytes, std::string name, uint32_t element_bytes) {
  if (auto error = over_budget(*state_, bytes, name)) return *error;
  auto a = allocation_of(bytes, std::move(name), element_bytes);
  a->bytes = Pages::poisoned(bytes);
  if (!a->bytes) return no_room(bytes, a->info.name);
  a->all_written = bytes == 0;
  return state_->place(std::move(a));
}

Result<Address> Memory::allocate_visible(uint64_t bytes, std::string name, uint32_t element_bytes) {
  if (auto error = over_budget(*state_, bytes, name)) return *error;
  auto made = allocation_of(bytes, std::move(name), element_bytes);
  made->visible = true;
  made->all_written = true;
  auto address = state_->place(std::move(made));
  if (!address) return address;
  Allocation& a = *state_->window_of(*address);
  a.bytes = Pages::zeros_at(*address, bytes);
  if (a.bytes) return address;
  const Error error = no_room(bytes, a.info.name);
  (void)free(*address);
  return error;
}

Result<Address> Memory::adopt(std::byte* host, uint64_t bytes, std::string name, uint32_t element_bytes) {
  auto a = allocation_of(bytes, std::move(name), element_bytes);
  a->bytes = Pages::borrowed(host, bytes);
  a->visible = true;
  a->all_written = true;
  return state_->place(std::move(a));
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

Result<Done> Memory::copy(Address to, Address from, uint64_t bytes) {
  auto target = live_range(*state_, to, bytes, "target");
  if (!target) return target.error();
  auto source = live_range(*state_, from, bytes, "source");
  if (!source) return source.error();
  if (bytes == 0) return Done{};
  Allocation& t = **target;
  const Allocation& s = **source;
  const uint64_t t_at = to - t.info.address, s_at = from - s.info.address;
  std::memmove(t.host() + t_at, s.host() + s_at, bytes);
  const bool all = never_written(from, bytes).bytes == 0;
  if (all || t.all_written) {
    State::mark_written(t, t_at, bytes);
  } else {
    if (!t.written) t.written = Pages::zeros(t.info.bytes);
    if (t.written && s.written) {
      std::memmove(t.written_bytes() + t_at, s.written_bytes() + s_at, bytes);
    }
  }
  return Done{};
}

Result<Done> Memory::fill(Address to, std::byte value, uint64_t bytes) {
  auto a = live_range(*state_, to, bytes, "target");
  if (!a) return a.error();
  const uint64_t at = to - (*a)->info.address;
  if (bytes) std::memset((*a)->host() + at, int(value), bytes);
  State::mark_written(**a, at, bytes);
  return Done{};
}

Memory::Unwritten Memory::never_written(Address from, uint64_t bytes) const {
  const Allocation* a = state_->window_of(from);
  if (!a || !a->live || !a->contains(from, bytes) || a->all_written || bytes == 0) return {};
  const uint64_t at = from - a->info.address;
  if (!a->written) return {bytes, at};
  const uint8_t* const begin = a->written_bytes() + at;
  const auto* first = static_cast<const uint8_t*>(std::memchr(begin, 0, bytes));
  if (!first) return {};
  return {uint64_t(std::count(first, begin + bytes, uint8_t(0))), at + uint64_t(first - begin)};
}

const AllocationInfo* Memory::find(Address address) const {
  const Allocation* a = state_->window_of(address);
  return a && a->live ? &a->info : nullptr;
}

uint64_t Memory::bytes_in_use() const { return state_->used; }

}  // namespace warpbook::simt
