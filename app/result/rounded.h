#pragma once
// A modelled figure in words: three digits, since more would claim what a model does not know.
#include <string>

namespace warpbook {

/// "0.25", "34.5", "12,300", "4.56 million", "1.2 billion".
std::string rounded_figure(double value);

}  // namespace warpbook
