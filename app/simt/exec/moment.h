#pragma once
// The state of one thread as a Moment: taken when something went wrong in a debug build.
#include <memory>

#include "result/moment.h"
#include "simt/exec/state.h"

namespace warpbook::simt {

/// Null unless the launch asks for moments. `site`: of the running fragment's own function.
std::shared_ptr<const Moment> take_moment(Warp& warp, int lane, uint32_t site, Address address,
                                          uint32_t element_bytes, int32_t unwritten_register = -1);

}  // namespace warpbook::simt
