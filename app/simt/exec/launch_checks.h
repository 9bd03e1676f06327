#pragma once
// What a driver refuses before any thread runs.
#include <optional>
#include <string>

#include "result/diagnosis.h"
#include "result/gpu_row.h"
#include "result/launch.h"
#include "simt/code.h"

namespace warpbook::simt {

/// The first reason why this launch cannot start; nothing when it can. `static_shared`: bytes of the kernel's
/// own
/// __shared__ arrays.
std::optional<Diagnosis> refuse_launch(const Launch& launch, const GpuRow& gpu, const Code& code,
                                       const CodeFunction& kernel, uint64_t static_shared);

}  // namespace warpbook::simt
