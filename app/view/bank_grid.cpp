// bank-grid: shared memory as 32 columns of words; the words that one access asks for, and the ways of each
// bank.
#include "view/bank_grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/colour.h"
#include "view/paint.h"
#include "view/scrub.h"
#include "view/visualisers.h"

namespace warpbook::view {

namespace {

constexpr int64_t most_rows = 66;

void add_word(BankGrid& grid, int64_t word, int lane) {
  std::vector<BankWord>& bank = grid.banks[size_t(word % 32)];
  auto at = std::find_if(bank.begin(), bank.end(), [&](const BankWord& one) { return one.word >= word; });
  if (at == bank.end() || at->word != word) at = bank.insert(at, BankWord{word, {}});
  at->lanes.push_back(lane);
}

/// Passes of lanes `first` to `first + count`: the busiest bank's different words.
int passes_of(const RecordedAccess& access, int64_t element, int words, int first, int count,
              std::array<int, 32>& ways) {
  std::array<std::vector<int64_t>, 32> asked;
  for (int lane = first; lane < first + count; ++lane) {
    if (!(access.mask >> lane & 1)) continue;
    for (int w = 0; w < words; ++w) {
      const int64_t word = access.index[size_t(lane)] * element / 4 + w;
      if (word < 0) continue;
      std::vector<int64_t>& bank = asked[size_t(word % 32)];
      // Lanes that ask for one word are served together; atomics on one word follow each other.
      if (access.access == "atomic" || std::find(bank.begin(), bank.end(), word) == bank.end())
        bank.push_back(word);
    }
  }
  int most = 0;
  for (size_t bank = 0; bank < 32; ++bank) {
    ways[bank] += int(asked[bank].size());
    most = std::max(most, int(asked[bank].size()));
  }
  return most;
}

}  // namespace

BankGrid make_bank_grid(const ViewInput& input, size_t step) {
  BankGrid grid;
  grid.word_of.fill(-1);
  if (!input.recording) return grid;
  const std::string tile = option_text(input, "tile"), only = option_text(input, "access");
  const int64_t element = std::max<int64_t>(1, int64_t(option_number(input, "element", 4)));
  for (const RecordedAccess& access : input.recording->accesses) {
    if (access.space != "shared" || (!tile.empty() && access.buffer != tile)) continue;
    if (!only.empty() && access.access != only) continue;
    int64_t last = 0;
    const int words = std::max(1, int(access.bytes) / 4);
    for (size_t lane = 0; lane < 32; ++lane) {
      if (access.mask >> lane & 1) last = std::max(last, access.index[lane] * element / 4 + words - 1);
    }
    grid.rows = std::min(most_rows, std::max(grid.rows, last / 32 + 1));
    if (grid.steps++ != step) continue;
    const int group = 32 / words;
    for (int first = 0; first < 32; first += group) {
      const int passes = passes_of(access, element, words, first, group, grid.ways);
      grid.passes += passes;
      grid.fewest += passes > 0;
    }
    for (int lane = 0; lane < 32; ++lane) {
      if (!(access.mask >> lane & 1) || access.index[size_t(lane)] < 0) continue;
      grid.word_of[size_t(lane)] = access.index[size_t(lane)] * element / 4;
      for (int w = 0; w < words; ++w) add_word(grid, grid.word_of[size_t(lane)] + w, lane);
    }
    const int lanes = __builtin_popcount(access.mask);
    grid.line = access.line;
    grid.words = fmt::format("line {}: {} {} {} {} of {} bytes: {} {}", access.line, lanes,
                             lanes == 1 ? "lane" : "lanes", access.access == "read" ? "read" : "write",
                             lanes == 1 ? "a word" : "words", access.bytes, grid.passes,
                             grid.passes == 1 ? "pass" : "passes");
    if (grid.passes > grid.fewest) grid.words += fmt::format(" where {} would do", grid.fewest);
  }
  return grid;
}

namespace {

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker&, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  BankGrid grid = make_bank_grid(input, size_t(std::max(0.0, state.numbers["step"])));
  if (grid.steps == 0) {
    draw_message(
        painter,
        "Run the lab to see which banks a warp asks. Without an array in shared memory there are none.");
    return;
  }
  if (state.numbers["step"] > double(grid.steps - 1)) {
    state.numbers["step"] = double(grid.steps - 1);
    grid = make_bank_grid(input, grid.steps - 1);
  }
  const float caption = painter.line_height();
  painter.text_fitted(area.x, area.y, area.width, grid.words,
                      grid.passes > grid.fewest ? style.error : style.ink);
  painter.text_fitted(area.x, area.y + caption, area.width,
                      fmt::format("Access {} of {}, warp {} of block {}. A column is a bank, a row 32 words.",
                                  step_of(state, grid.steps) + 1, grid.steps, input.recording->warp,
                                  input.recording->block.x),
                      style.muted);
  const float column = area.width / 32, gap = painter.dp(1);
  const float bars = painter.dp(44);
  const float top = area.y + 3 * caption + painter.dp(14);
  const float room = area.y + area.height - top - bars - 2 * caption - painter.dp(56);
  const float row = std::clamp(room / float(std::max<int64_t>(1, grid.rows)), painter.dp(2), painter.dp(18));
  for (int bank = 0; bank < 32; bank += 4) {
    painter.text_centred(area.x + column * (float(bank) + 0.5f), top - caption - painter.dp(2),
                         fmt::format("{}", bank), style.muted);
  }
  for (int64_t r = 0; r < grid.rows; ++r) {
    for (int bank = 0; bank < 32; ++bank)
      painter.box(area.x + column * float(bank), top + row * float(r), column - gap, row - gap,
                  mixed(style.panel, style.line, 0.5f));
  }
  const int64_t block_threads = int64_t(input.launch.block.count());
  const Dim3& block = input.recording->block;
  const auto thread_of = [&](int lane) {
    return (int64_t(block.x) + int64_t(block.y) * input.launch.grid.x) * block_threads +
           int64_t(input.recording->warp) * 32 + lane;
  };
  bool any = false;
  int most = 1;
  for (const int ways : grid.ways) most = std::max(most, ways);
  const float bar_top = top + row * float(grid.rows) + caption + painter.dp(4);
  for (int bank = 0; bank < 32; ++bank) {
    const float x = area.x + column * float(bank);
    const int ways = grid.ways[size_t(bank)];
    const bool conflict = ways > grid.fewest;
    for (const BankWord& word : grid.banks[size_t(bank)]) {
      const int64_t r = word.word / 32;
      if (r >= grid.rows) continue;
      const float y = top + row * float(r);
      painter.box(x, y, column - gap, row - gap, conflict ? style.error : style.series[2]);
      if (row >= caption && word.lanes.size() == 1)
        painter.text_centred(x + column / 2, y + (row - caption) / 2, fmt::format("{}", word.lanes[0]),
                             style.paper);
      for (const int lane : word.lanes) {
        if (selection.thread && *selection.thread == thread_of(lane))
          painter.outline(x - 1, y - 1, column - gap + 2, std::max(row, painter.dp(5)) + 1, style.ink,
                          painter.dp(2));
      }
      if (!painter.hovered(x, y, column, row)) continue;
      any = true;
      selection.owner = &state;
      selection.thread = thread_of(word.lanes[0]);
      selection.element.reset();
      std::string lanes;
      for (size_t i = 0; i < word.lanes.size() && i < 8; ++i)
        lanes += fmt::format("{}{}", i ? ", " : "", word.lanes[i]);
      if (word.lanes.size() > 8) lanes += fmt::format(" and {} more", word.lanes.size() - 8);
      painter.tooltip(fmt::format("word {} in bank {}: asked for by lane{} {}", word.word, bank,
                                  word.lanes.size() == 1 ? "" : "s", lanes));
    }
    const float high = bars * float(ways) / float(most);
    painter.box(x, bar_top, column - gap, high, conflict ? style.error : style.series[2]);
    if (painter.hovered(x, bar_top, column, bars)) {
      painter.tooltip(
          ways == 0 ? fmt::format("bank {} is not asked", bank)
                    : fmt::format("bank {}: {} different {}", bank, ways, ways == 1 ? "word" : "words"));
    }
  }
  painter.text(area.x, bar_top - caption - painter.dp(1),
               fmt::format("Different words a bank, at most {}", most), style.muted);
  if (grid.line > 0) selection.line = grid.line;
  if (!any && selection.owner == &state) selection.thread.reset();
  float y = bar_top + bars + painter.dp(4);
  y += scrub(input, state, painter, y, grid.steps) + painter.dp(4);
  painter.legend(area.x, y, area.width,
                 {{style.series[2], "served in one pass"}, {style.error, "bank with a conflict"}});
}

std::string csv(const ViewInput& input) {
  std::string out = "step,line,bank,ways,passes\n";
  const size_t steps = make_bank_grid(input, 0).steps;
  for (size_t step = 0; step < std::min<size_t>(steps, 4096); ++step) {
    const BankGrid grid = make_bank_grid(input, step);
    for (size_t bank = 0; bank < 32; ++bank)
      out += fmt::format("{},{},{},{},{}\n", step, grid.line, bank, grid.ways[bank], grid.passes);
  }
  return out;
}

}  // namespace

const Visualiser bank_grid_view = {"bank-grid", "Banks", false, false, true, draw, csv};

}  // namespace warpbook::view
