#pragma once
// LaTeX in lessons as Unicode: a short table of commands, sub- and superscripts, fractions as a/b. What the
// table does not know is shown as written.
#include <string>
#include <string_view>

namespace warpbook {

/// "\lceil n / 128 \rceil" -> "⌈n / 128⌉", "2N^3" -> "2N³".
std::string math_as_text(std::string_view latex);

}  // namespace warpbook
