#include "ui/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace warpbook::ui {

namespace {

int64_t value_or_one(const Values& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? 1 : found->second;
}

std::string number(int64_t value) {
  return value < 0 ? "-" + with_thousands(uint64_t(-value)) : with_thousands(uint64_t(value));
}

// "7 threads", "1 branch".
std::string counted_words(double count, std::string what) {
  if (count == 1) {
    const bool es = what.size() > 3 && what.compare(what.size() - 4, 4, "ches") == 0;
    what.resize(what.size() - (es || what.compare(what.size() - 4, 4, "sses") == 0 ? 2 : 1));
  }
  return fmt::format("{} {}", with_thousands(uint64_t(count)), what);
}

// How many times as much, in words that a person would use.
std::string ratio_words(double ratio, const std::string& what) {
  struct Word {
    double ratio;
    const char* words;
  };
  static constexpr Word table[] = {{0.25, "A quarter of the {}"}, {1.0 / 3, "A third of the {}"},
                                   {0.5, "Half the {}"},          {2, "Twice the {}"},
                                   {3, "Three times the {}"},     {4, "Four times the {}"}};
  for (const Word& word : table) {
    if (std::abs(ratio / word.ratio - 1) < 0.02) return fmt::format(fmt::runtime(word.words), what);
  }
  if (ratio >= 10) return fmt::format("{:.0f} times the {}", ratio, what);
  if (ratio > 1.5) return fmt::format("{:.1f} times the {}", ratio, what);
  if (ratio > 1) return fmt::format("{:.0f} % more {}", (ratio - 1) * 100, what);
  if (ratio < 0.1) return fmt::format("One {:.0f}th of the {}", 1 / ratio, what);
  return fmt::format("{:.0f} % fewer {}", (1 - ratio) * 100, what);
}

}  // namespace

std::map<std::string, std::string> limit_words(const Values& values, const GpuRow& gpu) {
  std::map<std::string, std::string> words;
  const char axes[] = {'x', 'y', 'z'};
  const int64_t block_limits[] = {gpu.max_block_x, gpu.max_block_y, gpu.max_block_z};
  const uint64_t grid_limits[] = {gpu.max_grid_x, gpu.max_grid_y, gpu.max_grid_z};
  int64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    const std::string block = fmt::format("block.{}", axes[i]), grid = fmt::format("grid.{}", axes[i]);
    const int64_t b = value_or_one(values, block), g = value_or_one(values, grid);
    threads *= std::clamp<int64_t>(b, 0, 1 << 20);
    if (b < 1) {
      words[block] = "No threads: a block needs at least one.";
    } else if (b > block_limits[i]) {
      words[block] = fmt::format("{} threads along {}; a block holds {} that way.", number(b), axes[i],
                                 number(block_limits[i]));
    }
    if (g < 1) {
      words[grid] = "No blocks: nothing would run.";
    } else if (uint64_t(g) > grid_limits[i]) {
      words[grid] = fmt::format("{} blocks along {}; a grid holds {} that way.", number(g), axes[i],
                                with_thousands(grid_limits[i]));
    }
  }
  if (threads > gpu.max_threads_per_block) {
    const std::string sentence =
        fmt::format("{} threads; a block holds {}.", number(threads), number(gpu.max_threads_per_block));
    for (const char axis : {'z', 'y', 'x'}) {
      const std::string block = fmt::format("block.{}", axis);
      if (values.count(block) != 0 && values.at(block) > 1) words[block] = sentence;
    }
  }
  return words;
}

std::string difference_in_words(const Counters& before, const Counters& now) {
  struct Row {
    const char* what;
    double before, now;
  };
  const Row rows[] = {
      {"global sectors",
       double(before.global_load.sectors + before.global_store.sectors + before.global_atomic.sectors),
       double(now.global_load.sectors + now.global_store.sectors + now.global_atomic.sectors)},
      {"shared-memory passes", double(before.shared_load.bank_passes + before.shared_store.bank_passes),
       double(now.shared_load.bank_passes + now.shared_store.bank_passes)},
      {"divergent branches", double(before.divergent_branches), double(now.divergent_branches)},
      {"warp instructions", double(before.warp_instructions), double(now.warp_instructions)},
      {"threads", double(before.threads), double(now.threads)}};
  std::vector<std::pair<double, std::string>> changed;  // how far, and the sentence
  std::vector<std::string> same;
  for (const Row& row : rows) {
    if (row.before == row.now) {
      if (row.now > 0) same.push_back(row.what);
    } else if (row.now == 0) {
      changed.push_back(
          {1e9, fmt::format("No {} any more ({} before)", row.what, with_thousands(uint64_t(row.before)))});
    } else if (row.before == 0) {
      changed.push_back({1e8, counted_words(row.now, row.what) + " where there were none"});
    } else if (std::abs(row.now / row.before - 1) >= 0.005) {
      changed.push_back(
          {std::abs(std::log(row.now / row.before)), ratio_words(row.now / row.before, row.what)});
    }
  }
  if (changed.empty()) return {};
  std::stable_sort(changed.begin(), changed.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string sentence = changed[0].second;
  if (changed.size() > 1) {
    std::string second = changed[1].second;
    if (second[0] >= 'A' && second[0] <= 'Z') second[0] = char(second[0] + 32);
    sentence += ", " + second;
  } else if (!same.empty()) {
    sentence += ", as many " + same.front();
  }
  return sentence + ".";
}

std::string picture_way_words(const ImageOutcome& outcome) {
  const auto ms = [](const std::optional<double>& time) {
    if (!time) return std::string();
    return *time < 10 ? fmt::format("{:.2g} ms", *time) : fmt::format("{:.0f} ms", *time);
  };
  const std::string within = ms(outcome.without_copy_ms), through = ms(outcome.through_host_ms);
  if (outcome.way != "host copy") {
    const char* how =
        outcome.way == "pixel buffer" ? "Drawn on the GPU by a pixel buffer" : "Drawn on the GPU";
    return fmt::format("{} in {}{}.", how, within,
                       through.empty() ? "" : fmt::format("; through the host it takes {}", through));
  }
  std::string words = fmt::format("Copied through the host in {}", through);
  if (!within.empty()) words += fmt::format("; without that it takes {}", within);
  words += '.';
  if (!outcome.why_host.empty()) words += ' ' + outcome.why_host;
  return words;
}

std::string dimension_text(const Dim3& d) {
  if (d.z > 1) return fmt::format("{} × {} × {}", d.x, d.y, d.z);
  if (d.y > 1) return fmt::format("{} × {}", d.x, d.y);
  return with_thousands(d.x);
}

}  // namespace warpbook::ui
