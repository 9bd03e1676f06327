// Names that this library exports without a model behind them. Each is a weak function, so that the file that
// does model one takes its place.
#include "cudart/names.h"
#include "cudart/runtime.h"

namespace warpbook::cudart {
namespace {

int unmodelled(const char* name) {
  Call call(name);
  call.row.modelled = false;
  if (call.refused()) return call.finish();
  return call.finish(not_supported, std::string("Warpbook does not model ") + name + " yet.");
}

}  // namespace
}  // namespace warpbook::cudart

#define WARPBOOK_UNMODELLED(name)                                      \
  extern "C" __attribute__((visibility("default"), weak)) int name() { \
    return warpbook::cudart::unmodelled(#name);                        \
  }
WARPBOOK_RUNTIME_NAMES(WARPBOOK_UNMODELLED)
