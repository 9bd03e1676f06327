// The entries of the driver that are used, one row each:
//   ENTRY(member, "symbol", "older symbol" or nullptr, needed, (parameters))
// "needed": without it there is no CUDA engine; without the others some part of it is missing. Symbols are
// those that cuda.h of CUDA 13.0 maps the plain names to; an older symbol serves drivers from before them.
// Included where rows are needed, with ENTRY defined; it has no include guard on purpose.
ENTRY(init, "cuInit", nullptr, true, (unsigned flags))
ENTRY(driver_version, "cuDriverGetVersion", nullptr, true, (int* version))
ENTRY(error_name, "cuGetErrorName", nullptr, true, (Code code, const char** name))
ENTRY(error_text, "cuGetErrorString", nullptr, true, (Code code, const char** text))
ENTRY(device_count, "cuDeviceGetCount", nullptr, true, (int* count))
ENTRY(device_get, "cuDeviceGet", nullptr, true, (DeviceNumber * device, int ordinal))
ENTRY(device_name, "cuDeviceGetName", nullptr, true, (char* name, int length, DeviceNumber device))
ENTRY(device_uuid, "cuDeviceGetUuid_v2", "cuDeviceGetUuid", true, (Uuid * uuid, DeviceNumber device))
ENTRY(device_memory, "cuDeviceTotalMem_v2", nullptr, true, (size_t * bytes, DeviceNumber device))
ENTRY(device_attribute, "cuDeviceGetAttribute", nullptr, true,
      (int* value, int attribute, DeviceNumber device))

ENTRY(context_retain, "cuDevicePrimaryCtxRetain", nullptr, true, (Context * context, DeviceNumber device))
ENTRY(context_release, "cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease", true,
      (DeviceNumber device))
ENTRY(context_reset, "cuDevicePrimaryCtxReset_v2", "cuDevicePrimaryCtxReset", true, (DeviceNumber device))
ENTRY(context_push, "cuCtxPushCurrent_v2", nullptr, true, (Context context))
ENTRY(context_pop, "cuCtxPopCurrent_v2", nullptr, true, (Context * context))
ENTRY(context_set_limit, "cuCtxSetLimit", nullptr, true, (int limit, size_t value))

ENTRY(module_load, "cuModuleLoadDataEx", nullptr, true,
      (Module * module, const void* image, unsigned count, int* options, void** values))
ENTRY(module_unload, "cuModuleUnload", nullptr, true, (Module module))
ENTRY(module_function, "cuModuleGetFunction", nullptr, true,
      (Function * function, Module module, const char* name))
ENTRY(function_set, "cuFuncSetAttribute", nullptr, true, (Function function, int attribute, int value))

ENTRY(memory_info, "cuMemGetInfo_v2", nullptr, true, (size_t * free, size_t* total))
ENTRY(allocate, "cuMemAlloc_v2", nullptr, true, (Pointer * address, size_t bytes))
ENTRY(free, "cuMemFree_v2", nullptr, true, (Pointer address))
ENTRY(host_allocate, "cuMemHostAlloc", nullptr, true, (void** memory, size_t bytes, unsigned flags))
ENTRY(host_free, "cuMemFreeHost", nullptr, true, (void* memory))
ENTRY(copy_in, "cuMemcpyHtoDAsync_v2", nullptr, true,
      (Pointer to, const void* from, size_t bytes, Stream stream))
ENTRY(copy_out, "cuMemcpyDtoHAsync_v2", nullptr, true, (void* to, Pointer from, size_t bytes, Stream stream))
ENTRY(copy, "cuMemcpyDtoDAsync_v2", nullptr, true, (Pointer to, Pointer from, size_t bytes, Stream stream))
ENTRY(copy_2d, "cuMemcpy2DAsync_v2", nullptr, true, (const Copy2D* copy, Stream stream))
ENTRY(fill, "cuMemsetD8Async", nullptr, true, (Pointer to, unsigned char value, size_t bytes, Stream stream))

ENTRY(stream_create, "cuStreamCreate", nullptr, true, (Stream * stream, unsigned flags))
ENTRY(stream_destroy, "cuStreamDestroy_v2", nullptr, true, (Stream stream))
ENTRY(stream_query, "cuStreamQuery", nullptr, true, (Stream stream))
ENTRY(event_create, "cuEventCreate", nullptr, true, (Event * event, unsigned flags))
ENTRY(event_destroy, "cuEventDestroy_v2", nullptr, true, (Event event))
ENTRY(event_record, "cuEventRecord", nullptr, true, (Event event, Stream stream))
ENTRY(event_elapsed, "cuEventElapsedTime_v2", "cuEventElapsedTime", true,
      (float* milliseconds, Event start, Event end))
ENTRY(launch, "cuLaunchKernel", nullptr, true,
      (Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
       unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream stream, void** parameters,
       void** extra))

ENTRY(launch_cooperative, "cuLaunchCooperativeKernel", nullptr, false,
      (Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
       unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream stream, void** parameters))

ENTRY(gl_devices, "cuGLGetDevices_v2", "cuGLGetDevices", false,
      (unsigned* count, DeviceNumber* devices, unsigned room, unsigned list))
ENTRY(register_image, "cuGraphicsGLRegisterImage", nullptr, false,
      (GraphicsResource * resource, unsigned image, unsigned target, unsigned flags))
ENTRY(register_buffer, "cuGraphicsGLRegisterBuffer", nullptr, false,
      (GraphicsResource * resource, unsigned buffer, unsigned flags))
ENTRY(unregister, "cuGraphicsUnregisterResource", nullptr, false, (GraphicsResource resource))
ENTRY(map, "cuGraphicsMapResources", nullptr, false,
      (unsigned count, GraphicsResource* resources, Stream stream))
ENTRY(unmap, "cuGraphicsUnmapResources", nullptr, false,
      (unsigned count, GraphicsResource* resources, Stream stream))
ENTRY(mapped_array, "cuGraphicsSubResourceGetMappedArray", nullptr, false,
      (Array * array, GraphicsResource resource, unsigned index, unsigned level))
ENTRY(mapped_pointer, "cuGraphicsResourceGetMappedPointer_v2", nullptr, false,
      (Pointer * address, size_t* bytes, GraphicsResource resource))
