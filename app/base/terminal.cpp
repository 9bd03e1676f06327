#include "base/terminal.h"

#include <unistd.h>

namespace warpbook {

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) == 1; }
bool stdin_is_terminal() { return isatty(STDIN_FILENO) == 1; }

}  // namespace warpbook
