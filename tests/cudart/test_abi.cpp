// Our own declarations against the toolkit's headers, where there is a toolkit.
#include "catch.h"
#include "cudart/abi.h"

#ifdef WARPBOOK_HAVE_CUDA_RUNTIME
#include <cuda_runtime_api.h>

using namespace warpbook;

#define SAME_PLACE(ours, our_member, theirs, their_member) \
  static_assert(offsetof(cudart::ours, our_member) == offsetof(theirs, their_member))

static_assert(CUDART_VERSION / 1000 == 13);
static_assert(sizeof(cudart::GridSize) == sizeof(dim3));
static_assert(sizeof(cudart::DeviceProperties) == sizeof(cudaDeviceProp));
SAME_PLACE(DeviceProperties, total_global_mem, cudaDeviceProp, totalGlobalMem);
SAME_PLACE(DeviceProperties, max_grid_size, cudaDeviceProp, maxGridSize);
SAME_PLACE(DeviceProperties, multi_processor_count, cudaDeviceProp, multiProcessorCount);
SAME_PLACE(DeviceProperties, textures, cudaDeviceProp, maxTexture1D);
SAME_PLACE(DeviceProperties, surface_alignment, cudaDeviceProp, surfaceAlignment);
SAME_PLACE(DeviceProperties, l2_cache_size, cudaDeviceProp, l2CacheSize);
SAME_PLACE(DeviceProperties, persisting_l2_cache_max_size, cudaDeviceProp, persistingL2CacheMaxSize);
SAME_PLACE(DeviceProperties, shared_mem_per_multiprocessor, cudaDeviceProp, sharedMemPerMultiprocessor);
SAME_PLACE(DeviceProperties, cooperative_launch, cudaDeviceProp, cooperativeLaunch);
SAME_PLACE(DeviceProperties, max_blocks_per_multi_processor, cudaDeviceProp, maxBlocksPerMultiProcessor);
SAME_PLACE(DeviceProperties, memory_pools_supported, cudaDeviceProp, memoryPoolsSupported);
SAME_PLACE(DeviceProperties, cluster_launch, cudaDeviceProp, clusterLaunch);
SAME_PLACE(DeviceProperties, reserved, cudaDeviceProp, reserved);

static_assert(sizeof(cudart::FunctionAttributes) == sizeof(cudaFuncAttributes));
SAME_PLACE(FunctionAttributes, num_regs, cudaFuncAttributes, numRegs);
SAME_PLACE(FunctionAttributes, preferred_shmem_carveout, cudaFuncAttributes, preferredShmemCarveout);
static_assert(sizeof(cudart::PointerAttributes) == sizeof(cudaPointerAttributes));
SAME_PLACE(PointerAttributes, host_pointer, cudaPointerAttributes, hostPointer);
static_assert(sizeof(cudart::MemoryLocation) == sizeof(cudaMemLocation));
static_assert(sizeof(cudart::LaunchAttribute) == sizeof(cudaLaunchAttribute));
SAME_PLACE(LaunchAttribute, value, cudaLaunchAttribute, val);
static_assert(sizeof(cudart::LaunchConfiguration) == sizeof(cudaLaunchConfig_t));
SAME_PLACE(LaunchConfiguration, stream, cudaLaunchConfig_t, stream);
SAME_PLACE(LaunchConfiguration, attribute_count, cudaLaunchConfig_t, numAttrs);
static_assert(sizeof(cudart::PitchedPointer) == sizeof(cudaPitchedPtr));
static_assert(sizeof(cudart::Extent) == sizeof(cudaExtent));
static_assert(sizeof(cudart::Copy3D) == sizeof(cudaMemcpy3DParms));
SAME_PLACE(Copy3D, target, cudaMemcpy3DParms, dstPtr);
SAME_PLACE(Copy3D, kind, cudaMemcpy3DParms, kind);
static_assert(sizeof(cudart::ChannelFormat) == sizeof(cudaChannelFormatDesc));
static_assert(cudaLaunchAttributeCooperative == 2 && cudaLaunchAttributeClusterDimension == 4);
static_assert(cudaFuncAttributeMaxDynamicSharedMemorySize == 8 &&
              cudaFuncAttributePreferredSharedMemoryCarveout == 9);
#endif

TEST_CASE("structures have the sizes that programs were compiled with") {
#ifndef WARPBOOK_HAVE_CUDA_RUNTIME
  WARN("no toolkit: compared with what CUDA 13.0 was seen to have");
#endif
  CHECK(sizeof(warpbook::cudart::DeviceProperties) == 1008);
  CHECK(sizeof(warpbook::cudart::FunctionAttributes) == 144);
  CHECK(sizeof(warpbook::cudart::LaunchAttribute) == 72);
  CHECK(sizeof(warpbook::cudart::Copy3D) == 160);
}
