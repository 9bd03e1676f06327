// cudaMemcpy, cudaMemset and their kin. Names that end in _ptds and _ptsz are those of programs built with
// --default-stream per-thread; calls are executed in their order either way.
#include <string>

#include "cudart/copying.h"

using namespace warpbook::cudart;

namespace {

int plain_copy(const char* name, void* to, const void* from, size_t bytes, int kind, Handle handle,
               bool asynchronous) {
  Call call(name);
  call.memory("dst", to).memory("src", from).argument("count", bytes).argument("kind", kind_text(kind));
  call.row.bytes = bytes;
  Stream* stream = call.stream(handle);
  if (call.refused()) return call.finish();
  return copy(call, to, from, {bytes, 1}, kind, *stream, asynchronous);
}

int rectangle_copy(const char* name, void* to, size_t to_pitch, const void* from, size_t from_pitch,
                   size_t width, size_t height, int kind, Handle handle, bool asynchronous) {
  Call call(name);
  call.memory("dst", to).argument("dpitch", to_pitch).memory("src", from).argument("spitch", from_pitch);
  call.argument("width", width).argument("height", height).argument("kind", kind_text(kind));
  Stream* stream = call.stream(handle);
  if (call.refused()) return call.finish();
  if (width > to_pitch || width > from_pitch) {
    return call.finish(invalid_pitch, "A row is wider than the distance between rows.");
  }
  return copy(call, to, from, {width, height, to_pitch, from_pitch}, kind, *stream, asynchronous);
}

int box_copy(const char* name, const Copy3D* parameters, Handle handle, bool asynchronous) {
  Call call(name);
  Stream* stream = call.stream(handle);
  if (call.refused()) return call.finish();
  if (!parameters) return call.finish(invalid_value);
  const Copy3D& p = *parameters;
  call.memory("dst", p.target.pointer).memory("src", p.source.pointer);
  call.argument("width", p.extent.width)
      .argument("height", p.extent.height)
      .argument("depth", p.extent.depth);
  call.argument("kind", kind_text(p.kind));
  if (p.source_array || p.target_array) {
    call.row.modelled = false;
    return call.finish(not_supported, "Warpbook does not model CUDA arrays yet.");
  }
  const size_t to_slice = p.target.pitch * p.target.y_size, from_slice = p.source.pitch * p.source.y_size;
  const CopyShape shape{p.extent.width, p.extent.height, p.target.pitch, p.source.pitch,
                        p.extent.depth, to_slice,        from_slice};
  auto* const to = static_cast<char*>(p.target.pointer) + p.target_position.x +
                   p.target_position.y * p.target.pitch + p.target_position.z * to_slice;
  const auto* const from = static_cast<const char*>(p.source.pointer) + p.source_position.x +
                           p.source_position.y * p.source.pitch + p.source_position.z * from_slice;
  return copy(call, to, from, shape, p.kind, *stream, asynchronous);
}

/// A symbol is the address of the variable's shadow on the host.
RegisteredVariable* variable_of(Call& call, const void* symbol) {
  RegisteredVariable* variable = call.runtime.registry.variable(symbol);
  if (!variable) return nullptr;
  auto loaded = call.runtime.load(call.runtime.registry.module(variable->module));
  if (!loaded) call.row.note = loaded.error().message;
  return variable->address ? variable : nullptr;
}

int symbol_copy(const char* name, bool to_symbol, const void* symbol, void* other, size_t bytes,
                size_t offset, int kind, Handle handle, bool asynchronous) {
  Call call(name);
  if (call.recording) {
    const RegisteredVariable* known = call.runtime.registry.variable(symbol);
    call.argument("symbol", known ? known->name : pointer_text(symbol));
  }
  call.memory(to_symbol ? "src" : "dst", other);
  call.argument("count", bytes).argument("offset", offset).argument("kind", kind_text(kind));
  Stream* stream = call.stream(handle);
  if (call.refused()) return call.finish();
  const RegisteredVariable* variable = variable_of(call, symbol);
  if (!variable) {
    return call.finish(invalid_symbol, call.row.note.empty()
                                           ? "It is no __device__ or __constant__ variable of this program."
                                           : call.row.note);
  }
  auto* const place = reinterpret_cast<char*>(variable->address) + offset;
  if (call.recording)
    call.row.places.push_back(call.runtime.memory.place("symbol", variable->address + offset));
  void* const to = to_symbol ? place : other;
  const void* const from = to_symbol ? other : place;
  return copy(call, to, from, {bytes, 1}, kind, *stream, asynchronous);
}

int set(const char* name, void* to, int value, const CopyShape& shape, Handle handle) {
  Call call(name);
  call.memory("devPtr", to).argument("value", value);
  if (shape.rows == 1 && shape.slices == 1) {
    call.argument("count", shape.width);
  } else {
    call.argument("pitch", shape.to_pitch).argument("width", shape.width).argument("height", shape.rows);
  }
  Stream* stream = call.stream(handle);
  if (call.refused()) return call.finish();
  return fill(call, to, value, shape, *stream);
}

CopyShape box_of(const PitchedPointer& to, const Extent& extent) {
  return {extent.width, extent.height, to.pitch, 0, extent.depth, to.pitch * to.y_size, 0};
}

int symbol_address(const void* symbol, void** address, size_t* bytes, const char* name) {
  Call call(name);
  if (call.refused()) return call.finish();
  const RegisteredVariable* variable = variable_of(call, symbol);
  if (!variable)
    return call.finish(invalid_symbol, "It is no __device__ or __constant__ variable of this program.");
  call.argument("symbol", variable->name);
  if (address) *address = reinterpret_cast<void*>(variable->address);
  if (bytes) *bytes = variable->bytes;
  return call.finish(success);
}

}  // namespace

