// The stand-in's share of OpenGL: a registered texture is memory here, which unmapping uploads into the real
// texture of the GL context that is current, where there is one.
#include <dlfcn.h>

#include <cstring>

#include "driver/state.h"

using namespace standin;

namespace standin {

namespace {

// GL numbers from the OpenGL registry.
constexpr unsigned texture_2d = 0x0DE1, rgba = 0x1908, unsigned_byte = 0x1401, width_of_level = 0x1000,
                   height_of_level = 0x1001, unpack_buffer = 0x88EC, buffer_size = 0x8764;

template <class F>
F gl(const char* name) {
  // The program under test has loaded EGL; the stand-in itself needs no GL to be built or used.
  using Get = void* (*)(const char*);
  using Current = void* (*)();
  const auto current = reinterpret_cast<Current>(::dlsym(RTLD_DEFAULT, "eglGetCurrentContext"));
  const auto get = reinterpret_cast<Get>(::dlsym(RTLD_DEFAULT, "eglGetProcAddress"));
  if (current == nullptr || get == nullptr || current() == nullptr) return nullptr;
  return reinterpret_cast<F>(get(name));
}

}  // namespace

void upload_to_gl(unsigned texture, uint32_t width, uint32_t height, const uint32_t* pixels) {
  const auto bind = gl<void (*)(unsigned, unsigned)>("glBindTexture");
  const auto upload =
      gl<void (*)(unsigned, int, int, int, int, int, unsigned, unsigned, const void*)>("glTexSubImage2D");
  if (bind == nullptr || upload == nullptr) return;
  bind(texture_2d, texture);
  upload(texture_2d, 0, 0, 0, int(width), int(height), rgba, unsigned_byte, pixels);
  bind(texture_2d, 0);
}

void size_in_gl(unsigned texture, uint32_t& width, uint32_t& height) {
  width = height = 0;
  const auto bind = gl<void (*)(unsigned, unsigned)>("glBindTexture");
  const auto ask = gl<void (*)(unsigned, int, unsigned, int*)>("glGetTexLevelParameteriv");
  if (bind == nullptr || ask == nullptr) return;
  int w = 0, h = 0;
  bind(texture_2d, texture);
  ask(texture_2d, 0, width_of_level, &w);
  ask(texture_2d, 0, height_of_level, &h);
  bind(texture_2d, 0);
  width = uint32_t(w), height = uint32_t(h);
}

uint64_t buffer_bytes_in_gl(unsigned buffer) {
  const auto bind = gl<void (*)(unsigned, unsigned)>("glBindBuffer");
  const auto ask = gl<void (*)(unsigned, unsigned, int*)>("glGetBufferParameteriv");
  if (bind == nullptr || ask == nullptr) return 0;
  int bytes = 0;
  bind(unpack_buffer, buffer);
  ask(unpack_buffer, buffer_size, &bytes);
  bind(unpack_buffer, 0);
  return uint64_t(bytes);
}

void fill_buffer_in_gl(unsigned buffer, const std::vector<uint32_t>& pixels) {
  const auto bind = gl<void (*)(unsigned, unsigned)>("glBindBuffer");
  const auto fill = gl<void (*)(unsigned, ptrdiff_t, ptrdiff_t, const void*)>("glBufferSubData");
  if (bind == nullptr || fill == nullptr) return;
  bind(unpack_buffer, buffer);
  fill(unpack_buffer, 0, ptrdiff_t(pixels.size() * 4), pixels.data());
  bind(unpack_buffer, 0);
}

}  // namespace standin

namespace {

GraphicsResourceObject* find(ContextObject& context, GraphicsResource resource) {
  const auto found = context.graphics.find(resource);
  return found == context.graphics.end() ? nullptr : found->second.get();
}

Code add(Call& call, GraphicsResource* resource, unsigned object, bool is_buffer) {
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (setting("STANDIN_GL", "this") != "this") return code::invalid_graphics_context;
  if (object == 0) return call.wrong("no GL object", code::invalid_value);
  for (const auto& [handle, other] : context->graphics)
    if (other->object == object && other->is_buffer == is_buffer)
      return call.wrong("it is registered already", code::invalid_value);
  auto made = std::make_unique<GraphicsResourceObject>();
  made->context = context;
  made->object = object;
  made->is_buffer = is_buffer;
  made->array.owner = made.get();
  if (is_buffer) {
    made->bytes = buffer_bytes_in_gl(object);
  } else {
    size_in_gl(object, made->width, made->height);
  }
  *resource = made.get();
  context->graphics[*resource] = std::move(made);
  return code::success;
}

}  // namespace

STANDIN_ENTRY cuGLGetDevices_v2(unsigned* count, DeviceNumber* devices, unsigned room, unsigned) {
  Call call("cuGLGetDevices_v2");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  const std::string who = setting("STANDIN_GL", "this");
  if (who == "none") return code::no_device;
  *count = 1;
  if (room > 0) devices[0] = who == "this" ? context->device : 99;
  return code::success;
}

STANDIN_ENTRY cuGraphicsGLRegisterImage(GraphicsResource* resource, unsigned image, unsigned target,
                                        unsigned) {
  Call call("cuGraphicsGLRegisterImage");
  if (call.fails()) return call.code();
  if (target != gl_texture_2d) return call.wrong("no 2D texture", code::invalid_value);
  return add(call, resource, image, false);
}

