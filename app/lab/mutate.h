#pragma once
// Small faults put into a correct kernel: a check that does not notice them is too weak.
#include <string>
#include <string_view>
#include <vector>

namespace warpbook {

struct Mutant {
  std::string what;  ///< "without the __syncthreads() of line 21"
  std::string source;
};

/// One mutant a __syncthreads() taken out, and one a guard (in an if or before a `?`) moved by one: `<`
/// turned into
/// `<=`, `>=` into `>`.
std::vector<Mutant> mutants_of(std::string_view source);

}  // namespace warpbook
