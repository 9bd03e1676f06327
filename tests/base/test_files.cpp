// Files: written whole or not at all, and errors in words.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/files.h"
#include "base/temporary_folder.h"
#include "catch.h"

using namespace warpbook;

TEST_CASE("what is written is read again, and folders are made") {
  const TemporaryFolder folder;
  const Path file = folder.path() / "a" / "b" / "file.txt";
  const std::string content("one\ntwo\0three", 13);
  REQUIRE(write_file(file, content).ok());
  CHECK(read_file(file).value() == content);
  REQUIRE(write_file(file, "").ok());
  CHECK(read_file(file).value().empty());
  CHECK(list_folder(file.parent_path()) == std::vector<std::string>{"file.txt"});
  CHECK(list_folder(folder.path() / "nowhere").empty());
}

TEST_CASE("a file that is not there, a folder and a file too large say so") {
  const TemporaryFolder folder;
  const auto missing = read_file(folder.path() / "missing");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().trouble == Trouble::not_found);
  CHECK(missing.error().message.find("no such file") != std::string::npos);
  CHECK(missing.error().where.file == (folder.path() / "missing").string());

  const auto a_folder = read_file(folder.path());
  REQUIRE_FALSE(a_folder.ok());
  CHECK(a_folder.error().message.find("it is a folder") != std::string::npos);

  REQUIRE(write_file(folder.path() / "large", std::string(1000, 'x')).ok());
  const auto large = read_file(folder.path() / "large", 999);
  REQUIRE_FALSE(large.ok());
  CHECK(large.error().message.find("1000") != std::string::npos);
  CHECK(large.error().message.find("999") != std::string::npos);
  CHECK(read_file(folder.path() / "large", 1000).ok());
}

TEST_CASE("a full disk is told in words and leaves the old content whole") {
  // /dev/full is the kernel's own full disk; it can be written to but not renamed over.
  const auto written = write_file("/dev/full", "text");
  REQUIRE_FALSE(written.ok());
  CHECK(written.error().trouble == Trouble::io);
  CHECK(written.error().message.find("the disk is full") != std::string::npos);

  // A limit on file sizes stops a write to a real file half way.
  const TemporaryFolder folder;
  const Path file = folder.path() / "file";
  REQUIRE(write_file(file, "old").ok());
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
    _exit(write_file(file, std::string(100000, 'n')).ok() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(read_file(file).value() == "old");
  CHECK(list_folder(folder.path()).size() == 1);
}

TEST_CASE("a file or folder that may not be written says permission denied") {
  const TemporaryFolder folder;
  const Path file = folder.path() / "file";
  REQUIRE(write_file(file, "old").ok());
  chmod(file.c_str(), 0444);
  chmod(folder.path().c_str(), 0555);
  const pid_t child = fork();
  if (child == 0) {
    // Root may write everywhere, so a child gives that up first.
    constexpr uid_t nobody = 65534;
    if (geteuid() == 0 && setuid(nobody) != 0) _exit(2);
    const auto denied = [](const Path& path) {
      const auto written = write_file(path, "new");
      return !written.ok() && written.error().trouble == Trouble::io &&
             written.error().message.find("permission denied") != std::string::npos;
    };
    _exit(denied(file) && denied(folder.path() / "another") ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  chmod(folder.path().c_str(), 0755);
  CHECK(read_file(file).value() == "old");
  CHECK(list_folder(folder.path()).size() == 1);
}

TEST_CASE("a write keeps the file's mode and goes through a link") {
  const TemporaryFolder folder;
  const Path file = folder.path() / "file", link = folder.path() / "link";
  REQUIRE(write_file(file, "old").ok());
  chmod(file.c_str(), 0640);
  std::filesystem::create_symlink(file, link);
  REQUIRE(write_file(link, "new").ok());
  CHECK(read_file(file).value() == "new");
  CHECK(std::filesystem::is_symlink(link));
  struct stat status {};
  REQUIRE(stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("killed at any moment of a write, the file is the old or the new one") {
  const TemporaryFolder folder;
  const Path file = folder.path() / "progress.json";
  const std::string one(200000, '1'), two(300000, '2');
  REQUIRE(write_file(file, one).ok());
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      for (;;) {
        (void)write_file(file, two);
        (void)write_file(file, one);
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(1500 + 700 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string content = read_file(file).value();
    CHECK((content == one || content == two));
  }
}

TEST_CASE("user folders follow WARPBOOK_HOME and the XDG rules") {
  const auto keep = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
  const std::string home = keep("WARPBOOK_HOME"), data = keep("XDG_DATA_HOME"),
                    cache = keep("XDG_CACHE_HOME");
  setenv("WARPBOOK_HOME", "/somewhere/own", 1);
  CHECK(user_folders().data == Path("/somewhere/own/data"));
  CHECK(user_folders().config == Path("/somewhere/own/config"));
  CHECK(user_folders().cache == Path("/somewhere/own/cache"));
  unsetenv("WARPBOOK_HOME");
  setenv("XDG_DATA_HOME", "/somewhere/data", 1);
  setenv("XDG_CACHE_HOME", "relative/is/ignored", 1);
  CHECK(user_folders().data == Path("/somewhere/data/warpbook"));
  CHECK(user_folders().cache.is_absolute());
  CHECK(user_folders().cache.filename() == "warpbook");
  const auto restore = [](const char* name, const std::string& old) {
    old.empty() ? unsetenv(name) : setenv(name, old.c_str(), 1);
  };
  restore("WARPBOOK_HOME", home), restore("XDG_DATA_HOME", data), restore("XDG_CACHE_HOME", cache);
}
