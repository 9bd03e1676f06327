// libFuzzer: whole modules, each kernel launched at level check with small limits.
#include "support/any_module.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  warpbook::any_module::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
