// A file that is saved is noticed once, whatever the editor does and whether or not the system tells.
#include <unistd.h>

#include <fstream>
#include <thread>

#include "base/file_watch.h"
#include "catch.h"

using namespace warpbook;
using namespace std::chrono_literals;

namespace {

struct Folder {
  Path path;
  Folder() : path(std::filesystem::temp_directory_path() / ("warpbook-watch-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

void write(const Path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

}  // namespace

TEST_CASE("file watch: a save in place and a save by rename are a change each") {
  for (const bool events : {true, false}) {
    const Folder folder;
    const Path file = folder.path / "answer.cu";
    write(file, "one");
    FileWatch watch(file, events);
    INFO((events ? "with events" : "by looking"));
    CHECK_FALSE(watch.changed(50ms));
    write(file, "two, longer");
    CHECK(watch.changed(5s));
    CHECK_FALSE(watch.changed(50ms));
    write(folder.path / "answer.cu.tmp", "another one");  // of the same length
    std::filesystem::rename(folder.path / "answer.cu.tmp", file);
    CHECK(watch.changed(5s));
    CHECK_FALSE(watch.changed(50ms));
    write(folder.path / "neighbour.cu", "not asked for");
    CHECK_FALSE(watch.changed(50ms));
  }
}

TEST_CASE("file watch: a save in many steps is one change, and a moment without the file is none") {
  const Folder folder;
  const Path file = folder.path / "answer.cu";
  write(file, "one");
  FileWatch watch(file);
  std::thread editor([&] {
    std::filesystem::remove(file);
    std::this_thread::sleep_for(30ms);
    for (int i = 1; i <= 5; ++i) {
      write(file, std::string(size_t(i) * 10, 'x'));
      std::this_thread::sleep_for(10ms);
    }
  });
  CHECK(watch.changed(5s));
  editor.join();
  if (std::filesystem::file_size(file) == 50) CHECK_FALSE(watch.changed(200ms));
}

TEST_CASE("file watch: a folder that cannot be watched is looked at") {
  const Folder folder;
  const Path file = folder.path / "not yet" / "answer.cu";
  FileWatch watch(file);
  CHECK_FALSE(watch.has_events());
  std::filesystem::create_directories(file.parent_path());
  write(file, "here");
  CHECK(watch.changed(5s));
}
