#pragma once
// Device code as nvcc puts it into a program: a container of images, PTX or machine code, one an
// architecture. The layout is not documented; what is here was read off programs built by CUDA 13.0 and is
// checked at every step, so that another layout is refused in words and never misread.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpbook::cudart {

struct FatbinImage {
  enum class Kind : uint8_t { ptx, cubin, other };
  enum class Packing : uint8_t { none, zstd, lz4 };
  Kind kind = Kind::other;
  Packing packing = Packing::none;
  int architecture = 0;  ///< 80
  uint64_t unpacked_bytes = 0;
  std::string_view bytes;  ///< as they lie in the container
};

inline constexpr uint32_t wrapper_magic = 0x466243B1, container_magic = 0xBA55ED50;

/// Bytes of the container that starts here, its header included. Error: it is none.
Result<uint64_t> container_bytes(const void* data);
/// Its images. Error: no container, or of a layout that is not known.
Result<std::vector<FatbinImage>> read_fatbin(std::string_view container);
/// The PTX to run on a GPU of this architecture: the highest that is not above it. Errors say what the
/// container has instead and how to rebuild.
struct ChosenPtx {
  std::string text;
  int architecture = 0;
};
Result<ChosenPtx> choose_ptx(const std::vector<FatbinImage>& images, int architecture);

/// By the system's zstd library, loaded on demand.
Result<std::string> unpack_zstd(std::string_view packed, uint64_t unpacked_bytes);

}  // namespace warpbook::cudart
