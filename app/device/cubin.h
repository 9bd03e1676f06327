#pragma once
// What ptxas decided, read from the ELF file that it wrote for one GPU architecture, and from its log.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "result/occupancy.h"

namespace warpbook {

/// Registers, static shared memory and stack of every kernel; names are those of the PTX. Errors: no ELF file
/// of a GPU, or one that is cut off.
Result<std::vector<KernelResources>> read_cubin(std::string_view bytes);

/// Spills and barriers, which only the log tells (`--ptxas-options=-v`), into the kernels of the same name.
/// Lines that are not known change nothing.
void read_ptxas_log(std::string_view log, std::vector<KernelResources>& kernels);
/// The log without what ptxas reports when it is asked to be verbose.
std::string without_ptxas_reports(std::string_view log);

}  // namespace warpbook
