// Programs of others: what a confined child may do, and that none of its children outlives it.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <thread>

#include "base/confine.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "catch.h"

using namespace warpbook;
using namespace std::chrono_literals;

namespace {

struct Heard {
  std::string out, err, side;
  ChildEnd end;
};

Heard run_confined(const Confinement& confinement, ConfinedRequest request,
                   std::chrono::milliseconds time = 10s) {
  Heard heard;
  const Confined confined = confine(confinement, request);
  ChildWatch watch;
  watch.out = [&](std::string_view piece) { heard.out += piece; };
  watch.err = [&](std::string_view piece) { heard.err += piece; };
  watch.side = [&](std::string_view piece) { heard.side += piece; };
  const auto deadline = std::chrono::steady_clock::now() + time;
  watch.go_on = [&] { return std::chrono::steady_clock::now() < deadline; };
  const auto end = watch_child(confined.argv, {}, confined.setting, watch);
  REQUIRE(end.ok());
  heard.end = *end;
  return heard;
}

/// A folder that also an unprivileged user may write to.
Path open_folder(const TemporaryFolder& folder) {
  ::chmod(folder.path().c_str(), 0777);
  return folder.path();
}

Confinement without_bubblewrap() {
  Confinement found = find_confinement();
  found.bubblewrap.clear();
  found.why = "the test leaves it out";
  return found;
}

/// Both ways, the sandbox only where it works.
std::vector<Confinement> ways() {
  std::vector<Confinement> all{without_bubblewrap()};
  if (const Confinement found = find_confinement(); !found.bubblewrap.empty())
    all.push_back(found);
  else
    WARN("bubblewrap does not work here: " << found.why);
  return all;
}

bool any_process_with(std::string_view mark) {
  for (const std::string& name : list_folder("/proc")) {
    if (!parse_uint(name)) continue;
    const auto environment = read_file("/proc/" + name + "/environ");
    if (environment && environment->find(mark) != std::string::npos) return true;
  }
  return false;
}

/// A killed process is gone a moment later.
bool all_gone(std::string_view mark) {
  for (int i = 0; i < 200 && any_process_with(mark); ++i) std::this_thread::sleep_for(10ms);
  return !any_process_with(mark);
}

}  // namespace

TEST_CASE("a confined program writes to its folder, speaks on its side channel and is not root") {
  for (const Confinement& way : ways()) {
    const TemporaryFolder folder;
    ConfinedRequest request;
    request.folder = open_folder(folder);
    request.environment = {"GIVEN=here"};
    request.argv = {"/bin/sh", "-c",
                    "echo row >&3; id -u; pwd; echo $GIVEN; echo made > made.txt; echo bad >&2; exit 5"};
    const Heard heard = run_confined(way, request);
    INFO(heard.out << heard.err);
    CHECK(heard.end.exit_code == 5);
    CHECK(heard.side == "row\n");
    CHECK(heard.err == "bad\n");
    const auto lines = lines_of(heard.out);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] != "0");
    CHECK(std::filesystem::equivalent(Path(lines[1]), folder.path()));
    CHECK(lines[2] == "here");
    CHECK(std::filesystem::exists(folder.path() / "made.txt"));
  }
}

TEST_CASE("in the sandbox a program reaches no file outside its folder") {
  const Confinement way = find_confinement();
  if (way.bubblewrap.empty()) {
    WARN("bubblewrap does not work here: " << way.why);
    return;
  }
  const TemporaryFolder folder, other;
  open_folder(other);
  REQUIRE(write_file(other.path() / "secret.txt", "mine"));
  ConfinedRequest request;
  request.folder = open_folder(folder);
  request.argv = {"/bin/sh", "-c",
                  "cat '" + (other.path() / "secret.txt").string() + "'; echo x > /usr/x; echo x > '" +
                      (other.path() / "x").string() + "'; ls /home /root 2>/dev/null; true"};
  const Heard heard = run_confined(way, request);
  CHECK(heard.out.find("mine") == std::string::npos);
  CHECK_FALSE(std::filesystem::exists(other.path() / "x"));
  CHECK_FALSE(std::filesystem::exists("/usr/x"));

  request.readable = {other.path()};
  const Heard reads = run_confined(way, request);
  CHECK(reads.out.find("mine") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(other.path() / "x"));
}

TEST_CASE("a folder that may only be read is not written") {
  const Confinement way = find_confinement();
  if (way.bubblewrap.empty()) return;
  const TemporaryFolder folder;
  ConfinedRequest request;
  request.folder = open_folder(folder);
  request.folder_writable = false;
  request.argv = {"/bin/sh", "-c", "echo x > x.txt"};
  CHECK(run_confined(way, request).end.exit_code != 0);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "x.txt"));
}

