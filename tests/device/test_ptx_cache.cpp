// The cache on disk: hits, bounds, and files that cannot be trusted.
#include <chrono>

#include "base/text.h"
#include "catch.h"
#include "device/compiler_fixture.h"
#include "device/ptx_cache.h"

using namespace warpbook;

namespace {

CachedPtx entry_of(const std::string& ptx) {
  CachedPtx entry;
  entry.ptx = ptx;
  entry.names = {{"scale<float>", "_Z5scaleIfEvPT_"}};
  Diagnosis note;
  note.severity = Severity::note, note.kind = "compile-warning", note.message = "unused", note.file = "k.cu";
  note.line = 3, note.column = 7;
  entry.notes.push_back(note);
  return entry;
}

uint64_t bytes_in(const Path& folder) {
  uint64_t total = 0;
  for (const std::string& name : list_folder(folder)) total += std::filesystem::file_size(folder / name);
  return total;
}

}  // namespace

TEST_CASE("what is kept is found again, whole") {
  const TemporaryFolder folder;
  const PtxCache cache(folder.path(), 1u << 20);
  CHECK_FALSE(cache.find("key"));
  cache.keep("key", entry_of(".version 9.0 \"quoted\"\n"));
  const auto found = cache.find("key");
  REQUIRE(found);
  CHECK(found->ptx == ".version 9.0 \"quoted\"\n");
  CHECK(found->names == entry_of("").names);
  REQUIRE(found->notes.size() == 1);
  CHECK(found->notes[0].message == "unused");
  CHECK(found->notes[0].line == 3);
  CHECK(found->notes[0].column == 7);
  CHECK_FALSE(cache.find("other key"));
}

TEST_CASE("a file that was cut off or changed counts as absent") {
  const TemporaryFolder folder;
  const PtxCache cache(folder.path(), 1u << 20);
  cache.keep("key", entry_of(std::string(5000, 'p')));
  const auto names = list_folder(folder.path());
  REQUIRE(names.size() == 1);
  const Path file = folder.path() / names[0];
  const std::string whole = read_file(file).value();
  for (const std::string& broken :
       {std::string(), whole.substr(0, 10), whole.substr(0, whole.size() / 2),
        replace_all(whole, "ppp", "qqq"), replace_all(whole, "warpbook-ptx-3", "warpbook-ptx-0"),
        std::string(3000, '\0')}) {
    REQUIRE(write_file(file, broken).ok());
    CHECK_FALSE(cache.find("key"));
  }
  REQUIRE(write_file(file, whole).ok());
  CHECK(cache.find("key"));
}

TEST_CASE("the cache stays within its size and lets the longest unused go") {
  const TemporaryFolder folder;
  const PtxCache cache(folder.path(), 50'000);
  REQUIRE(write_file(folder.path() / "not-ours.txt", "stays").ok());
  const auto age = [&](const std::string& key, int hours) {
    // Entries of one test are written within a clock tick; give them ages that differ.
    for (const std::string& name : list_folder(folder.path())) {
      const auto content = read_file(folder.path() / name);
      if (content.ok() && content->find("\"" + key + "\"") != std::string::npos) {
        std::filesystem::last_write_time(
            folder.path() / name, std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
      }
    }
  };
  for (int i = 0; i < 4; ++i) {
    cache.keep("key" + std::to_string(i), entry_of(std::string(10'000, 'p')));
    age("key" + std::to_string(i), 10 - i);
  }
  CHECK(cache.find("key0"));  // used just now, so key1 is the oldest
  for (int i = 4; i < 6; ++i) cache.keep("key" + std::to_string(i), entry_of(std::string(10'000, 'p')));
  CHECK(cache.find("key0"));
  CHECK_FALSE(cache.find("key1"));
  CHECK(cache.find("key5"));
  CHECK(bytes_in(folder.path()) < 51'000);
  CHECK(read_file(folder.path() / "not-ours.txt").ok());
}

TEST_CASE("an entry larger than the cache is not kept") {
  const TemporaryFolder folder;
  const PtxCache cache(folder.path(), 1000);
  cache.keep("key", entry_of(std::string(5000, 'p')));
  CHECK(list_folder(folder.path()).empty());
}

TEST_CASE("a folder that cannot be written is no trouble") {
  const PtxCache cache("/proc/nowhere/cache", 1u << 20);
  cache.keep("key", entry_of("ptx"));
  CHECK_FALSE(cache.find("key"));
}

TEST_CASE("the same request comes from the cache, also for another compiler; any difference does not") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto request = request_for("__global__ void k(int* a) { a[0] = 4711; }\n");
  const auto first = fixture.compiler->compile(request);
  REQUIRE(first.ok());
  REQUIRE(first->code);
  CHECK_FALSE(first->code->cached);
  const auto cached = [&](const CompileRequest& asked) {
    Compiler other(fixture.folder.path() / "cache", 64u << 20, test_worker());
    auto outcome = other.compile(asked);
    REQUIRE(outcome.ok());
    REQUIRE(outcome->code);
    return *outcome->code;
  };
  const auto again = cached(request);
  CHECK(again.cached);
  CHECK(again.ptx == first->code->ptx);
  CHECK(again.compile_ms < first->code->compile_ms);

  auto changed = request;
  changed.source += " ";
  CHECK_FALSE(cached(changed).cached);
  changed = request;
  changed.file = "other.cu";
  CHECK_FALSE(cached(changed).cached);
  changed = request;
  changed.compute = "9.0";
  CHECK_FALSE(cached(changed).cached);
  changed = request;
  changed.debug = true;
  CHECK_FALSE(cached(changed).cached);
  changed = request;
  changed.names = {"k"};
  CHECK_FALSE(cached(changed).cached);
  changed = request;
  changed.defines = {{"X", "1"}};
  CHECK_FALSE(cached(changed).cached);
}