WARPBOOK_EXPORT int cudaMemcpy(void* to, const void* from, size_t bytes, int kind) {
  return plain_copy("cudaMemcpy", to, from, bytes, kind, nullptr, false);
}
WARPBOOK_EXPORT int cudaMemcpy_ptds(void* to, const void* from, size_t bytes, int kind) {
  return plain_copy("cudaMemcpy", to, from, bytes, kind, nullptr, false);
}

WARPBOOK_EXPORT int cudaMemcpyAsync(void* to, const void* from, size_t bytes, int kind, Handle stream) {
  return plain_copy("cudaMemcpyAsync", to, from, bytes, kind, stream, true);
}
WARPBOOK_EXPORT int cudaMemcpyAsync_ptsz(void* to, const void* from, size_t bytes, int kind, Handle stream) {
  return plain_copy("cudaMemcpyAsync", to, from, bytes, kind, stream, true);
}

WARPBOOK_EXPORT int cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return plain_copy("cudaMemcpyPeer", to, from, bytes, by_pointer, nullptr, false);
}

WARPBOOK_EXPORT int cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, Handle stream) {
  return plain_copy("cudaMemcpyPeerAsync", to, from, bytes, by_pointer, stream, true);
}

WARPBOOK_EXPORT int cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                 size_t height, int kind) {
  return rectangle_copy("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind, nullptr, false);
}
WARPBOOK_EXPORT int cudaMemcpy2D_ptds(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                      size_t width, size_t height, int kind) {
  return rectangle_copy("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind, nullptr, false);
}

WARPBOOK_EXPORT int cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                      size_t width, size_t height, int kind, Handle stream) {
  return rectangle_copy("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind, stream,
                        true);
}
WARPBOOK_EXPORT int cudaMemcpy2DAsync_ptsz(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                           size_t width, size_t height, int kind, Handle stream) {
  return rectangle_copy("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind, stream,
                        true);
}

WARPBOOK_EXPORT int cudaMemcpy3D(const Copy3D* parameters) {
  return box_copy("cudaMemcpy3D", parameters, nullptr, false);
}
WARPBOOK_EXPORT int cudaMemcpy3D_ptds(const Copy3D* parameters) {
  return box_copy("cudaMemcpy3D", parameters, nullptr, false);
}

WARPBOOK_EXPORT int cudaMemcpy3DAsync(const Copy3D* parameters, Handle stream) {
  return box_copy("cudaMemcpy3DAsync", parameters, stream, true);
}
WARPBOOK_EXPORT int cudaMemcpy3DAsync_ptsz(const Copy3D* parameters, Handle stream) {
  return box_copy("cudaMemcpy3DAsync", parameters, stream, true);
}

WARPBOOK_EXPORT int cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                                       int kind) {
  return symbol_copy("cudaMemcpyToSymbol", true, symbol, const_cast<void*>(from), bytes, offset, kind,
                     nullptr, false);
}
WARPBOOK_EXPORT int cudaMemcpyToSymbol_ptds(const void* symbol, const void* from, size_t bytes, size_t offset,
                                            int kind) {
  return symbol_copy("cudaMemcpyToSymbol", true, symbol, const_cast<void*>(from), bytes, offset, kind,
                     nullptr, false);
}

