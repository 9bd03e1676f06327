// What is written to a trace is read from it, whatever the pattern of the addresses.
#include "catch.h"
#include "result/kernel_trace.h"

using namespace warpbook;

TEST_CASE("accesses of one stride, near and far apart are read as they were written") {
  for (int kind = 0; kind < 4; ++kind) {
    for (const uint32_t lanes : {~0u, 1u, 0x80000000u, 0xf0f0a001u}) {
      uint64_t addresses[32] = {};
      for (uint64_t lane = 0; lane < 32; ++lane) {
        addresses[lane] = kind == 0   ? 0x100000000000 + lane * 4
                          : kind == 1 ? 0x100000001000 - lane * 128
                          : kind == 2 ? 0x100000000000 + lane * lane * 12
                                      : 0x100000000000 + (lane << 40);
      }
      std::vector<uint32_t> words;
      write_block(words, 7, 0xff);
      write_access(words, 12, lanes, addresses);
      write_block(words, 8, ~0u);
      TraceReader reader{words};
      REQUIRE_FALSE(reader.at_access());
      CHECK(reader.next_number() == 7);
      CHECK(reader.next_lanes() == 0xff);
      reader.skip_block();
      REQUIRE(reader.at_access());
      CHECK(reader.next_number() == 12);
      CHECK(reader.next_lanes() == lanes);
      std::array<uint64_t, 32> read{};
      reader.read_access(read);
      for (size_t lane = 0; lane < 32; ++lane)
        if (lanes >> lane & 1) CHECK(read[lane] == addresses[lane]);
      CHECK(reader.next_number() == 8);
      reader.skip_block();
      CHECK_FALSE(reader.more());
    }
  }
}
