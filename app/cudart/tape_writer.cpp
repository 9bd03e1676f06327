// See tape_writer.h.
#include "cudart/tape_writer.h"

#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace warpbook::cudart {
namespace {

constexpr int most_frames = 32;     ///< looked at
constexpr size_t frames_kept = 12;  ///< outside this library

}  // namespace

void TapeWriter::open(int file) {
  file_ = file;
  if (!recording()) return;
  put(tape_head());
}

void TapeWriter::put(const std::string& record) {
  size_t done = 0;
  while (recording() && done < record.size()) {
    const ssize_t wrote = ::write(file_, record.data() + done, record.size() - done);
    if (wrote > 0) {
      done += size_t(wrote);
    } else if (errno != EINTR) {
      file_ = -1;  // a full disk, a reader that is gone: the program goes on without a tape
    }
  }
}

void TapeWriter::write(const TapeRow& row) {
  if (recording()) put_whole(tape_record(row));
}

void TapeWriter::write_captured(const CapturedLaunch& launch) {
  if (recording()) put_whole(tape_record(launch));
}

void TapeWriter::write_ptx(uint32_t module, const std::string& text) {
  if (recording()) put_whole(tape_record_of_ptx(module, text));
}

/// A record that no reader would take is left out.
void TapeWriter::put_whole(const std::string& record) {
  const std::lock_guard lock(mutex_);
  if (record.size() <= most_record_bytes) put(record);
}

void TapeWriter::find_objects() {
  struct Found {
    std::vector<Object> objects;
    std::vector<std::string> paths;
  } found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        Found& f = *static_cast<Found*>(to);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
          Object o;
          o.base = info->dlpi_addr;
          o.begin = info->dlpi_addr + segment.p_vaddr;
          o.end = o.begin + segment.p_memsz;
          const auto here = reinterpret_cast<uint64_t>(&tape_head);
          o.own = here >= o.begin && here < o.end;
          f.objects.push_back(o);
          f.paths.emplace_back(info->dlpi_name ? info->dlpi_name : "");
        }
        return 0;
      },
      &found);
  for (size_t i = 0; i < found.objects.size(); ++i) {
    Object& o = found.objects[i];
    std::string path = found.paths[i];
    if (path.empty() && i == 0) {  // the program itself comes first and without a name
      char name[4096];
      const ssize_t length = readlink("/proc/self/exe", name, sizeof name);
      path = length > 0 ? std::string(name, size_t(length)) : "program";
    }
    const auto known = std::find(paths_.begin(), paths_.end(), path);
    o.number = uint32_t(known - paths_.begin());
    if (known == paths_.end()) {
      paths_.push_back(path);
      put(tape_record_of_object(path));
    }
  }
  objects_ = std::move(found.objects);
  std::sort(objects_.begin(), objects_.end(),
            [](const Object& a, const Object& b) { return a.begin < b.begin; });
}

const TapeWriter::Object* TapeWriter::object_at(uint64_t address) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    auto after = std::upper_bound(objects_.begin(), objects_.end(), address,
                                  [](uint64_t a, const Object& o) { return a < o.begin; });
    if (after != objects_.begin() && address < (after - 1)->end) return &*(after - 1);
    if (attempt == 0) find_objects();  // libraries may have been loaded since
  }
  return nullptr;
}

std::vector<TapeFrame> TapeWriter::frames_of(void* const* addresses, int count, int first) {
  const std::lock_guard lock(mutex_);
  std::vector<TapeFrame> frames;
  for (int i = first; i < count && frames.size() < frames_kept; ++i) {
    // A return address stands behind the call: one byte before it is still the call's line.
    const uint64_t address = reinterpret_cast<uint64_t>(addresses[i]) - 1;
    const Object* object = object_at(address);
    if (!object || (object->own && frames.empty())) continue;
    frames.push_back({object->number, address - object->base});
  }
  return frames;
}

std::vector<TapeFrame> TapeWriter::callers() {
  if (!recording()) return {};
  void* addresses[most_frames];
  return frames_of(addresses, backtrace(addresses, most_frames), 1);
}

std::vector<TapeFrame> TapeWriter::callers_at(const void* instruction) {
  if (!recording()) return {};
  void* addresses[most_frames];
  const int count = backtrace(addresses, most_frames);
  // The handler's own frames come first, then the interrupted instruction itself.
  int at = 0;
  while (at < count && addresses[at] != instruction) ++at;
  if (at == count) return {};
  addresses[at] = static_cast<char*>(addresses[at]) + 1;
  return frames_of(addresses, count, at);
}

}  // namespace warpbook::cudart
