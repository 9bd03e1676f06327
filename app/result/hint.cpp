#include "result/hint.h"

#include <utility>

namespace warpbook {

HintKnows knowledge_of(std::string_view hint) {
  struct Row {
    std::string_view begins;
    HintKnows knows;
  };
  static constexpr Row rows[] = {
      {hints::race_between_blocks, HintKnows::kind},
      {hints::race_of_writers, HintKnows::kind},
      {hints::race_in_one_line, HintKnows::kind},
      {hints::race_in_a_warp, HintKnows::relation},
      {hints::race_in_a_block, HintKnows::kind},
      {hints::race_with_an_atomic_in_a_block, HintKnows::relation},
      {hints::index_below_zero, HintKnows::kind},
      {hints::index_past_shared, HintKnows::kind},
      {hints::guard_the_access, HintKnows::kind},
  };
  if (hint.empty()) return HintKnows::kind;
  for (const Row& row : rows) {
    if (hint.substr(0, row.begins.size()) == row.begins) return row.knows;
  }
  return HintKnows::cause;
}

void suggest(Diagnosis& diagnosis, HintKnows knows, std::string hint) {
  if (knows >= knowledge_of(diagnosis.hint)) diagnosis.hint = std::move(hint);
}

}  // namespace warpbook
