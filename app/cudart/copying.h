#pragma once
// Copies and fills: which memory each side is, whether it fits, and what a copy means on the tape.
#include <cstddef>
#include <cstdint>
#include <string>

#include "cudart/runtime.h"

namespace warpbook::cudart {

/// cudaMemcpyKind.
enum CopyKind : int {
  host_to_host = 0,
  host_to_device = 1,
  device_to_host = 2,
  device_to_device = 3,
  by_pointer = 4
};

/// A CopyKind as the tape shows it; "?" for what is none.
inline std::string kind_text(int kind) {
  switch (kind) {
    case host_to_host: return "cudaMemcpyHostToHost";
    case host_to_device: return "cudaMemcpyHostToDevice";
    case device_to_host: return "cudaMemcpyDeviceToHost";
    case device_to_device: return "cudaMemcpyDeviceToDevice";
    case by_pointer: return "cudaMemcpyDefault";
  }
  return "?";
}

/// What a copy is said to be, or, where the pointers are to tell, what their memory makes of it.
inline CopyDirection direction_of(int kind, bool to_device, bool from_device) {
  switch (kind) {
    case host_to_host: return CopyDirection::host_to_host;
    case host_to_device: return CopyDirection::host_to_device;
    case device_to_host: return CopyDirection::device_to_host;
    case device_to_device: return CopyDirection::device_to_device;
    default: break;
  }
  if (to_device) return from_device ? CopyDirection::device_to_device : CopyDirection::host_to_device;
  return from_device ? CopyDirection::device_to_host : CopyDirection::host_to_host;
}

/// A rectangle of rows; a plain copy has one row.
struct CopyShape {
  size_t width = 0, rows = 1;
  size_t to_pitch = 0, from_pitch = 0;
  size_t slices = 1, to_slice = 0, from_slice = 0;
  size_t bytes() const { return width * rows * slices; }
};

/// Does it, or says why not. `asynchronous`: the host does not wait when the host's side is pinned.
int copy(Call& call, void* to, const void* from, const CopyShape& shape, int kind, Stream& stream,
         bool asynchronous);
/// cudaMemset and its kin.
int fill(Call& call, void* to, int value, const CopyShape& shape, Stream& stream);

}  // namespace warpbook::cudart
