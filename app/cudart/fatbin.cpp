// See fatbin.h.
#include "cudart/fatbin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/complaint.h"
#include "base/dynamic_library.h"
#include "base/text.h"

namespace warpbook::cudart {
namespace {

constexpr uint64_t container_header = 16;
constexpr uint64_t smallest_entry_header = 0x40;
/// Flags of an entry.
constexpr uint64_t flag_lz4 = 0x2000, flag_zstd = 0x8000;
constexpr uint64_t most_unpacked = 1ull << 30;
constexpr const char* rebuild =
    "Rebuild it with nvcc --compress-mode=none and PTX inside: -gencode "
    "arch=compute_80,code=compute_80.";

template <class T>
T at(std::string_view bytes, uint64_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Error unknown_layout(std::string_view what) {
  return complaint(Trouble::unsupported,
                   fmt::format("The program's device code has a layout that is not known: {}.", what),
                   rebuild);
}

std::string architectures(const std::vector<FatbinImage>& images, FatbinImage::Kind kind) {
  std::vector<std::string> names;
  for (const FatbinImage& image : images) {
    if (image.kind != kind) continue;
    names.push_back(
        fmt::format("{}_{}", kind == FatbinImage::Kind::ptx ? "compute" : "sm", image.architecture));
  }
  return join(names, ", ");
}

}  // namespace

Result<uint64_t> container_bytes(const void* data) {
  const std::string_view head(static_cast<const char*>(data), container_header);
  if (at<uint32_t>(head, 0) != container_magic)
    return unknown_layout("it does not begin as a container does");
  if (at<uint16_t>(head, 4) != 1 || at<uint16_t>(head, 6) != container_header) {
    return unknown_layout(
        fmt::format("version {}, a head of {} bytes", at<uint16_t>(head, 4), at<uint16_t>(head, 6)));
  }
  return container_header + at<uint64_t>(head, 8);
}

Result<std::vector<FatbinImage>> read_fatbin(std::string_view container) {
  if (container.size() < container_header) return unknown_layout("it is too short");
  auto bytes = container_bytes(container.data());
  if (!bytes) return bytes.error();
  if (*bytes > container.size()) return unknown_layout("it is cut off");
  std::vector<FatbinImage> images;
  uint64_t offset = container_header;
  while (offset + smallest_entry_header <= *bytes) {
    const std::string_view entry = container.substr(offset, *bytes - offset);
    const auto kind = at<uint16_t>(entry, 0);
    const auto header = at<uint32_t>(entry, 4);
    const auto padded = at<uint64_t>(entry, 8);
    const auto packed = at<uint32_t>(entry, 16);
    const auto flags = at<uint64_t>(entry, 40);
    if (header < smallest_entry_header || header > entry.size() || padded > entry.size() - header) {
      return unknown_layout(fmt::format("an image with a head of {} and {} bytes", header, padded));
    }
    FatbinImage image;
    image.kind = kind == 1   ? FatbinImage::Kind::ptx
                 : kind == 2 ? FatbinImage::Kind::cubin
                             : FatbinImage::Kind::other;
    image.packing = flags & flag_zstd  ? FatbinImage::Packing::zstd
                    : flags & flag_lz4 ? FatbinImage::Packing::lz4
                                       : FatbinImage::Packing::none;
    image.architecture = int(at<uint32_t>(entry, 28));
    image.unpacked_bytes = at<uint64_t>(entry, 56);
    if (image.packing != FatbinImage::Packing::none && packed > padded)
      return unknown_layout("a packed image");
    image.bytes = entry.substr(header, image.packing == FatbinImage::Packing::none ? padded : packed);
    images.push_back(image);
    offset += header + padded;
  }
  return images;
}

Result<ChosenPtx> choose_ptx(const std::vector<FatbinImage>& images, int architecture) {
  const FatbinImage* best = nullptr;
  for (const FatbinImage& image : images) {
    if (image.kind != FatbinImage::Kind::ptx || image.architecture > architecture) continue;
    if (!best || image.architecture > best->architecture) best = &image;
  }
  if (!best) {
    const std::string ptx = architectures(images, FatbinImage::Kind::ptx);
    const std::string cubins = architectures(images, FatbinImage::Kind::cubin);
    if (!ptx.empty()) {
      return complaint(
          Trouble::unsupported,
          fmt::format("The program has PTX for {}, which is newer than the GPU (sm_{}).", ptx, architecture),
          fmt::format("Build it for this GPU: -gencode arch=compute_{0},code=compute_{0}.", architecture));
    }
    if (!cubins.empty()) {
      return complaint(
          Trouble::unsupported,
          fmt::format("The program has machine code only ({}), and no PTX that could run here.", cubins),
          rebuild);
    }
    return complaint(Trouble::unsupported, "The program has no device code.", rebuild);
  }
  ChosenPtx chosen;
  chosen.architecture = best->architecture;
  if (best->packing == FatbinImage::Packing::lz4) {
    return complaint(
        Trouble::unsupported,
        "The program's device code is packed in a way that cannot be read here (--compress-mode=speed).",
        rebuild);
  }
  if (best->packing == FatbinImage::Packing::zstd) {
    auto text = unpack_zstd(best->bytes, best->unpacked_bytes);
    if (!text) return text.error();
    chosen.text = std::move(*text);
  } else {
    chosen.text = std::string(best->bytes);
  }
  // Padded with zeros.
  chosen.text.resize(std::min(chosen.text.find('\0'), chosen.text.size()));
  return chosen;
}

Result<std::string> unpack_zstd(std::string_view packed, uint64_t unpacked_bytes) {
  if (unpacked_bytes == 0 || unpacked_bytes > most_unpacked)
    return unknown_layout("a packed image without a size");
  auto library = DynamicLibrary::open("libzstd.so.1");
  if (!library) {
    return complaint(Trouble::not_found,
                     "The program's device code is packed, and the zstd library is not here.", rebuild);
  }
  // size_t ZSTD_decompress(void* dst, size_t dstCapacity, const void* src, size_t compressedSize)
  using Decompress = size_t (*)(void*, size_t, const void*, size_t);
  const auto decompress = reinterpret_cast<Decompress>(library->symbol("ZSTD_decompress"));
  std::string text(unpacked_bytes, '\0');
  if (!decompress || decompress(text.data(), text.size(), packed.data(), packed.size()) != unpacked_bytes) {
    return complaint(Trouble::unsupported, "The program's device code cannot be unpacked.", rebuild);
  }
  return text;
}

}  // namespace warpbook::cudart
