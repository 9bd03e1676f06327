// Files and folders by POSIX calls, since a safe write needs fsync and errors need the system's reason.
#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/file_trouble.h"

namespace warpbook {

namespace {

/// Closes on every way out.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  /// Closes now; 0 or the error number. A full network disk tells only here.
  int close() {
    const int closed = ::close(number_);
    number_ = -1;
    return closed == 0 ? 0 : errno;
  }

 private:
  int number_;
};

int write_all(int to, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(to, content.data(), content.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    content.remove_prefix(size_t(written));
  }
  return 0;
}

/// A symbolic link is written through, so that a learner's linked file stays linked.
Path real_target(const Path& path) {
  std::error_code code;
  if (!std::filesystem::is_symlink(path, code)) return path;
  const Path target = std::filesystem::weakly_canonical(path, code);
  return code ? path : target;
}

Path from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? Path(value) : Path();
}

Path home_folder() {
  if (const Path home = from_environment("HOME"); home.is_absolute()) return home;
  if (const passwd* entry = getpwuid(getuid()); entry != nullptr && entry->pw_dir != nullptr)
    return entry->pw_dir;
  return std::filesystem::temp_directory_path();
}

}  // namespace

Result<std::string> read_file(const Path& path, uint64_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return file_trouble("read the file", path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return file_trouble("read the file", path, errno);
  if (S_ISDIR(status.st_mode)) return file_trouble("read the file", path, EISDIR);
  const auto too_large = [&](uint64_t size) {
    return Error{fmt::format("The file is too large: {} bytes, and at most {} are read.", size, limit),
                 Trouble::bad_input,
                 {path.string(), 0, 0},
                 {}};
  };
  if (S_ISREG(status.st_mode) && uint64_t(status.st_size) > limit) return too_large(uint64_t(status.st_size));
  // Read to the end and not to st_size: pipes and files under /proc tell no size.
  std::string content;
  std::string buffer(std::clamp<uint64_t>(uint64_t(status.st_size) + 1, 4096, 1u << 20), '\0');
  for (;;) {
    const ssize_t got = ::read(file.number(), buffer.data(), buffer.size());
    if (got < 0) {
      if (errno == EINTR) continue;
      return file_trouble("read the file", path, errno);
    }
    if (got == 0) return content;
    content.append(buffer.data(), size_t(got));
    if (content.size() > limit) return too_large(content.size());
  }
}

Result<Done> write_file(const Path& path, std::string_view content) {
  const Path target = real_target(path);
  const Path folder = target.has_parent_path() ? target.parent_path() : Path(".");
  std::error_code made;
  std::filesystem::create_directories(folder, made);
  if (made) return file_trouble("make the folder", folder, made.value());

  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return file_trouble("write the file", path, EISDIR);
  // A file that may not be written could still be replaced in its folder; that is not what its owner meant.
  if (exists && ::access(target.c_str(), W_OK) != 0) return file_trouble("write the file", path, errno);
  if (exists && !S_ISREG(old.st_mode)) {  // /dev/stdout and pipes cannot be renamed over
    Descriptor file(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.number() < 0) return file_trouble("write the file", path, errno);
    if (const int code = write_all(file.number(), content)) return file_trouble("write the file", path, code);
    return Done{};
  }

  // The file's own name may be as long as names can be, so the temporary one does not contain it.
  std::string temporary = (folder / ".warpbook-write-XXXXXX").string();
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.number() < 0) return file_trouble("write the file", path, errno);
  int code = write_all(file.number(), content);
  if (code == 0) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(file.number(), exists ? (old.st_mode & 07777) : (0666 & ~mask));
    if (::fsync(file.number()) != 0 && errno != EINVAL) code = errno;
  }
  if (const int closed = file.close(); code == 0) code = closed;
  if (code == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) code = errno;
  if (code != 0) {
    ::unlink(temporary.c_str());
    return file_trouble("write the file", path, code);
  }
  // The rename itself is on the disk once the folder is. Not every file system can do this; the file is whole
  // anyway.
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.number() >= 0) (void)::fsync(directory.number());
  return Done{};
}

std::vector<std::string> list_folder(const Path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  std::filesystem::directory_iterator entries(folder, code);
  for (; !code && entries != std::filesystem::directory_iterator(); entries.increment(code)) {
    names.push_back(entries->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

UserFolders user_folders() {
  if (const Path own = from_environment("WARPBOOK_HOME"); !own.empty()) {
    return {own / "data", own / "config", own / "cache"};
  }
  // The XDG base directory rules: a relative path in a variable is to be ignored.
  const auto folder = [](const char* variable, const char* otherwise) {
    const Path given = from_environment(variable);
    return (given.is_absolute() ? given : home_folder() / otherwise) / "warpbook";
  };
  return {folder("XDG_DATA_HOME", ".local/share"), folder("XDG_CONFIG_HOME", ".config"),
          folder("XDG_CACHE_HOME", ".cache")};
}

}  // namespace warpbook