WARPBOOK_EXPORT int cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                            int kind, Handle stream) {
  return symbol_copy("cudaMemcpyToSymbolAsync", true, symbol, const_cast<void*>(from), bytes, offset, kind,
                     stream, true);
}
WARPBOOK_EXPORT int cudaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* from, size_t bytes,
                                                 size_t offset, int kind, Handle stream) {
  return symbol_copy("cudaMemcpyToSymbolAsync", true, symbol, const_cast<void*>(from), bytes, offset, kind,
                     stream, true);
}

WARPBOOK_EXPORT int cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                         int kind) {
  return symbol_copy("cudaMemcpyFromSymbol", false, symbol, to, bytes, offset, kind, nullptr, false);
}
WARPBOOK_EXPORT int cudaMemcpyFromSymbol_ptds(void* to, const void* symbol, size_t bytes, size_t offset,
                                              int kind) {
  return symbol_copy("cudaMemcpyFromSymbol", false, symbol, to, bytes, offset, kind, nullptr, false);
}

WARPBOOK_EXPORT int cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                              int kind, Handle stream) {
  return symbol_copy("cudaMemcpyFromSymbolAsync", false, symbol, to, bytes, offset, kind, stream, true);
}
WARPBOOK_EXPORT int cudaMemcpyFromSymbolAsync_ptsz(void* to, const void* symbol, size_t bytes, size_t offset,
                                                   int kind, Handle stream) {
  return symbol_copy("cudaMemcpyFromSymbolAsync", false, symbol, to, bytes, offset, kind, stream, true);
}

WARPBOOK_EXPORT int cudaMemset(void* to, int value, size_t bytes) {
  return set("cudaMemset", to, value, {bytes, 1}, nullptr);
}
WARPBOOK_EXPORT int cudaMemset_ptds(void* to, int value, size_t bytes) {
  return set("cudaMemset", to, value, {bytes, 1}, nullptr);
}

WARPBOOK_EXPORT int cudaMemsetAsync(void* to, int value, size_t bytes, Handle stream) {
  return set("cudaMemsetAsync", to, value, {bytes, 1}, stream);
}
WARPBOOK_EXPORT int cudaMemsetAsync_ptsz(void* to, int value, size_t bytes, Handle stream) {
  return set("cudaMemsetAsync", to, value, {bytes, 1}, stream);
}

WARPBOOK_EXPORT int cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return set("cudaMemset2D", to, value, {width, height, pitch}, nullptr);
}
WARPBOOK_EXPORT int cudaMemset2D_ptds(void* to, size_t pitch, int value, size_t width, size_t height) {
  return set("cudaMemset2D", to, value, {width, height, pitch}, nullptr);
}

WARPBOOK_EXPORT int cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                                      Handle stream) {
  return set("cudaMemset2DAsync", to, value, {width, height, pitch}, stream);
}
WARPBOOK_EXPORT int cudaMemset2DAsync_ptsz(void* to, size_t pitch, int value, size_t width, size_t height,
                                           Handle stream) {
  return set("cudaMemset2DAsync", to, value, {width, height, pitch}, stream);
}

WARPBOOK_EXPORT int cudaMemset3D(PitchedPointer to, int value, Extent extent) {
  return set("cudaMemset3D", to.pointer, value, box_of(to, extent), nullptr);
}
WARPBOOK_EXPORT int cudaMemset3D_ptds(PitchedPointer to, int value, Extent extent) {
  return set("cudaMemset3D", to.pointer, value, box_of(to, extent), nullptr);
}

WARPBOOK_EXPORT int cudaMemset3DAsync(PitchedPointer to, int value, Extent extent, Handle stream) {
  return set("cudaMemset3DAsync", to.pointer, value, box_of(to, extent), stream);
}
WARPBOOK_EXPORT int cudaMemset3DAsync_ptsz(PitchedPointer to, int value, Extent extent, Handle stream) {
  return set("cudaMemset3DAsync", to.pointer, value, box_of(to, extent), stream);
}

WARPBOOK_EXPORT int cudaGetSymbolAddress(void** address, const void* symbol) {
  return symbol_address(symbol, address, nullptr, "cudaGetSymbolAddress");
}

WARPBOOK_EXPORT int cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return symbol_address(symbol, nullptr, bytes, "cudaGetSymbolSize");
}
