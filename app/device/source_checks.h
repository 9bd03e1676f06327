#pragma once
// What can be said about a source without NVRTC: that it is no source at all, or which kernel was meant.
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "device/compile_log.h"
#include "device/compiler.h"

namespace warpbook {

Diagnosis compile_error(const CompileRequest& request, std::string message, std::string hint);

/// What is no source text never reaches NVRTC: too large, NUL bytes, invalid UTF-8, nothing in it.
std::optional<Diagnosis> refuse_source(const CompileRequest& request);

/// What may stand with brackets of its own between __global__ and a kernel's name (CUDA C++ Programming
/// Guide: launch bounds, maximum number of registers, compile-time cluster and block sizes).
bool is_launch_attribute(std::string_view word);

/// A name that NVRTC found no kernel for, with the nearest that the file has.
Error no_such_kernel(const CompileRequest& request, const UnknownName& unknown);

}  // namespace warpbook