TEST_CASE("processes that left the group and went to sleep die with the program") {
  for (const Confinement& way : ways()) {
    const TemporaryFolder folder;
    ConfinedRequest request;
    request.folder = open_folder(folder);
    const std::string mark = "LEFT_OVER=" + folder.path().filename().string();
    request.environment = {mark};
    request.argv = {"/bin/sh", "-c", "setsid sleep 100 & setsid setsid sleep 100 & exit 0"};
    const Heard heard = run_confined(way, request);
    CHECK(heard.end.exit_code == 0);
    CHECK(all_gone(mark));
  }
}

TEST_CASE("a program that forks without end is held and ended") {
  for (const Confinement& way : ways()) {
    const TemporaryFolder folder;
    ConfinedRequest request;
    request.folder = open_folder(folder);
    request.limits.processes = process_limit(way, 40);
    const std::string mark = "FORKING=" + folder.path().filename().string();
    request.environment = {mark};
    request.argv = {"/bin/sh", "-c", "while :; do sleep 50 & done"};
    const Heard heard = run_confined(way, request, 700ms);
    const bool refused = heard.err.find("ork") != std::string::npos || heard.end.exit_code > 0;
    CHECK((heard.end.stopped || refused));
    CHECK(all_gone(mark));
  }
}

TEST_CASE("programs that run at the same time do not take each other's processes") {
  for (const Confinement& way : ways()) {
    if (!way.root) return;  // they share one user, and the limit counts what it has already
    constexpr size_t programs = 4;
    std::vector<TemporaryFolder> folders(programs);
    std::vector<Heard> heard(programs);
    std::vector<std::thread> threads;
    std::set<unsigned> users;
    for (size_t i = 0; i < programs; ++i) {
      open_folder(folders[i]);
      threads.emplace_back([&, i] {
        ConfinedRequest request;
        request.folder = folders[i].path();
        request.limits.processes = process_limit(way, 14);
        // Ten at once each: two programs of one user would have more than the limit.
        request.argv = {"/bin/sh", "-c",
                        "id -u; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.7 & done; wait; echo done"};
        heard[i] = run_confined(way, request, 60s);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Heard& one : heard) {
      INFO(one.err);
      CHECK(one.end.exit_code == 0);
      CHECK(one.err.empty());
      const auto lines = lines_of(one.out);
      REQUIRE(lines.size() == 2);
      CHECK(lines[1] == "done");
      users.insert(unsigned(parse_uint(lines[0]).value_or(0)));
    }
    CHECK(users.size() == programs);
  }
}

TEST_CASE("a user number that a process still lives under is not given") {
  if (::geteuid() != 0) return;
  const unsigned left = BorrowedUser::take()->number();  // given back at once
  ChildSetting setting;
  setting.user = left;
  std::vector<std::shared_ptr<const BorrowedUser>> given;
  ChildWatch watch;
  watch.go_on = [&] {
    if (threads_of_user(left) == 0) return true;
    for (int i = 0; i < 3; ++i) given.push_back(BorrowedUser::take());
    return false;
  };
  REQUIRE(watch_child({"/bin/sleep", "20"}, {}, setting, watch).ok());
  REQUIRE(given.size() == 3);
  std::set<unsigned> numbers;
  for (const auto& user : given) numbers.insert(user->number());
  CHECK(numbers.size() == 3);
  CHECK(numbers.count(left) == 0);
}

TEST_CASE("memory and file sizes are limited") {
  for (const Confinement& way : ways()) {
    const TemporaryFolder folder;
    ConfinedRequest request;
    request.folder = open_folder(folder);
    request.limits.file_bytes = 100'000;
    request.argv = {"/bin/sh", "-c", "head -c 10000000 /dev/zero > large"};
    CHECK(run_confined(way, request).end.exit_code != 0);
    std::error_code ignored;
    CHECK(std::filesystem::file_size(folder.path() / "large", ignored) <= 100'000);
  }
}

TEST_CASE("the mode says how a program was confined") {
  ConfinedRequest request;
  request.argv = {"/bin/true"};
  CHECK(confine(without_bubblewrap(), request).mode.find("the test leaves it out") != std::string::npos);
  Confinement found;
  found.bubblewrap = "/usr/bin/bwrap";
  CHECK(confine(found, request).mode == "in a sandbox (bubblewrap)");
}
