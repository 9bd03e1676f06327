#pragma once
// Errors in one call, since most of them are bad input without a place.
#include <string>

#include "base/result.h"

namespace warpbook {

Error complaint(std::string message, std::string hint = {}, Location where = {});
Error complaint(Trouble trouble, std::string message, std::string hint = {}, Location where = {});

}  // namespace warpbook
