#pragma once
// A light look at CUDA C++ text: which kernels it defines and what their parameters are called. It is no
// compiler: what macros hide it does not see, and what it cannot tell it leaves open.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result/element.h"

namespace warpbook {

struct Token {
  enum class Kind { word, number, text, mark };
  Kind kind = Kind::mark;
  std::string_view text;  ///< marks are single characters, except << >> :: <= >= == != && || ->
  size_t offset = 0;
  int line = 0;
};

/// Words and marks without comments, preprocessor lines and `#if 0` regions.
std::vector<Token> tokens_of(std::string_view source);

struct KernelParameter {
  std::string name;  ///< may be empty
  std::string type;  ///< as written, without the name: "const float *"
  bool pointer = false;
  std::optional<ElementType>
      element;  ///< of the scalar, or of what the pointer points at; absent = not known
};

struct KernelSource {
  std::string name;       ///< unqualified
  std::string qualified;  ///< "filters::blur"
  bool is_template = false;
  bool extern_c = false;
  bool definition = false;
  int line = 0;
  std::vector<std::pair<std::string, std::string>> template_parameters;  ///< name, default text or empty
  std::vector<KernelParameter> parameters;
};

struct SourceScan {
  std::vector<KernelSource> kernels;
  bool has_main = false;
};
SourceScan scan_source(std::string_view source);

/// The parameters with template arguments put in: kernel `scale<T>` named as `scale<float>` has T = float.
std::vector<KernelParameter> parameters_of(const KernelSource& kernel, std::string_view name_expression);

/// "void scale(float* out, int n)", for messages.
std::string signature_of(const KernelSource& kernel);

}  // namespace warpbook
