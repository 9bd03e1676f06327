// Exports: names that overwrite nothing, and files written behind the frame.
#include "ui/exports.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "catch.h"
#include "ui/saver.h"

using namespace warpbook;
using namespace warpbook::ui;
namespace fs = std::filesystem;

TEST_CASE("a fresh name is one that no file has") {
  const Path folder = fs::temp_directory_path() / ("warpbook-exports-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  CHECK(fresh_name(folder, "a", ".png").filename() == "a.png");
  REQUIRE(write_file(folder / "a.png", "").ok());
  CHECK(fresh_name(folder, "a", ".png").filename() == "a-2.png");
  REQUIRE(write_file(folder / "a-2.png", "").ok());
  CHECK(fresh_name(folder, "a", ".png").filename() == "a-3.png");
  CHECK(fresh_name(folder, "a", ".csv").filename() == "a.csv");
  fs::remove_all(folder);
}

TEST_CASE("the saver does its work in order, tells of it, and finishes before it ends") {
  std::atomic<int> woken{0}, done{0};
  {
    Saver saver([&woken] { ++woken; });
    CHECK_FALSE(saver.busy());
    saver.submit([&done] { return std::to_string(++done); });
    saver.submit([&done] { return std::to_string(++done); });
    std::vector<std::string> told;
    for (int i = 0; i < 2000 && told.size() < 2; ++i) {
      for (const std::string& words : saver.take()) told.push_back(words);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    CHECK(told == std::vector<std::string>{"1", "2"});
    saver.submit([&done] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      return std::to_string(++done);
    });
  }
  CHECK(done == 3);
  CHECK(woken >= 2);
}
