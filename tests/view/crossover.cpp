// The race of CPU and GPU as a model, without a window: what is counted, what each term does, where they
// meet.
#include "view/crossover.h"

#include "catch.h"

using namespace warpbook;
using namespace warpbook::view;

namespace {

RaceTerms simple() {
  RaceTerms terms;
  terms.instructions = 12;
  terms.bytes_in = 4;
  terms.bytes_out = 4;
  return terms;
}

}  // namespace

TEST_CASE("what one element costs is counted in the run") {
  Counters counters;
  counters.thread_instructions = 48000;
  counters.global_load.bytes = 16000;
  counters.global_store.bytes = 8000;
  ViewInput input;
  input.counters = &counters;
  CHECK_FALSE(make_race_terms(input));  // of how many elements?
  input.options = {{"elements", "\"4000\""}, {"cpu_cores", "\"8\""}, {"copies", "\"0\""}};
  const auto terms = make_race_terms(input);
  REQUIRE(terms);
  CHECK(terms->instructions == 12);
  CHECK(terms->bytes_in == 4);
  CHECK(terms->bytes_out == 2);
  CHECK(terms->cpu_cores == 8);
  CHECK_FALSE(terms->copies);
  input.counters = nullptr;
  CHECK_FALSE(make_race_terms(input));
}

TEST_CASE("one core needs no start, and more cores help until memory is the limit") {
  RaceTerms terms = simple();
  CHECK(terms.cpu_seconds(1e9) == Approx(1.0));  // 12 instructions at 12 a nanosecond
  terms.cpu_cores = 4;
  CHECK(terms.cpu_seconds(1e9) == Approx(0.25 + 20e-6));
  terms.cpu_cores = 64;
  CHECK(terms.cpu_seconds(1e9) == Approx(8e9 / 51.2e9 + 20e-6));
}

TEST_CASE("a GPU with few elements is as slow as with as many as it has lanes") {
  RaceTerms terms = simple();
  terms.gpu_bandwidth = 1e15;
  CHECK(terms.gpu_seconds(1).kernel == Approx(12 / 1.41e9));
  CHECK(terms.gpu_seconds(6912).kernel == Approx(12 / 1.41e9));
  CHECK(terms.gpu_seconds(69120).kernel == Approx(120 / 1.41e9));
  CHECK(terms.gpu_seconds(1).total() > terms.cpu_seconds(1));
}

TEST_CASE("copies count both ways, and not at all when the data is there already") {
  RaceTerms terms = simple();
  const auto with = terms.gpu_seconds(25e6);
  CHECK(with.copy_in == Approx(4e-3 + 10e-6));
  CHECK(with.copy_out == Approx(4e-3 + 10e-6));
  terms.copies = false;
  CHECK(terms.gpu_seconds(25e6).total() == Approx(with.launch + with.kernel));
}

TEST_CASE("where the two meet neither is ahead, and with light work and many cores they never do") {
  RaceTerms terms = simple();
  const auto meet = terms.crossover(1e9);
  REQUIRE(meet);
  CHECK(terms.gpu_seconds(*meet).total() == Approx(terms.cpu_seconds(*meet)).epsilon(1e-6));
  CHECK(*meet > 20000);
  CHECK(*meet < 80000);
  terms.cpu_cores = 16;
  CHECK_FALSE(terms.crossover(1e9));  // moving a byte to the GPU takes longer than working on it
  terms.copies = false;
  CHECK(terms.crossover(1e9));
}

TEST_CASE("steps and elements agree, and words are short") {
  CHECK(elements_at(0) == 1);
  CHECK(elements_at(race_steps - 1) == 1e9);
  CHECK(step_near(1e6) == 60);
  CHECK(step_near(5e12) == race_steps - 1);
  CHECK(rounded_count(48211) == "48,000");
  CHECK(rounded_count(7) == "7");
  CHECK(seconds_in_words(0.00032) == "320 µs");
  CHECK(seconds_in_words(2.5) == "2.50 s");
}
