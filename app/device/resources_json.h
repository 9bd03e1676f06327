#pragma once
// KernelResources as JSON: in the worker's answer, and as a last comment line of the PTX, so that what ptxas
// said is cached with the code and travels with it.
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "result/occupancy.h"

namespace warpbook {

nlohmann::json json_of(const std::vector<KernelResources>& kernels);
/// Throws nlohmann's exceptions on what json_of did not write: its callers catch them.
std::vector<KernelResources> resources_from(const nlohmann::json& value);

/// Appends the comment line; nothing when there is nothing to say.
void append_resources(std::string& ptx, const std::vector<KernelResources>& kernels);
/// Reads it again; empty when there is none.
std::vector<KernelResources> resources_in(std::string_view ptx);

}  // namespace warpbook
