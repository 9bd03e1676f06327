// From an exercise's sizes and block shapes to launches with arguments; and the comparison of what comes out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/complaint.h"
#include "base/text.h"
#include "lab/checker.h"
#include "lab/encode.h"

namespace warpbook {

namespace {

Error about(const Exercise& exercise, const Error& cause) {
  Error error = cause;
  error.message = fmt::format("exercise {}: {}", exercise.name, cause.message);
  return error;
}

Result<uint32_t> dimension(const std::string& expression, const Values& values) {
  const auto value = evaluate(expression, values);
  if (!value) return value.error();
  if (*value < 0 || *value > int64_t(UINT32_MAX))
    return complaint(fmt::format("\"{}\" gives {}, which no launch can have", expression, *value));
  return uint32_t(*value);
}

bool equal(ElementType type, const std::byte* expected, const std::byte* got, uint64_t index,
           const Check& check) {
  const uint32_t width = bytes_of(type);
  if (std::memcmp(expected + index * width, got + index * width, width) == 0) return true;
  if (!is_float(type) && check.abs == 0 && check.rel == 0) return false;
  const double a = element_as_double(type, expected, index), b = element_as_double(type, got, index);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::fabs(a - b) <= check.abs + check.rel * std::fabs(a);
}

}  // namespace

Path exercise_folder(const Lesson& lesson, const Exercise& exercise) {
  return lesson.kernels / exercise.name;
}

Result<CheckCase> case_for(const Exercise& exercise,
                           const std::vector<std::pair<std::string, int64_t>>& sizes,
                           const std::vector<int64_t>& block, const std::string& folder, uint64_t seed) {
  CheckCase made;
  std::vector<std::string> words;
  for (const auto& [name, value] : exercise.defines) made.values[name] = value;
  for (const auto& [name, value] : sizes) {
    made.values[name] = value;
    words.push_back(fmt::format("{} = {}", name, value));
  }
  uint32_t* const block_parts[3] = {&made.launch.block.x, &made.launch.block.y, &made.launch.block.z};
  uint32_t* const grid_parts[3] = {&made.launch.grid.x, &made.launch.grid.y, &made.launch.grid.z};
  const char* const axes[3] = {"x", "y", "z"};
  for (size_t i = 0; i < 3; ++i) {
    const int64_t value = i < block.size() ? block[i] : 1;
    if (value < 0 || value > int64_t(UINT32_MAX))
      return complaint(fmt::format("exercise {}: block size {} is not possible", exercise.name, value));
    *block_parts[i] = uint32_t(value);
    made.values[fmt::format("block.{}", axes[i])] = value;
  }
  for (size_t i = 0; i < 3; ++i) {
    if (i < exercise.grid.size()) {
      const auto value = dimension(exercise.grid[i], made.values);
      if (!value) return about(exercise, value.error());
      *grid_parts[i] = *value;
    }
  }
  for (size_t i = 0; i < 3; ++i) made.values[fmt::format("grid.{}", axes[i])] = *grid_parts[i];
  if (!exercise.shared.empty()) {
    const auto shared = dimension(exercise.shared, made.values);
    if (!shared) return about(exercise, shared.error());
    made.launch.shared_bytes = *shared;
  }
  const Dim3& b = made.launch.block;
  words.push_back(fmt::format("block = ({}, {}, {})", b.x, b.y, b.z));
  made.label = join(words, ", ");
  for (const std::string& spec : exercise.args) {
    const auto filled = fill_in(spec, made.values);
    if (!filled) return about(exercise, filled.error());
    auto argument = parse_argument(*filled, folder, seed);
    if (!argument) return about(exercise, argument.error());
    made.arguments.push_back(std::move(*argument));
  }
  return made;
}

Result<std::vector<CheckCase>> cases_of(const Exercise& exercise, const std::string& folder, uint64_t seed) {
  const size_t count = exercise.sizes.empty() ? 1 : exercise.sizes[0].second.size();
  std::vector<std::vector<int64_t>> blocks = exercise.blocks;
  if (blocks.empty()) blocks.push_back({1});
  std::vector<CheckCase> cases;
  for (size_t i = 0; i < count; ++i) {
    std::vector<std::pair<std::string, int64_t>> sizes;
    for (const auto& [name, values] : exercise.sizes) {
      if (values.size() != count)
        return complaint(fmt::format("exercise {}: {} has {} sizes, but {} has {}", exercise.name, name,
                                     values.size(), exercise.sizes[0].first, count));
      sizes.emplace_back(name, values[i]);
    }
    for (const auto& block : blocks) {
      auto made = case_for(exercise, sizes, block, folder, seed);
      if (!made) return made.error();
      cases.push_back(std::move(*made));
    }
  }
  if (cases.empty()) return complaint(fmt::format("exercise {} has no sizes", exercise.name));
  return cases;
}

std::optional<Mismatch> compare_outputs(const Check& check, const std::vector<Output>& expected,
                                        const std::vector<Output>& got, const std::string& label) {
  for (size_t i = 0; i < expected.size() && i < got.size(); ++i) {
    const Output& want = expected[i];
    if (!check.buffers.empty() &&
        std::find(check.buffers.begin(), check.buffers.end(), want.name) == check.buffers.end())
      continue;
    std::optional<Mismatch> first;
    uint64_t differing = 0;
    for (uint64_t at = 0; at < want.count; ++at) {
      if (equal(want.type, want.data.data(), got[i].data.data(), at, check)) continue;
      ++differing;
      if (first) continue;
      first = Mismatch{want.name,
                       at,
                       element_as_text(want.type, want.data.data(), at),
                       element_as_text(want.type, got[i].data.data(), at),
                       {},
                       {},
                       label};
    }
    if (first && double(differing) > check.differing_share * double(want.count)) return first;
  }
  return std::nullopt;
}

}  // namespace warpbook
