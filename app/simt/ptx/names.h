#pragma once
// The learner's names behind the names in PTX, which are mangled by the rules of the Itanium C++ ABI
// (section 5.1).
#include <string>
#include <string_view>

namespace warpbook::ptx {

/// "_ZZ8mm_tiledE2sa" -> "sa", "_ZN3app5tableE" -> "table", "_ZL3tab" -> "tab"; a plain name, or one that is
/// not understood, stays as it is.
std::string display_name(std::string_view name);

/// "_ZN3cub6detail3sumIfEEvPT_" -> "cub::detail::sum"; parameters and template arguments are left out.
std::string display_function_name(std::string_view name);

}  // namespace warpbook::ptx
