#include <stdlib.h>
#include <sys/stat.h>

#include "base/temporary_folder.h"
#include "base/work_folder.h"
#include "catch.h"

using namespace warpbook;

namespace {

/// Where temporary files go, for one test.
class TemporaryPlace {
 public:
  explicit TemporaryPlace(const Path& place) {
    if (const char* old = std::getenv("TMPDIR")) before_ = old;
    ::setenv("TMPDIR", place.c_str(), 1);
  }
  TemporaryPlace(const TemporaryPlace&) = delete;
  TemporaryPlace& operator=(const TemporaryPlace&) = delete;
  ~TemporaryPlace() {
    if (before_.empty())
      ::unsetenv("TMPDIR");
    else
      ::setenv("TMPDIR", before_.c_str(), 1);
  }

 private:
  std::string before_;
};

}  // namespace

TEST_CASE("a work folder lies where temporary files go and takes its content along") {
  TemporaryFolder above;
  const TemporaryPlace place(above.path());
  Path first;
  {
    auto one = WorkFolder::make("build");
    auto other = WorkFolder::make("build");
    REQUIRE(one.ok());
    REQUIRE(other.ok());
    first = one->path();
    CHECK(first.parent_path() == above.path());
    CHECK(one->unique_part() != other->unique_part());
    CHECK(one->unique_part().size() == 6);
    struct stat status {};
    REQUIRE(::stat(first.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0700);
    one->open_to_all();
    REQUIRE(::stat(first.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0777);
    REQUIRE(write_file(first / "below" / "file", "text").ok());
    // Moved, it has one owner.
    const WorkFolder moved = std::move(*one);
    CHECK(moved.path() == first);
    CHECK(std::filesystem::exists(first / "below" / "file"));
  }
  CHECK_FALSE(std::filesystem::exists(first));
  CHECK(std::filesystem::is_empty(above.path()));
}

TEST_CASE("a work folder that cannot be made says why") {
  TemporaryFolder above;
  const TemporaryPlace place(above.path() / "nowhere");
  const auto made = WorkFolder::make("build");
  REQUIRE_FALSE(made.ok());
  CHECK(made.error().message.find("temporary files") != std::string::npos);
}
