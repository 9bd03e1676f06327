// watch, as an editor drives it: a save after a report, a save in the middle of a check, a save that only
// looking finds. Each test ends the watch by an answer that passes.
#include <atomic>
#include <chrono>
#include <thread>

#include "command.h"

using namespace command;
using namespace std::chrono_literals;

namespace {

const std::string head =
    "extern \"C\" __global__ void brighten(const unsigned char* in, unsigned char* out, int n, int amount)\n";

std::string solution() { return read(Path(WARPBOOK_SOURCE_DIR) / "kernels/01-why-gpu/brighten/solution.cu"); }
std::string starter() { return read(Path(WARPBOOK_SOURCE_DIR) / "kernels/01-why-gpu/brighten/exercise.cu"); }

/// Watches `file` until it passes, beside what the test does meanwhile.
class Watch {
 public:
  explicit Watch(const Path& file) : output_(folder() / (file.stem().string() + ".out")) {
    const std::string command = std::string(WARPBOOK_BINARY_DIR) + "/warpbook watch 01-why-gpu/brighten " +
                                file.string() + " --until-pass --root " + WARPBOOK_SOURCE_DIR + " > " +
                                output_.string() + " 2>&1";
    thread_ = std::thread([this, command] {
      const auto ran = warpbook::run_child({"bash", "-c", "exec " + command}, {}, std::chrono::seconds(100));
      exit_code_ = ran.ok() && !ran->timed_out ? ran->exit_code : -1;
    });
  }
  ~Watch() { thread_.join(); }

  std::string printed() const { return read(output_); }
  /// False when it does not come.
  bool waits_for(const std::string& words) const {
    for (const auto end = std::chrono::steady_clock::now() + 60s; std::chrono::steady_clock::now() < end;) {
      if (printed().find(words) != std::string::npos) return true;
      if (exit_code_ >= -1) return printed().find(words) != std::string::npos;
      std::this_thread::sleep_for(20ms);
    }
    return false;
  }
  int exit_code() {
    while (exit_code_ < -1) std::this_thread::sleep_for(20ms);
    return exit_code_;
  }

 private:
  Path output_;
  std::thread thread_;
  std::atomic<int> exit_code_{-2};  ///< -2 while it runs, -1 when it had to be ended
};

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("watch: a save marks the report out of date, and a new one follows") {
  if (!can_compile()) return;
  const Path file = write("watched/after.cu", starter());
  Watch watch(file);
  REQUIRE(watch.waits_for("Not passed"));
  write("watched/after.cu", starter());  // nothing new: nothing to check
  std::this_thread::sleep_for(300ms);
  write("watched/after.cu", solution());
  CHECK(watch.exit_code() == 0);
  const std::string text = watch.printed();
  INFO(text);
  const size_t failed = text.find("Not passed"), stale = text.find("out of date"),
               passed = text.find("Passed");
  CHECK(failed < stale);
  CHECK(stale < passed);
  CHECK(passed != std::string::npos);
  CHECK(count_of(text, "out of date") == 1);
}

TEST_CASE("watch: a save in the middle of a check ends that check") {
  if (!can_compile()) return;
  // Long work by itself: the check of this text takes its whole limit.
  const Path file = write("watched/during.cu", head + R"({
    unsigned int x = n;
    for (unsigned long long k = 0; k < 1000000000000ull; ++k) x = x * 1664525u + in[0];
    out[0] = (unsigned char)x;
}
)");
  Watch watch(file);
  REQUIRE(watch.waits_for("Watching"));
  std::this_thread::sleep_for(700ms);
  write("watched/during.cu", solution());
  CHECK(watch.exit_code() == 0);
  const std::string text = watch.printed();
  INFO(text);
  CHECK(count_of(text, "Checking again") == 1);
  CHECK(count_of(text, "Passed") == 1);
  CHECK(text.find("Checking again") < text.find("Passed"));
}

TEST_CASE("watch: a save that the system does not tell of is found by looking") {
  if (!can_compile()) return;
  const Path file = write("unseen/here/answer.cu", starter());
  Watch watch(file);
  REQUIRE(watch.waits_for("Not passed"));
  // Events belong to the folder that was there at the start, and that one is away now.
  std::filesystem::rename(folder() / "unseen/here", folder() / "unseen/away");
  write("unseen/here/answer.cu", solution());
  CHECK(watch.exit_code() == 0);
  CHECK(watch.printed().find("Passed") != std::string::npos);
}
