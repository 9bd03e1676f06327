#pragma once
// NumPy's .npy files: one array, little-endian, C order (NumPy enhancement proposal 1, format versions 1 to
// 3).
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "result/element.h"

namespace warpbook {

/// The elements of the file's array, which must be of `type` (u16 arrays are taken for bf16, bool for u8).
Result<std::vector<std::byte>> read_npy(const Path& file, ElementType type);
Result<std::vector<std::byte>> parse_npy(std::string_view content, ElementType type, const std::string& file);
/// A one-dimensional array. f16 is written as float16; bf16, which NumPy does not know, as uint16.
std::string write_npy(ElementType type, uint64_t count, const std::byte* data);

}  // namespace warpbook
