// Pages on POSIX: anonymous mappings; large poisoned ranges are private mappings of one small poisoned file,
// again and again, which the system copies page by page when they are written.
#include "simt/access/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpbook::simt {
namespace {

constexpr uint64_t page_bytes = 4096;
/// Below this a plain fill is cheaper than many mappings.
constexpr uint64_t lazy_from = 8u << 20;
/// The poisoned file; a gigabyte takes 256 mappings of it, far below the usual limit of 65,530 a process.
constexpr uint64_t pattern_bytes = 4u << 20;

std::byte* map_zeros(uint64_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<std::byte*>(p);
}

/// Lays the pattern file over [to, to + bytes); false when the system refuses (then the caller fills).
bool map_pattern(std::byte* to, uint64_t bytes) {
  const int file = memfd_create("poison", MFD_CLOEXEC);
  if (file < 0) return false;
  bool ok = ftruncate(file, off_t(pattern_bytes)) == 0;
  if (ok) {
    void* pattern = mmap(nullptr, pattern_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ok = pattern != MAP_FAILED;
    if (ok) {
      std::memset(pattern, poison, pattern_bytes);
      munmap(pattern, pattern_bytes);
    }
  }
  for (uint64_t at = 0; ok && at < bytes; at += pattern_bytes) {
    const uint64_t part = std::min(pattern_bytes, bytes - at);
    ok = mmap(to + at, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) !=
         MAP_FAILED;
  }
  close(file);
  return ok;
}

}  // namespace

Pages::~Pages() {
  if (data_ && !borrowed_) munmap(data_, bytes_);
}

Pages::Pages(Pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      borrowed_(std::exchange(other.borrowed_, false)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(borrowed_, other.borrowed_);
  return *this;
}

Pages Pages::zeros(uint64_t bytes) {
  Pages pages;
  const uint64_t rounded = std::max(page_bytes, (bytes + page_bytes - 1) / page_bytes * page_bytes);
  pages.data_ = map_zeros(rounded);
  if (pages.data_) pages.bytes_ = rounded;
  return pages;
}

Pages Pages::poisoned(uint64_t bytes) {
  Pages pages = zeros(bytes);
  if (!pages) return pages;
  if (pages.bytes_ < lazy_from || !map_pattern(pages.data_, pages.bytes_)) {
    std::memset(pages.data_, poison, pages.bytes_);
  }
  return pages;
}

Pages Pages::zeros_at(uint64_t address, uint64_t bytes) {
  Pages pages;
  const uint64_t rounded = std::max(page_bytes, (bytes + page_bytes - 1) / page_bytes * page_bytes);
  void* const wanted = reinterpret_cast<void*>(address);
  void* const p = mmap(wanted, rounded, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (p == MAP_FAILED) return pages;
  if (p != wanted) {  // a kernel that does not know MAP_FIXED_NOREPLACE takes the address for a wish
    munmap(p, rounded);
    return pages;
  }
  pages.data_ = static_cast<std::byte*>(p);
  pages.bytes_ = rounded;
  return pages;
}

Pages Pages::borrowed(std::byte* data, uint64_t bytes) {
  Pages pages;
  pages.data_ = data;
  pages.bytes_ = bytes;
  pages.borrowed_ = true;
  return pages;
}

}  // namespace warpbook::simt
