#pragma once
// The runtime's binary interface, declared by ourselves: what a program compiled against CUDA 13's headers
// passes and expects. A test compares every size and offset with the toolkit's headers where they are there.
#include <cstddef>
#include <cstdint>

namespace warpbook::cudart {

using Handle = void*;  ///< streams, events, kernels, pools: opaque to the program

struct GridSize {  ///< dim3
  unsigned x = 1, y = 1, z = 1;
};

struct DeviceProperties {  ///< cudaDeviceProp
  char name[256];
  char uuid[16];
  char luid[8];
  unsigned luid_device_node_mask;
  size_t total_global_mem, shared_mem_per_block;
  int regs_per_block, warp_size;
  size_t mem_pitch;
  int max_threads_per_block;
  int max_threads_dim[3];
  int max_grid_size[3];
  size_t total_const_mem;
  int major, minor;
  size_t texture_alignment, texture_pitch_alignment;
  int multi_processor_count, integrated, can_map_host_memory;
  int textures[39];  ///< from maxTexture1D to maxSurfaceCubemapLayered
  size_t surface_alignment;
  int concurrent_kernels, ecc_enabled, pci_bus_id, pci_device_id, pci_domain_id, tcc_driver;
  int async_engine_count, unified_addressing, memory_bus_width, l2_cache_size, persisting_l2_cache_max_size;
  int max_threads_per_multi_processor, stream_priorities_supported, global_l1_cache_supported,
      local_l1_cache_supported;
  size_t shared_mem_per_multiprocessor;
  int regs_per_multiprocessor, managed_memory, is_multi_gpu_board, multi_gpu_board_group_id;
  int host_native_atomic_supported, pageable_memory_access, concurrent_managed_access,
      compute_preemption_supported, can_use_host_pointer_for_registered_mem, cooperative_launch;
  size_t shared_mem_per_block_optin;
  int pageable_memory_access_uses_host_page_tables, direct_managed_mem_access_from_host,
      max_blocks_per_multi_processor, access_policy_max_window_size;
  size_t reserved_shared_mem_per_block;
  int host_register_supported, sparse_cuda_array_supported, host_register_read_only_supported,
      timeline_semaphore_interop_supported, memory_pools_supported, gpu_direct_rdma_supported;
  unsigned gpu_direct_rdma_flush_writes_options;
  int gpu_direct_rdma_writes_ordering;
  unsigned memory_pool_supported_handle_types;
  int deferred_mapping_cuda_array_supported, ipc_event_supported, cluster_launch, unified_function_pointers,
      device_numa_config, device_numa_id, mps_enabled, host_numa_id;
  unsigned gpu_pci_device_id, gpu_pci_subsystem_id;
  int host_numa_multinode_ipc_supported;
  int reserved[56];
};
static_assert(sizeof(DeviceProperties) == 1008);

struct FunctionAttributes {  ///< cudaFuncAttributes
  size_t shared_size_bytes, const_size_bytes, local_size_bytes;
  int max_threads_per_block, num_regs, ptx_version, binary_version, cache_mode_ca,
      max_dynamic_shared_size_bytes, preferred_shmem_carveout, cluster_dim_must_be_set,
      required_cluster_width, required_cluster_height, required_cluster_depth,
      cluster_scheduling_policy_preference, non_portable_cluster_size_allowed;
  int reserved[16];
};

struct PointerAttributes {  ///< cudaPointerAttributes
  int type;                 ///< 0 unregistered, 1 host, 2 device, 3 managed
  int device;
  void* device_pointer;
  void* host_pointer;
  long reserved[8];
};

struct MemoryLocation {  ///< cudaMemLocation
  int type, id;
};

struct LaunchAttribute {  ///< cudaLaunchAttribute
  int id;
  char padding[4];
  union {
    char bytes[64];
    int cooperative;
    unsigned cluster[3];
  } value;
};

struct LaunchConfiguration {  ///< cudaLaunchConfig_t
  GridSize grid, block;
  size_t shared_bytes;
  Handle stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};

struct PitchedPointer {  ///< cudaPitchedPtr
  void* pointer;
  size_t pitch, x_size, y_size;
};

struct Extent {  ///< cudaExtent
  size_t width, height, depth;
};

struct Position {  ///< cudaPos
  size_t x, y, z;
};

struct Copy3D {  ///< cudaMemcpy3DParms
  Handle source_array;
  Position source_position;
  PitchedPointer source;
  Handle target_array;
  Position target_position;
  PitchedPointer target;
  Extent extent;
  int kind;
};

struct ChannelFormat {  ///< cudaChannelFormatDesc
  int x, y, z, w, kind;
};

struct FatbinWrapper {
  uint32_t magic, version;
  const void* data;
  const void* names_or_prelinked;
};

}  // namespace warpbook::cudart

/// A name that the library exports; all others are hidden by its version script.
#define WARPBOOK_EXPORT extern "C" __attribute__((visibility("default")))
