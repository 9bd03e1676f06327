#include "model/sector_cache.h"

#include "catch.h"

using namespace warpbook;

TEST_CASE("A sector is missed once, its neighbour in the line by itself") {
  SectorCache cache(64 << 10);
  CHECK_FALSE(cache.load(100));
  CHECK(cache.load(100));
  CHECK_FALSE(cache.load(101));
  CHECK(cache.load(100));
}

TEST_CASE("What fits stays, what is larger than the cache runs through it") {
  SectorCache cache(64 << 10);
  const auto misses = [&](uint64_t lines) {
    int count = 0;
    for (int round = 0; round < 4; ++round)
      for (uint64_t line = 0; line < lines; ++line) count += !cache.load(line * 4);
    return count;
  };
  CHECK(misses(128) < 128 + 32);         // a quarter of it: hashed sets rarely overflow
  CHECK(misses(4 * 512) > 3 * 4 * 512);  // four times as large: least recently used keeps nothing
}

TEST_CASE("Stores make sectors dirty, and evictions are counted") {
  SectorCache cache(2048);  // one set of 16 lines
  for (uint64_t line = 0; line < 16; ++line) cache.store(line * 4);
  CHECK(cache.dirty_sectors() == 16);
  for (uint64_t line = 16; line < 20; ++line) cache.store(line * 4 + 1);
  CHECK(cache.dirty_sectors_evicted() == 4);
  CHECK(cache.dirty_sectors() == 16);
  CHECK_FALSE(cache.touch(0));
  CHECK(cache.touch(19 * 4 + 1));
}
