#include "base/file_trouble.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace warpbook {

Error file_trouble(std::string_view doing, const Path& path, int code) {
  Error error;
  error.trouble = Trouble::io;
  error.where.file = path.string();
  std::string why;
  switch (code) {
    case ENOENT:
      error.trouble = Trouble::not_found;
      why = "there is no such file or folder";
      break;
    case EACCES:
    case EPERM:
      why = "permission denied";
      error.hint = "check who owns it and what its folder allows";
      break;
    case EROFS: why = "it lies on a read-only file system"; break;
    case ENOSPC:
    case EDQUOT:
      why = "the disk is full";
      error.hint = "free some space and try again";
      break;
    case EISDIR: why = "it is a folder"; break;
    case ENOTDIR: why = "a part of its path is no folder"; break;
    case ENAMETOOLONG: why = "its name is too long"; break;
    default: why = std::strerror(code);
  }
  error.message = fmt::format("Could not {}: {}.", doing, why);
  return error;
}

}  // namespace warpbook
