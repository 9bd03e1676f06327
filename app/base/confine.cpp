// bubblewrap's command line, and what is left where it does not work.
#include "base/confine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text.h"

namespace warpbook {

namespace {

std::string program_on_path(std::string_view name) {
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path ? path : "/usr/bin:/bin", ':')) {
    if (folder.empty()) continue;
    const Path file = Path(folder) / name;
    if (::access(file.c_str(), X_OK) == 0) return file.string();
  }
  return {};
}

bool is_there(const Path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string real_name(const Path& path) {
  std::error_code code;
  const Path real = std::filesystem::weakly_canonical(path, code);
  return code ? path.string() : real.string();
}

/// The system's programs and libraries, as they lie here: a folder of its own or a link into /usr.
void add_system(std::vector<std::string>& argv) {
  argv.insert(argv.end(), {"--ro-bind", "/usr", "/usr"});
  for (const char* name : {"/bin", "/sbin", "/lib", "/lib64", "/lib32"}) {
    std::error_code code;
    if (std::filesystem::is_symlink(name, code)) {
      const Path target = std::filesystem::read_symlink(name, code);
      if (!code) argv.insert(argv.end(), {"--symlink", target.string(), name});
    } else if (is_there(name)) {
      argv.insert(argv.end(), {"--ro-bind", name, name});
    }
  }
  for (const char* name :
       {"/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/sys/devices/system/cpu"})
    argv.insert(argv.end(), {"--ro-bind-try", name, name});
  argv.insert(argv.end(), {"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/dev/shm"});
}

/// bubblewrap up to the mounts. As root it makes no user namespace: there root would stay root, which the
/// limit on processes exempts; setpriv then takes the rights away inside.
std::vector<std::string> start_of(const Confinement& confinement) {
  std::vector<std::string> argv{confinement.bubblewrap, "--die-with-parent", "--new-session"};
  if (confinement.root) {
    argv.insert(argv.end(), {"--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--cap-add",
                             "CAP_SETUID", "--cap-add", "CAP_SETGID"});
  } else {
    argv.push_back("--unshare-all");
  }
  add_system(argv);
  return argv;
}

/// Root's programs go to a user that nobody else is: root itself is exempt from the limit on processes, also
/// in a user namespace.
void add_user_change(const std::shared_ptr<const BorrowedUser>& user, const Confinement& confinement,
                     std::vector<std::string>& argv) {
  if (!user) return;
  const std::string number = std::to_string(user->number());
  argv.insert(argv.end(), {confinement.setpriv, "--reuid", number, "--regid", number, "--clear-groups",
                           "--no-new-privs", "--"});
}

/// The folders above a place, so that also another user may walk to it: bubblewrap makes those that are
/// missing for its own user alone when the place itself is closed to others.
void add_way_to(const Path& place, std::vector<std::string>& argv) {
  Path way = "/";
  const Path parent = place.parent_path();
  for (const Path& part : parent.relative_path()) {
    way /= part;
    argv.insert(argv.end(), {"--dir", way.string()});
  }
}

}  // namespace

Confinement find_confinement() {
  Confinement found;
  found.root = ::geteuid() == 0;
  found.setpriv = program_on_path("setpriv");
  found.bubblewrap = program_on_path("bwrap");
  if (found.bubblewrap.empty()) {
    found.why = "bubblewrap is not installed";
    return found;
  }
  if (found.root && found.setpriv.empty()) {
    found.bubblewrap.clear();
    found.why = "setpriv is not installed";
    return found;
  }
  std::vector<std::string> probe = start_of(found);
  const auto user = found.root ? BorrowedUser::take() : nullptr;
  add_user_change(user, found, probe);
  probe.push_back("/usr/bin/true");
  const auto ran = run_child(probe, {}, std::chrono::seconds(5));
  if (!ran || ran->exit_code != 0) {
    found.bubblewrap.clear();
    found.why = "bubblewrap does not work here";
  }
  return found;
}

uint64_t process_limit(const Confinement& confinement, uint64_t allowance) {
  if (confinement.root) return allowance;  // its user has nothing else
  return threads_of_user(::getuid()) + allowance;
}

Confined confine(const Confinement& confinement, const ConfinedRequest& request) {
  Confined confined;
  ChildSetting& setting = confined.setting;
  setting.limits = request.limits;
  setting.environment = request.environment;
  setting.side_channel = true;
  if (confinement.root) confined.user = BorrowedUser::take();
  if (confinement.bubblewrap.empty()) {
    confined.argv = request.argv;
    setting.folder = request.folder;
    setting.no_new_privileges = true;
    // In a sandbox the end of its process namespace is the end of all; here those that leave the group are
    // sought.
    setting.mark = fmt::format("WARPBOOK_CHILD={}-{}", ::getpid(),
                               std::chrono::steady_clock::now().time_since_epoch().count());
    if (confined.user) setting.user = confined.user->number();
    confined.mode = fmt::format("with limits{} ({})", confinement.root ? ", as an unprivileged user" : "",
                                confinement.why);
    return confined;
  }
  std::vector<std::string>& argv = confined.argv;
  argv = start_of(confinement);
  for (const Path& path : request.readable) {
    const std::string name = real_name(path);
    if (!is_there(name)) continue;
    add_way_to(name, argv);
    argv.insert(argv.end(), {"--ro-bind", name, name});
  }
  const std::string folder = real_name(request.folder);
  add_way_to(folder, argv);
  argv.insert(argv.end(),
              {request.folder_writable ? "--bind" : "--ro-bind", folder, folder, "--chdir", folder});
  add_user_change(confined.user, confinement, argv);
  argv.insert(argv.end(), request.argv.begin(), request.argv.end());
  confined.mode =
      fmt::format("in a sandbox (bubblewrap{})", confinement.root ? ", as an unprivileged user" : "");
  return confined;
}

}  // namespace warpbook
