#pragma once
// What can be said about a source without NVRTC: that it is no source at all, or which kernel was meant.
#include <optional>
#include <string>

#include "base/result.h"
#include "device/compile_log.h"
#include "device/compiler.h"

namespace warpbook {

Diagnosis compile_error(const CompileRequest& request, std::string message, std::string hint);

/// What is no source text never reaches NVRTC: too large, NUL bytes, invalid UTF-8, nothing in it.
std::optional<Diagnosis> refuse_source(const CompileRequest& request);

/// A name that NVRTC found no kernel for, with the nearest that the file has.
Error no_such_kernel(const CompileRequest& request, const UnknownName& unknown);

}  // namespace warpbook
