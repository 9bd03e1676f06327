#pragma once
// Whether a person reads the other end.

namespace warpbook {

bool stdout_is_terminal();
bool stdin_is_terminal();

}  // namespace warpbook
