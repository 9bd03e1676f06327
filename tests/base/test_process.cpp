// Children: what they say, how they end, and that none outlives its limits or us.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>

#include "base/process.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "catch.h"

using namespace warpbook;
using namespace std::chrono_literals;

namespace {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool is_running(pid_t pid) {
  // A zombie that init has not taken yet still answers kill(pid, 0), so ask for its state.
  const auto status = read_file("/proc/" + std::to_string(pid) + "/stat");
  return status.ok() && status->find(") Z ") == std::string::npos;
}

bool gone_within(pid_t pid, std::chrono::milliseconds time) {
  for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
    if (!is_running(pid)) return true;
    std::this_thread::sleep_for(5ms);
  }
  return !is_running(pid);
}

/// A child that answers each frame with the same frame; cat would do but for the dying on demand.
std::vector<std::string> echo() { return {"/bin/cat"}; }

}  // namespace

TEST_CASE("a child's output, errors and exit code arrive") {
  const auto ran = run_child({"sh", "-c", "cat; echo wrong >&2; exit 7"}, "given");
  REQUIRE(ran.ok());
  CHECK(ran->out == "given");
  CHECK(ran->err == "wrong\n");
  CHECK(ran->exit_code == 7);
  CHECK(ran->signal == 0);
  CHECK_FALSE(ran->timed_out);
}

TEST_CASE("much input and much output at once do not block each other") {
  const std::string large(5'000'000, 'x');
  const auto ran = run_child({"cat"}, large);
  REQUIRE(ran.ok());
  CHECK(ran->out == large);
}

TEST_CASE("a child that reads nothing is no reason to die of SIGPIPE") {
  const auto ran = run_child({"true"}, std::string(1'000'000, 'x'));
  REQUIRE(ran.ok());
  CHECK(ran->exit_code == 0);
}

TEST_CASE("a program that is not there is told by name") {
  const auto ran = run_child({"/nowhere/program"});
  REQUIRE_FALSE(ran.ok());
  CHECK(ran.error().trouble == Trouble::not_found);
  CHECK(ran.error().message.find("/nowhere/program") != std::string::npos);
}

TEST_CASE("a child that takes too long is killed with its children") {
  Result<ChildOutput> ran = ChildOutput{};
  const double took = seconds_of([&] {
    ran = run_child({"sh", "-c", "sleep 60 & echo $!; wait"}, {}, 300ms);
  });
  REQUIRE(ran.ok());
  CHECK(ran->timed_out);
  CHECK(took < 5);
  const auto grandchild = parse_int(trim(ran->out));
  REQUIRE(grandchild);
  CHECK(gone_within(pid_t(*grandchild), 2000ms));
}

TEST_CASE("a grandchild that keeps the output open does not keep us waiting") {
  Result<ChildOutput> ran = ChildOutput{};
  const double took = seconds_of([&] { ran = run_child({"sh", "-c", "sleep 30 & echo here"}, {}, 20s); });
  REQUIRE(ran.ok());
  CHECK(ran->out == "here\n");
  CHECK(ran->exit_code == 0);
  CHECK(took < 5);
}

TEST_CASE("a signal that ends a child is told") {
  const auto ran = run_child({"sh", "-c", "kill -SEGV $$"});
  REQUIRE(ran.ok());
  CHECK(ran->signal == SIGSEGV);
  CHECK(ran->exit_code == -1);
}

TEST_CASE("the limits on memory and processor time hold") {
  ChildLimits limits;
  limits.memory_bytes = 64u << 20;
  const auto hungry =
      run_child({"sh", "-c", "x=$(head -c 200000000 /dev/zero | tr '\\0' a); echo ${#x}"}, {}, 30s, limits);
  REQUIRE(hungry.ok());
  CHECK(hungry->out != "200000000\n");

  limits = {};
  limits.cpu_seconds = 1;
  const auto busy = run_child({"sh", "-c", "while :; do :; done"}, {}, 30s, limits);
  REQUIRE(busy.ok());
  CHECK_FALSE(busy->timed_out);
  CHECK(busy->signal == SIGXCPU);
}

TEST_CASE("frames go there and back, also large and empty ones") {
  auto child = FramedChild::start(echo());
  REQUIRE(child.ok());
  for (const std::string& frame :
       {std::string("one"), std::string(), std::string("a\0b", 3), std::string(40000, 'x')}) {
    REQUIRE((*child)->send(frame).ok());
    const auto answer = (*child)->receive(5s);
    REQUIRE(answer.ok());
    CHECK(*answer == frame);
  }
  CHECK((*child)->alive());
}

TEST_CASE("a child that does not answer in time is killed") {
  auto child = FramedChild::start({"sleep", "60"});
  REQUIRE(child.ok());
  const auto answer = (*child)->receive(100ms);
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().trouble == Trouble::limit);
  CHECK_FALSE((*child)->alive());
  CHECK_FALSE((*child)->send("more").ok());
}

TEST_CASE("the stop flag ends the wait at once") {
  auto child = FramedChild::start({"sleep", "60"});
  REQUIRE(child.ok());
  std::atomic<bool> stop{false};
  std::thread presses([&] {
    std::this_thread::sleep_for(100ms);
    stop = true;
  });
  Result<std::string> answer = std::string();
  const double took = seconds_of([&] { answer = (*child)->receive(30s, &stop); });
  presses.join();
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().trouble == Trouble::cancelled);
  CHECK(took < 1.0);
}

TEST_CASE("a child that dies says how, with its last words") {
  auto child = FramedChild::start({"sh", "-c", "echo no luck >&2; exit 9"});
  REQUIRE(child.ok());
  const auto answer = (*child)->receive(10s);
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().trouble == Trouble::io);
  CHECK(answer.error().message.find("exit code 9") != std::string::npos);
  CHECK(answer.error().message.find("no luck") != std::string::npos);
}

TEST_CASE("something that is no frame is told and not waited for") {
  auto child = FramedChild::start({"sh", "-c", "echo a line of text that is no frame; sleep 60"});
  REQUIRE(child.ok());
  const auto answer = (*child)->receive(10s);
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().trouble == Trouble::io);
  CHECK(answer.error().message.find("no message") != std::string::npos);
}

TEST_CASE("a framed child outlives the thread that started it") {
  std::unique_ptr<FramedChild> child;
  std::thread starts([&] {
    auto started = FramedChild::start(echo());
    if (started.ok()) child = std::move(*started);
  });
  starts.join();
  REQUIRE(child);
  std::this_thread::sleep_for(50ms);
  REQUIRE(child->send("still here").ok());
  CHECK(child->receive(5s).value() == "still here");
}

TEST_CASE("children die when their parent is killed") {
  const TemporaryFolder folder;
  const Path told = folder.path() / "pid";
  const pid_t parent = fork();
  if (parent == 0) {
    auto child = FramedChild::start({"sh", "-c", "echo $$ > \"$0\"; exec sleep 60", told.string()});
    for (;;) pause();
  }
  std::optional<int64_t> pid;
  for (int i = 0; i < 400 && !pid; ++i) {
    std::this_thread::sleep_for(10ms);
    if (const auto text = read_file(told); text.ok()) pid = parse_int(trim(*text));
  }
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  REQUIRE(pid);
  CHECK(gone_within(pid_t(*pid), 2000ms));
}

TEST_CASE("the program knows its own file") {
  CHECK(std::filesystem::exists(own_executable()));
  CHECK(own_executable().filename() == "test_base");
}
