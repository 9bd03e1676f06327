// What the programs here share: every call is asked, and the end says how it went.
#pragma once
#include <cstdio>
#include <cstdlib>

#define ASK(call)                                                                 \
  do {                                                                            \
    const cudaError_t error = (call);                                             \
    if (error != cudaSuccess) {                                                   \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
      std::exit(2);                                                               \
    }                                                                             \
  } while (0)

inline int verdict(bool right) {
  std::printf("%s\n", right ? "PASSED" : "FAILED");
  return right ? 0 : 1;
}
