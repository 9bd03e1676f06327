#pragma once
// Situations for the explanations: each a kernel of our own, the wrong one and its smallest repair in one
// text, where
// {{wrong|>right}} is the difference and a line that ends in `//!` the place that must be told. All kernels
// of a file are compiled together, so that the whole table costs a few compiles.
#include <string>
#include <vector>

namespace warpbook::explained {

struct Case {
  const char* name;  ///< of the kernel
  const char* kind;
  const char* launch;  ///< "grid,block[,shared]", one-dimensional, or "gx,gy,bx,by"
  std::vector<std::string> args;
  const char* message;  ///< what the sentence must say
  const char* hint;     ///< what the hint must say
  const char* source;
};

extern const std::vector<Case> accesses, values_and_waiting;

}  // namespace warpbook::explained
