// See launch_memo.h. Which allocations a kernel touched, the emulator's memory tells (Allocation::loaded and
// stored). Memory that the host writes unseen (managed, pinned) has no number, so a launch that touches it is
// always executed.
#include "device/launch_memo.h"

#include <algorithm>
#include <cstring>

#include "simt/access/allocation.h"

namespace warpbook {
namespace {

/// Kept for each key: a loop that goes through several states of memory comes back to each.
constexpr size_t most_entries = 4;
/// Keys without kept contents cost little, but a program may make millions.
constexpr size_t most_keys = 4096;

template <class T>
void append(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

void LaunchMemo::changed(DeviceAddress allocation) { numbers_[allocation] = ++last_number_; }

void LaunchMemo::forget(DeviceAddress allocation) { numbers_.erase(allocation); }

uint64_t LaunchMemo::number_of(DeviceAddress allocation) {
  uint64_t& number = numbers_[allocation];
  if (number == 0) number = ++last_number_;
  return number;
}

std::string LaunchMemo::key_of(uint32_t module, const std::string& kernel, const Launch& launch,
                               std::span<const KernelArgument> arguments, Level level) {
  std::string key = kernel + '\0';
  append(key, module);
  append(key, level);
  for (const Dim3& size : {launch.grid, launch.block}) {
    append(key, size.x);
    append(key, size.y);
    append(key, size.z);
  }
  append(key, launch.shared_bytes);
  append(key, launch.shared_optin);
  for (const KernelArgument& argument : arguments) {
    key.append(reinterpret_cast<const char*>(argument.bytes.data()), argument.bytes.size());
  }
  return key;
}

std::shared_ptr<const LaunchMemo::Content> LaunchMemo::content_of(DeviceAddress allocation) const {
  const simt::Allocation* a = memory_.state().window_of(allocation);
  if (!a || !a->live) return nullptr;
  auto content = std::make_shared<Content>();
  content->bytes.assign(a->host(), a->host() + a->info.bytes);
  content->all_written = a->all_written;
  if (!content->all_written && a->written) {
    content->written.assign(a->written_bytes(), a->written_bytes() + a->info.bytes);
  }
  return content;
}

bool LaunchMemo::holds(DeviceAddress allocation, const Content& content) const {
  const simt::Allocation* a = memory_.state().window_of(allocation);
  if (!a || !a->live || a->info.bytes != content.bytes.size() || a->all_written != content.all_written) {
    return false;
  }
  if (std::memcmp(a->host(), content.bytes.data(), content.bytes.size()) != 0) return false;
  if (content.all_written) return true;
  return a->written && !content.written.empty() &&
         std::memcmp(a->written_bytes(), content.written.data(), content.written.size()) == 0;
}

void LaunchMemo::put_back(const Touched& touched) {
  simt::Allocation& a = *memory_.state().window_of(touched.allocation);
  const Content& content = *touched.content;
  std::memcpy(a.host(), content.bytes.data(), content.bytes.size());
  if (content.all_written) {
    simt::Memory::State::mark_written(a, 0, a.info.bytes);
  } else {
    a.all_written = false;
    if (!a.written) a.written = simt::Pages::zeros(a.info.bytes);
    if (!content.written.empty()) {
      std::memcpy(a.written_bytes(), content.written.data(), content.written.size());
    }
  }
  numbers_[touched.allocation] = touched.after;
}

/// The launch would find what it found then, and its result is there or can be put back.
bool LaunchMemo::fits(const Touched& t) const {
  const auto found = numbers_.find(t.allocation);
  if (found == numbers_.end()) return false;
  const uint64_t number = found->second;
  // What it wrote without reading it holds its result already: it would write the same bytes again.
  if (t.after != 0 && !t.read && number == t.after) return true;
  return number == t.before && (t.after == 0 || t.content);
}

const RememberedLaunch* LaunchMemo::repeat(const std::string& key) {
  const auto known = entries_.find(key);
  if (known == entries_.end()) return nullptr;
  for (const Entry& entry : known->second) {
    if (!std::all_of(entry.touched.begin(), entry.touched.end(), [&](const Touched& t) { return fits(t); }))
      continue;
    for (const Touched& t : entry.touched) {
      if (t.after != 0 && numbers_[t.allocation] != t.after) put_back(t);
    }
    return &entry.launch;
  }
  return nullptr;
}

void LaunchMemo::begin() {
  memory_.state().each_live([](simt::Allocation& a) { a.loaded = a.stored = false; });
}

std::vector<DeviceAddress> LaunchMemo::written() const {
  std::vector<DeviceAddress> all;
  memory_.state().each_live([&](const simt::Allocation& a) {
    if (a.stored) all.push_back(a.info.address);
  });
  return all;
}

void LaunchMemo::end(const std::string* key, RememberedLaunch launch) {
  Entry entry;
  bool keep = key != nullptr;
  const auto known = keep ? entries_.find(*key) : entries_.end();
  const bool again = known != entries_.end();
  std::vector<simt::Allocation*> touched;
  memory_.state().each_live([&](simt::Allocation& a) {
    if (a.loaded || a.stored) touched.push_back(&a);
    keep = keep && !((a.loaded || a.stored) && a.visible);
  });
  for (simt::Allocation* a : touched) {
    const DeviceAddress address = a->info.address;
    Touched t{address, number_of(address), 0, a->loaded, nullptr};
    if (a->stored && again && keep) {
      // A content that was kept before gets its old number back, so that loops over several kernels close.
      for (const Entry& earlier : known->second) {
        for (const Touched& then : earlier.touched) {
          if (!t.content && then.allocation == address && then.content && holds(address, *then.content)) {
            t.after = then.after;
            t.content = then.content;
          }
        }
      }
      if (!t.content && a->info.bytes <= most_kept / 4) {
        t.content = content_of(address);
        kept_ += a->info.bytes;
      }
    }
    if (a->stored) {
      if (t.after == 0) t.after = ++last_number_;
      numbers_[address] = t.after;
    }
    entry.touched.push_back(std::move(t));
  }
  if (!keep) return;
  entry.launch = std::move(launch);
  if (!again) keys_.push_back(*key);
  std::list<Entry>& list = entries_[*key];
  list.push_front(std::move(entry));
  if (list.size() > most_entries) {
    drop(list.back());
    list.pop_back();
  }
  while ((kept_ > most_kept || keys_.size() > most_keys) && !keys_.empty()) {
    const auto oldest = entries_.find(keys_.front());
    for (const Entry& old : oldest->second) drop(old);
    entries_.erase(oldest);
    keys_.pop_front();
  }
}

/// Contents that nobody else keeps are no longer counted.
void LaunchMemo::drop(const Entry& entry) {
  for (const Touched& t : entry.touched) {
    if (t.content && t.content.use_count() == 1) kept_ -= t.content->bytes.size();
  }
}

}  // namespace warpbook
