#pragma once
// The table of GPUs with those of this machine among them.
#include <string>
#include <vector>

#include "device/device.h"
#include "model/own_gpu.h"

namespace warpbook {

struct Session;

ToldGpu told_by(const Capabilities& capabilities);

/// The table under `root`. A GPU that is open adds its row; another one of this machine does when it is asked
/// for by name, since asking the driver takes longer than everything else here.
Result<GpuTable> gpu_table(const Path& root, const Device* open_gpu, const std::vector<std::string>& asked);
/// That of a session, for the GPU that it has chosen.
Result<GpuTable> gpu_table(const Session& session, std::vector<std::string> asked = {});

}  // namespace warpbook
