// Device memory as the host sees it: windows, poison, budget, freeing, copies.
#include <algorithm>
#include <cstring>
#include <vector>

#include "catch.h"
#include "simt/access/allocation.h"
#include "simt/memory.h"

using namespace warpbook;
using namespace warpbook::simt;

namespace {

std::vector<std::byte> bytes_of_value(size_t count, int value) {
  return std::vector<std::byte>(count, std::byte(value));
}

}  // namespace

TEST_CASE("each buffer lies 10 GiB inside a 32 GiB window of its own") {
  Memory memory;
  const Address a = *memory.allocate(400, "a", 4);
  const Address b = *memory.allocate(400, "b", 4);
  REQUIRE(a == 0x1000'0000'0000 + (10ull << 30));
  REQUIRE(b - a == 32ull << 30);
  // Signed and unsigned 32-bit indices of 4-byte elements stay in a's window.
  for (const int64_t index : {-1ll, -2147483648ll, 100ll, 4294967295ll}) {
    const AllocationInfo* found = memory.find(a + uint64_t(index * 4));
    REQUIRE(found);
    REQUIRE(found->name == "a");
  }
  REQUIRE(memory.find(0) == nullptr);
  REQUIRE(memory.find(0x2000'0000'0000) == nullptr);
}

TEST_CASE("the window freed longest ago is used again first, after those never used") {
  Memory memory;
  const Address first = *memory.allocate(16, "first", 4);
  REQUIRE(memory.free(first).ok());
  Address last = 0;
  for (uint32_t i = 1; i < wide_windows; ++i) {
    last = *memory.allocate(16, "other", 4);
    REQUIRE(last == first + (uint64_t(i) << 35));
  }
  REQUIRE(*memory.allocate(16, "again", 4) == first);
  // All wide windows are taken now: 64 MiB ones follow.
  const Address narrow = *memory.allocate(16, "narrow", 4);
  REQUIRE(narrow >= 0x5000'0000'0000);
  REQUIRE(*memory.allocate(16, "narrow", 4) - narrow == 64u << 20);
  REQUIRE(memory.find(narrow - 4)->name == "narrow");
  const Address large = *memory.allocate(100u << 20, "large", 4);
  REQUIRE(memory.find(large + (100u << 20))->name == "large");
  REQUIRE(memory.find(large + (50u << 20))->name == "large");
}

TEST_CASE("fresh memory is poisoned, small and large alike") {
  Memory memory;
  for (const uint64_t size : {100ull, 5'000'000ull, 40'000'000ull}) {
    const Address a = *memory.allocate(size, "a", 1);
    std::vector<std::byte> read(size);
    REQUIRE(memory.read(a, read).ok());
    REQUIRE(std::all_of(read.begin(), read.end(), [](std::byte b) { return b == std::byte{0xCD}; }));
    // Writing one copy of the pattern must not show in another.
    REQUIRE(memory.write(a, bytes_of_value(size / 2, 1)).ok());
    const Address b = *memory.allocate(size, "b", 1);
    REQUIRE(memory.read(b, read).ok());
    REQUIRE(read[0] == std::byte{0xCD});
    REQUIRE(read[size - 1] == std::byte{0xCD});
    REQUIRE(memory.read(a, read).ok());
    REQUIRE(read[size / 2 - 1] == std::byte{1});
    REQUIRE(read[size / 2] == std::byte{0xCD});
  }
}

TEST_CASE("a gigabyte costs nothing until it is touched") {
  Memory memory(8ull << 30);
  REQUIRE(memory.allocate(4ull << 30, "large", 4).ok());
  REQUIRE(memory.bytes_in_use() == 4ull << 30);
}

TEST_CASE("the budget holds and gives a message with names and sizes") {
  Memory memory(1 << 20);
  const Address a = *memory.allocate(1 << 19, "a", 4);
  const auto refused = memory.allocate((1 << 19) + 1, "matrix", 4);
  REQUIRE_FALSE(refused.ok());
  REQUIRE(refused.error().trouble == Trouble::limit);
  REQUIRE(refused.error().message.find("matrix") != std::string::npos);
  REQUIRE(memory.free(a).ok());
  REQUIRE(memory.bytes_in_use() == 0);
  REQUIRE(memory.allocate((1 << 19) + 1, "matrix", 4).ok());
  REQUIRE_FALSE(memory.allocate(~0ull, "huge", 4).ok());
}

TEST_CASE("copies stay inside one buffer") {
  Memory memory;
  const Address a = *memory.allocate(100, "a", 4);
  const auto data = bytes_of_value(40, 7);
  REQUIRE(memory.write(a + 60, data).ok());
  REQUIRE_FALSE(memory.write(a + 61, data).ok());
  REQUIRE_FALSE(memory.write(a - 1, data).ok());
  std::vector<std::byte> read(40);
  REQUIRE(memory.read(a + 60, read).ok());
  REQUIRE(read == data);
  REQUIRE_FALSE(memory.read(0x1234, read).ok());
  REQUIRE(memory.write(a + 100, {}).ok());
}

TEST_CASE("a freed buffer is known by name until its window is used again") {
  Memory memory;
  const Address a = *memory.allocate(100, "old", 4);
  REQUIRE(memory.free(a).ok());
  REQUIRE(memory.find(a) == nullptr);
  std::byte one{};
  const auto late = memory.read(a, {&one, 1});
  REQUIRE_FALSE(late.ok());
  REQUIRE(late.error().message.find("old, which was freed") != std::string::npos);
  REQUIRE_FALSE(memory.free(a).ok());
  REQUIRE_FALSE(memory.free(a + 4).ok());
}

TEST_CASE("bytes count as written once the host wrote them") {
  Memory memory;
  const Address a = *memory.allocate(16, "a", 4);
  Allocation* allocation = memory.state().window_of(a);
  REQUIRE_FALSE(allocation->all_written);
  REQUIRE(memory.write(a + 4, bytes_of_value(4, 1)).ok());
  REQUIRE_FALSE(allocation->all_written);
  REQUIRE(allocation->written_bytes()[3] == 0);
  REQUIRE(allocation->written_bytes()[4] == 1);
  REQUIRE(allocation->written_bytes()[8] == 0);
  REQUIRE(memory.write(a, bytes_of_value(16, 1)).ok());
  REQUIRE(allocation->all_written);
}
