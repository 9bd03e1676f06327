// Which of two hints stands.
#include "catch.h"
#include "result/hint.h"

using namespace warpbook;

TEST_CASE("A hint that names the cause is not replaced") {
  Diagnosis d;
  d.hint = "The fence there is __threadfence_block(), which orders within one block only.";
  suggest(d, HintKnows::place, "Put __syncthreads() between line 3 and line 5.");
  CHECK(d.hint.find("__threadfence_block") != std::string::npos);
  suggest(d, HintKnows::cause, "better");
  CHECK(d.hint == "better");
}

TEST_CASE("A hint that only knows the kind gives way to one that knows the lines") {
  Diagnosis d;
  d.hint = std::string(hints::race_in_a_block);
  suggest(d, HintKnows::place, "between line 3 and line 5");
  CHECK(d.hint == "between line 3 and line 5");
  d.hint = std::string(hints::race_with_an_atomic_in_a_block);
  suggest(d, HintKnows::kind, "less");
  CHECK(d.hint == hints::race_with_an_atomic_in_a_block);
  d.hint = std::string(hints::guard_the_access) + ", for instance with if (i < n), where n is 8 here.";
  CHECK(knowledge_of(d.hint) == HintKnows::kind);
  CHECK(knowledge_of("") == HintKnows::kind);
}
