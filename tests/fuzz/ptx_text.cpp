// libFuzzer: the parser and the decoder take any text.
#include "support/any_module.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  warpbook::any_module::read({reinterpret_cast<const char*>(data), size});
  return 0;
}
