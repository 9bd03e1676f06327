// The table of errors. Names and numbers: driver_types.h of CUDA 13.0. Texts of the codes that this library
// returns are those that programs print on a GPU; of the others the name says it.
#include "cudart/errors.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpbook::cudart {
namespace {

struct Row {
  int code;
  const char* name;
  const char* text;
  bool sticky = false;
};

constexpr Row rows[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {3, "cudaErrorInitializationError", "initialization error"},
    {4, "cudaErrorCudartUnloading", nullptr},
    {5, "cudaErrorProfilerDisabled", nullptr},
    {6, "cudaErrorProfilerNotInitialized", nullptr},
    {7, "cudaErrorProfilerAlreadyStarted", nullptr},
    {8, "cudaErrorProfilerAlreadyStopped", nullptr},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {16, "cudaErrorInvalidHostPointer", nullptr},
    {17, "cudaErrorInvalidDevicePointer", nullptr},
    {18, "cudaErrorInvalidTexture", nullptr},
    {19, "cudaErrorInvalidTextureBinding", nullptr},
    {20, "cudaErrorInvalidChannelDescriptor", nullptr},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {22, "cudaErrorAddressOfConstant", nullptr},
    {23, "cudaErrorTextureFetchFailed", nullptr},
    {24, "cudaErrorTextureNotBound", nullptr},
    {25, "cudaErrorSynchronizationError", nullptr},
    {26, "cudaErrorInvalidFilterSetting", nullptr},
    {27, "cudaErrorInvalidNormSetting", nullptr},
    {28, "cudaErrorMixedDeviceExecution", nullptr},
    {31, "cudaErrorNotYetImplemented", nullptr},
    {32, "cudaErrorMemoryValueTooLarge", nullptr},
    {34, "cudaErrorStubLibrary", nullptr},
    {35, "cudaErrorInsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version"},
    {36, "cudaErrorCallRequiresNewerDriver", nullptr},
    {37, "cudaErrorInvalidSurface", nullptr},
    {43, "cudaErrorDuplicateVariableName", nullptr},
    {44, "cudaErrorDuplicateTextureName", nullptr},
    {45, "cudaErrorDuplicateSurfaceName", nullptr},
    {46, "cudaErrorDevicesUnavailable", nullptr},
    {49, "cudaErrorIncompatibleDriverContext", nullptr},
    {52, "cudaErrorMissingConfiguration", nullptr},
    {53, "cudaErrorPriorLaunchFailure", nullptr},
    {65, "cudaErrorLaunchMaxDepthExceeded", nullptr},
    {66, "cudaErrorLaunchFileScopedTex", nullptr},
    {67, "cudaErrorLaunchFileScopedSurf", nullptr},
    {68, "cudaErrorSyncDepthExceeded", nullptr},
    {69, "cudaErrorLaunchPendingCountExceeded", nullptr},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {102, "cudaErrorDeviceNotLicensed", nullptr},
    {103, "cudaErrorSoftwareValidityNotEstablished", nullptr},
    {127, "cudaErrorStartupFailure", nullptr},
    {200, "cudaErrorInvalidKernelImage", nullptr},
    {201, "cudaErrorDeviceUninitialized", nullptr},
    {205, "cudaErrorMapBufferObjectFailed", nullptr},
    {206, "cudaErrorUnmapBufferObjectFailed", nullptr},
    {207, "cudaErrorArrayIsMapped", nullptr},
    {208, "cudaErrorAlreadyMapped", nullptr},
    {209, "cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device"},
    {210, "cudaErrorAlreadyAcquired", nullptr},
    {211, "cudaErrorNotMapped", nullptr},
    {212, "cudaErrorNotMappedAsArray", nullptr},
    {213, "cudaErrorNotMappedAsPointer", nullptr},
    {214, "cudaErrorECCUncorrectable", nullptr},
    {215, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"},
    {216, "cudaErrorDeviceAlreadyInUse", nullptr},
    {217, "cudaErrorPeerAccessUnsupported", nullptr},
    {218, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {219, "cudaErrorInvalidGraphicsContext", nullptr},
    {220, "cudaErrorNvlinkUncorrectable", nullptr},
    {221, "cudaErrorJitCompilerNotFound", nullptr},
    {222, "cudaErrorUnsupportedPtxVersion", nullptr},
    {223, "cudaErrorJitCompilationDisabled", nullptr},
    {224, "cudaErrorUnsupportedExecAffinity", nullptr},
    {225, "cudaErrorUnsupportedDevSideSync", nullptr},
    {226, "cudaErrorContained", nullptr, true},
    {300, "cudaErrorInvalidSource", nullptr},
    {301, "cudaErrorFileNotFound", nullptr},
    {302, "cudaErrorSharedObjectSymbolNotFound", nullptr},
    {303, "cudaErrorSharedObjectInitFailed", nullptr},
    {304, "cudaErrorOperatingSystem", nullptr},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {401, "cudaErrorIllegalState", nullptr},
    {402, "cudaErrorLossyQuery", nullptr},
    {500, "cudaErrorSymbolNotFound", nullptr},
    {600, "cudaErrorNotReady", "device not ready"},
    {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered", true},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated", true},
    {703, "cudaErrorLaunchIncompatibleTexturing", nullptr},
    {704, "cudaErrorPeerAccessAlreadyEnabled", nullptr},
    {705, "cudaErrorPeerAccessNotEnabled", nullptr},
    {708, "cudaErrorSetOnActiveProcess", nullptr},
    {709, "cudaErrorContextIsDestroyed", nullptr},
    {710, "cudaErrorAssert", "device-side assert triggered", true},
    {711, "cudaErrorTooManyPeers", nullptr},
    {712, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {713, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
    {714, "cudaErrorHardwareStackError", "hardware stack error", true},
    {715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered", true},
    {716, "cudaErrorMisalignedAddress", "misaligned address", true},
    {717, "cudaErrorInvalidAddressSpace", "operation not supported on global/shared address space", true},
    {718, "cudaErrorInvalidPc", "invalid program counter", true},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure", true},
    {720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {721, "cudaErrorTensorMemoryLeak", nullptr, true},
    {800, "cudaErrorNotPermitted", "operation not permitted"},
    {801, "cudaErrorNotSupported", "operation not supported"},
    {802, "cudaErrorSystemNotReady", nullptr},
    {803, "cudaErrorSystemDriverMismatch", nullptr},
    {804, "cudaErrorCompatNotSupportedOnDevice", nullptr},
    {805, "cudaErrorMpsConnectionFailed", nullptr},
    {806, "cudaErrorMpsRpcFailure", nullptr},
    {807, "cudaErrorMpsServerNotReady", nullptr},
    {808, "cudaErrorMpsMaxClientsReached", nullptr},
    {809, "cudaErrorMpsMaxConnectionsReached", nullptr},
    {810, "cudaErrorMpsClientTerminated", nullptr, true},
    {811, "cudaErrorCdpNotSupported", nullptr},
    {812, "cudaErrorCdpVersionMismatch", nullptr},
    {900, "cudaErrorStreamCaptureUnsupported", nullptr},
    {901, "cudaErrorStreamCaptureInvalidated", nullptr},
    {902, "cudaErrorStreamCaptureMerge", nullptr},
    {903, "cudaErrorStreamCaptureUnmatched", nullptr},
    {904, "cudaErrorStreamCaptureUnjoined", nullptr},
    {905, "cudaErrorStreamCaptureIsolation", nullptr},
    {906, "cudaErrorStreamCaptureImplicit", nullptr},
    {907, "cudaErrorCapturedEvent", nullptr},
    {908, "cudaErrorStreamCaptureWrongThread", nullptr},
    {909, "cudaErrorTimeout", nullptr},
    {910, "cudaErrorGraphExecUpdateFailure", nullptr},
    {911, "cudaErrorExternalDevice", nullptr, true},
    {912, "cudaErrorInvalidClusterSize", nullptr},
    {913, "cudaErrorFunctionNotLoaded", nullptr},
    {914, "cudaErrorInvalidResourceType", nullptr},
    {915, "cudaErrorInvalidResourceConfiguration", nullptr},
    {999, "cudaErrorUnknown", "unknown error"},
    {10000, "cudaErrorApiFailureBase", nullptr},
};

const Row* row_of(int code) {
  const Row* const found =
      std::find_if(std::begin(rows), std::end(rows), [&](const Row& row) { return row.code == code; });
  return found == std::end(rows) ? nullptr : found;
}

}  // namespace

const char* error_name(int code) {
  const Row* row = row_of(code);
  return row ? row->name : nullptr;
}

const char* error_text(int code) {
  const Row* row = row_of(code);
  if (!row) return "unrecognized error code";
  return row->text ? row->text : row->name;
}

bool is_sticky(int code) {
  const Row* row = row_of(code);
  return row && row->sticky;
}

int code_for(const std::string& kind) {
  struct Kind {
    std::string_view kind;
    Code code;
  };
  // What a GPU finds out. Reads of bytes that nobody wrote, races and lanes that miss a shuffle go unnoticed;
  // who waits for ever is stopped by a watchdog, where there is one.
  static constexpr Kind kinds[] = {
      {"oob-read", illegal_address},
      {"oob-write", illegal_address},
      {"null-pointer", illegal_address},
      {"use-after-free", illegal_address},
      {"double-free", launch_failure},
      {"stack-overflow", stack_error},
      {"misaligned-read", misaligned_address},
      {"misaligned-write", misaligned_address},
      {"assert", assertion},
      {"trap", launch_failure},
      {"unsupported", launch_failure},
      {"divergent-barrier", launch_timeout},
      {"deadlock", launch_timeout},
      {"infinite-loop", launch_timeout},
      {"block-too-large", invalid_configuration},
      {"block-dim-too-large", invalid_configuration},
      {"grid-dim-zero", invalid_configuration},
      {"grid-too-large", invalid_configuration},
      {"shared-too-large", invalid_value},
      {"out-of-memory", memory_allocation},
      {"bad-argument", invalid_value},
  };
  for (const Kind& known : kinds) {
    if (known.kind == kind) return known.code;
  }
  return success;
}

}  // namespace warpbook::cudart
