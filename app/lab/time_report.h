#pragma once
// A modelled time for people and for scripts.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "result/modelled_time.h"

namespace warpbook {

/// Time with its band, what dominates, the largest terms.
std::string modelled_lines(const ModelledTime& modelled);
nlohmann::ordered_json json_of(const ModelledTime& modelled);

}  // namespace warpbook