STANDIN_ENTRY cuGraphicsGLRegisterBuffer(GraphicsResource* resource, unsigned buffer, unsigned) {
  Call call("cuGraphicsGLRegisterBuffer");
  if (call.fails()) return call.code();
  return add(call, resource, buffer, true);
}

STANDIN_ENTRY cuGraphicsUnregisterResource(GraphicsResource resource) {
  Call call("cuGraphicsUnregisterResource");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  GraphicsResourceObject* known = find(*context, resource);
  if (known == nullptr) return call.wrong("no such picture", code::invalid_handle);
  if (known->mapped) call.wrong("it is still mapped", code::success);
  context->graphics.erase(resource);
  return code::success;
}

STANDIN_ENTRY cuGraphicsMapResources(unsigned count, GraphicsResource* resources, Stream) {
  Call call("cuGraphicsMapResources");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  for (unsigned i = 0; i < count; ++i) {
    GraphicsResourceObject* known = find(*context, resources[i]);
    if (known == nullptr) return call.wrong("no such picture", code::invalid_handle);
    if (known->mapped) return call.wrong("it is mapped already", code::already_mapped);
    known->mapped = true;
  }
  return code::success;
}

STANDIN_ENTRY cuGraphicsSubResourceGetMappedArray(Array* array, GraphicsResource resource, unsigned index,
                                                  unsigned level) {
  Call call("cuGraphicsSubResourceGetMappedArray");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  GraphicsResourceObject* known = find(*context, resource);
  if (known == nullptr || index != 0 || level != 0)
    return call.wrong("no such picture", code::invalid_handle);
  if (!known->mapped) return call.wrong("it is not mapped", code::not_mapped);
  if (known->is_buffer) return call.wrong("it is a buffer", code::not_mapped_as_array);
  *array = &known->array;
  return code::success;
}

STANDIN_ENTRY cuGraphicsResourceGetMappedPointer_v2(Pointer* address, size_t* bytes,
                                                    GraphicsResource resource) {
  Call call("cuGraphicsResourceGetMappedPointer_v2");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  GraphicsResourceObject* known = find(*context, resource);
  if (known == nullptr) return call.wrong("no such picture", code::invalid_handle);
  if (!known->mapped) return call.wrong("it is not mapped", code::not_mapped);
  if (!known->is_buffer) return call.wrong("it is a texture", code::not_mapped_as_pointer);
  if (known->address == 0) {
    if (known->bytes == 0) known->bytes = 1u << 20;  // no GL is there to tell
    const auto made = context->memory->allocate(known->bytes, "pixel buffer", 4);
    if (!made) return code::out_of_memory;
    known->address = *made;
  }
  *address = known->address;
  *bytes = known->bytes;
  return code::success;
}

STANDIN_ENTRY cuMemcpy2DAsync_v2(const Copy2D* copy, Stream) {
  Call call("cuMemcpy2DAsync_v2");
  if (call.fails()) return call.code();
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  if (copy->source_kind != memory_device || copy->source_pitch < copy->width_bytes)
    return call.wrong("no copy from device memory", code::invalid_value);
  std::vector<uint32_t> pixels(copy->width_bytes / 4 * copy->height);
  if (copy->source_pitch != copy->width_bytes) return call.wrong("padded rows", code::not_supported);
  if (!context->memory->read(copy->source_device, std::as_writable_bytes(std::span(pixels))))
    return call.wrong("past the end of the buffer", code::invalid_value);
  const auto width = uint32_t(copy->width_bytes / 4), height = uint32_t(copy->height);
  if (copy->target_kind == memory_array) {
    GraphicsResourceObject* owner = nullptr;
    for (const auto& [handle, one] : context->graphics)
      if (&one->array == copy->target_array) owner = one.get();
    if (owner == nullptr) return call.wrong("no such array", code::invalid_handle);
    if (!owner->mapped) return call.wrong("into a texture that is not mapped", code::not_mapped);
    if (owner->width != 0 && (owner->width != width || owner->height != height))
      return call.wrong("another size than the texture's", code::invalid_value);
    owner->width = width, owner->height = height;
    owner->pixels = std::move(pixels);
    return code::success;
  }
  for (const auto& [handle, one] : context->graphics) {
    if (!one->is_buffer || one->address != copy->target_device) continue;
    if (!one->mapped) return call.wrong("into a pixel buffer that is not mapped", code::not_mapped);
    one->pixels = std::move(pixels);
    one->width = width, one->height = height;
    return code::success;
  }
  return call.wrong("to nowhere that is known", code::invalid_value);
}

STANDIN_ENTRY cuGraphicsUnmapResources(unsigned count, GraphicsResource* resources, Stream) {
  Call call("cuGraphicsUnmapResources");
  ContextObject* context = call.context();
  if (context == nullptr) return call.code();
  for (unsigned i = 0; i < count; ++i) {
    GraphicsResourceObject* known = find(*context, resources[i]);
    if (known == nullptr) return call.wrong("no such picture", code::invalid_handle);
    if (!known->mapped) return call.wrong("it is not mapped", code::not_mapped);
    known->mapped = false;
    if (known->pixels.empty()) continue;
    State::get().textures[known->object] = known->pixels;
    if (known->is_buffer) {
      fill_buffer_in_gl(known->object, known->pixels);
    } else {
      upload_to_gl(known->object, known->width, known->height, known->pixels.data());
    }
  }
  return call.code();
}
