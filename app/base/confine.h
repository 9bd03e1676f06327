#pragma once
// A program that somebody else wrote, run so that its mistakes stay its own: limits and a process group
// always, bubblewrap where it works, and never as root. Against accidents (endless loops, forks, overwritten
// files), not against attackers.
#include <memory>
#include <string>
#include <vector>

#include "base/borrowed_user.h"
#include "base/files.h"
#include "base/process.h"

namespace warpbook {

/// What this machine offers. `bubblewrap` is empty where it is not installed or where the system forbids what
/// it needs; `why` then says which.
struct Confinement {
  std::string bubblewrap;
  std::string setpriv;
  bool root = false;  ///< we are root: the program becomes somebody else
  std::string why;
};

/// Tries bubblewrap once with a program that does nothing.
Confinement find_confinement();

struct ConfinedRequest {
  std::vector<std::string> argv;
  Path folder;                           ///< working folder; the only one that it may write to
  bool folder_writable = true;           ///< false: it may look, and not write
  std::vector<Path> readable;            ///< further files and folders that it may read
  std::vector<std::string> environment;  ///< "NAME=value"
  ChildLimits limits;
};

struct Confined {
  std::vector<std::string> argv;
  ChildSetting setting;
  std::shared_ptr<const BorrowedUser> user;  ///< whom a program of root becomes: its own while this is kept
  std::string mode;                          ///< one phrase for people: "in a sandbox (bubblewrap)"
};

Confined confine(const Confinement& confinement, const ConfinedRequest& request);

/// Processes and threads that the user of a confined program may have in all, `allowance` of them its own.
uint64_t process_limit(const Confinement& confinement, uint64_t allowance);

}  // namespace warpbook
