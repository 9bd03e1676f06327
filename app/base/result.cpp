// How an Error reads in one line.
#include "base/result.h"

#include <fmt/format.h>

namespace warpbook {

std::string to_string(const Error& error) {
  std::string text;
  if (!error.where.file.empty()) {
    text = error.where.file;
    if (error.where.line > 0) {
      text += fmt::format(":{}", error.where.line);
      if (error.where.column > 0) text += fmt::format(":{}", error.where.column);
    }
    text += ": ";
  }
  text += error.message;
  if (!error.hint.empty()) text += fmt::format(" ({})", error.hint);
  return text;
}

}  // namespace warpbook
