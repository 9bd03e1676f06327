#pragma once
// Kernels as the learner wrote them, out of their names in the PTX.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::cudart {

/// "add<float>" for "_Z3addIfEvPT_S1_i": without the parameters and the result. Names of extern "C" stay.
std::string kernel_name(const std::string& symbol);

struct ParameterType {
  std::string text;  ///< "float const*"
  bool pointer = false;
  uint32_t element_bytes = 0;  ///< of what a pointer points to, where it is a type of CUDA C++ itself; else 0
};
/// Empty when the name does not tell (extern "C").
std::vector<ParameterType> parameter_types(const std::string& symbol);
/// Of a scalar type of CUDA C++ itself; 0 for what is not known.
uint32_t scalar_bytes(std::string_view type);
/// A scalar of such a type as a person reads it; bytes in hexadecimal for what is not known.
std::string value_text(std::string_view type, const void* bytes, size_t size);

}  // namespace warpbook::cudart
