// What a library's headers call on the learner's behalf is one line, and so are the turns of a loop.
#include "result/tape_lines.h"

#include <algorithm>

namespace warpbook {

namespace {

constexpr size_t longest_loop = 6;
constexpr uint64_t fewest_turns = 3;

bool is_shown(const TapeRow& row) { return row.kind != TapeKind::module && row.kind != TapeKind::end; }

/// Equal calls of a loop: same line, same call, same configuration, same outcome.
bool same(const HostProgram& program, size_t a, size_t b) {
  const TapeRow &one = program.tape.rows[a], &other = program.tape.rows[b];
  if (one.call != other.call || one.code != other.code || one.kind != other.kind ||
      one.bytes != other.bytes || !(program.places[a].place == program.places[b].place))
    return false;
  if (one.launch.has_value() != other.launch.has_value()) return false;
  if (!one.launch) return true;
  return one.launch->kernel == other.launch->kernel && one.launch->launch.grid == other.launch->launch.grid &&
         one.launch->launch.block == other.launch->launch.block && one.launch->status == other.launch->status;
}

}  // namespace

std::vector<TapeLine> tape_lines(const HostProgram& program) {
  const auto& rows = program.tape.rows;
  // Shown rows, by their places in the tape.
  std::vector<size_t> shown;
  for (size_t i = 0; i < rows.size() && i < program.places.size(); ++i)
    if (is_shown(rows[i])) shown.push_back(i);
  std::vector<TapeLine> lines;
  for (size_t i = 0; i < shown.size();) {
    const RowPlace& place = program.places[shown[i]];
    if (!place.folded.empty()) {
      size_t end = i + 1;
      while (end < shown.size() && program.places[shown[end]].folded == place.folded &&
             program.places[shown[end]].place == place.place)
        ++end;
      lines.push_back({shown[i], end - i, 1, place.folded});
      i = end;
      continue;
    }
    size_t period = 0;
    uint64_t times = 1;
    for (size_t p = 1; p <= longest_loop && period == 0; ++p) {
      uint64_t turns = 1;
      while (i + (turns + 1) * p <= shown.size()) {
        bool equal = true;
        for (size_t k = 0; k < p && equal; ++k) equal = same(program, shown[i + k], shown[i + turns * p + k]);
        if (!equal) break;
        ++turns;
      }
      if (turns >= fewest_turns) {
        period = p;
        times = turns;
      }
    }
    const size_t count = std::max<size_t>(period, 1);
    for (size_t k = 0; k < count; ++k) lines.push_back({shown[i + k], 1, times, {}});
    i += count * size_t(times);
  }
  return lines;
}

}  // namespace warpbook
