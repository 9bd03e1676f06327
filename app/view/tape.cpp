// From rows to steps and cells. A buffer is cut into equal parts; a part counts as written when any byte of
// it is.
#include "view/tape.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"

namespace warpbook::view {

namespace {

constexpr size_t most_steps = 400;
constexpr size_t most_buffers = 12;

TapeLane lane_of(const TapeRow& row) {
  if (row.launch) return TapeLane::kernel;
  if (row.direction == CopyDirection::host_to_device) return TapeLane::copy_in;
  if (row.direction == CopyDirection::device_to_host) return TapeLane::copy_out;
  return TapeLane::host;
}

TapeStep step_of_line(const HostProgram& program, const TapeLine& line) {
  const TapeRow& row = program.tape.rows[line.first];
  TapeStep step;
  step.row = line.first;
  step.lane = lane_of(row);
  step.line = program.places[line.first].place.line;
  step.words =
      line.folded.empty() ? words_of(program, row) : fmt::format("{} calls of {}", line.rows, line.folded);
  if (row.fault) step.words = "the host touches memory that it cannot reach";
  step.failed = row.code != 0 || row.fault || (row.launch && row.launch->status != "ok");
  step.times = line.times;
  step.ms = row.end_ms - row.begin_ms;
  if (row.in_progress)
    step.outcome = "did not return";
  else if (row.code != 0)
    step.outcome = row.code_name;
  else if (row.launch && row.launch->status != "ok")
    step.outcome = row.launch->status;
  return step;
}

/// Fills buffers step by step.
class Memory {
 public:
  Memory(const HostProgram& program, TapeStory& story) : program_(program), story_(story) {}

  void walk(const std::vector<TapeLine>& lines) {
    const auto& rows = program_.tape.rows;
    for (size_t s = 0; s < story_.steps.size(); ++s) {
      for (auto* side : {&story_.host, &story_.device}) {
        for (TapeBuffer& buffer : *side) grow(buffer, s);
      }
      step_ = s;
      // What a folded loop did in all its turns shows at once.
      const size_t first = lines[s].first;
      const size_t last = lines[s].folded.empty() ? first : first + lines[s].rows - 1;
      for (size_t i = first; i <= last && i < rows.size(); ++i) apply(rows[i]);
    }
  }

 private:
  static void grow(TapeBuffer& buffer, size_t step) {
    const size_t from = buffer.state.size();
    buffer.state.resize((step + 1) * tape_cells);
    buffer.touched.resize((step + 1) * tape_cells, false);
    for (size_t i = from; i < buffer.state.size(); ++i)
      buffer.state[i] = i >= tape_cells ? buffer.state[i - tape_cells] : CellState::absent;
  }

  TapeBuffer* device_buffer(uint64_t allocation) {
    const auto known = device_.find(allocation);
    return known == device_.end() ? nullptr : &story_.device[known->second];
  }

  TapeBuffer* add(std::vector<TapeBuffer>& side, std::string name, bool device, uint64_t bytes) {
    if (side.size() >= most_buffers) return nullptr;
    TapeBuffer buffer;
    buffer.name = std::move(name);
    buffer.device = device;
    buffer.bytes = bytes;
    side.push_back(std::move(buffer));
    grow(side.back(), step_);
    return &side.back();
  }

  /// Host arrays are known by their addresses; the largest copy says how large they are at least.
  TapeBuffer* host_buffer(uint64_t address, uint64_t bytes) {
    const auto known = host_.find(address);
    if (known != host_.end()) {
      TapeBuffer& buffer = story_.host[known->second];
      buffer.bytes = std::max(buffer.bytes, bytes);
      return &buffer;
    }
    TapeBuffer* buffer = add(story_.host, program_.host_name(address), false, bytes);
    if (!buffer) return nullptr;
    host_[address] = story_.host.size() - 1;
    mark(*buffer, 0, bytes, CellState::unknown, false);
    return buffer;
  }

  void mark(TapeBuffer& buffer, uint64_t first, uint64_t bytes, CellState state, bool lit) {
    if (buffer.bytes == 0) return;
    const double cell_bytes = double(buffer.bytes) / tape_cells;
    for (int cell = 0; cell < tape_cells; ++cell) {
      const double begin = cell_bytes * cell, end = begin + cell_bytes;
      if (double(first) >= end || double(first + bytes) <= begin) continue;
      buffer.state[step_ * tape_cells + size_t(cell)] = state;
      buffer.touched[step_ * tape_cells + size_t(cell)] = lit;
    }
  }

  void mark_place(const TapePlace& place, uint64_t bytes, CellState state, bool lit) {
    TapeBuffer* buffer = nullptr;
    uint64_t first = 0;
    if (place.allocation != 0) {
      buffer = device_buffer(place.allocation);
      first = uint64_t(std::max<int64_t>(0, place.offset));
    } else if (place.kind == MemoryKind::host) {
      buffer = host_buffer(place.address, bytes);
    }
    if (buffer) mark(*buffer, first, bytes, state, lit);
  }

  /// The part of a buffer that is read lights up and keeps what it holds.
  void light(const TapePlace& place, uint64_t bytes) {
    TapeBuffer* buffer = place.allocation != 0            ? device_buffer(place.allocation)
                         : place.kind == MemoryKind::host ? host_buffer(place.address, bytes)
                                                          : nullptr;
    if (!buffer) return;
    for (int cell = 0; cell < tape_cells; ++cell) {
      CellState& state = buffer->state[step_ * tape_cells + size_t(cell)];
      // What the host copies from it has written before.
      if (place.allocation == 0 && state == CellState::unknown) state = CellState::host;
      buffer->touched[step_ * tape_cells + size_t(cell)] = true;
    }
  }

  void apply(const TapeRow& row) {
    if (row.launch) {
      for (const TapeEffect& effect : row.launch->effects)
        if (TapeBuffer* buffer = device_buffer(effect.allocation))
          mark(*buffer, effect.first, effect.bytes, CellState::kernel, true);
      return;
    }
    if (row.code != 0 || row.in_progress) return;
    const bool frees = starts_with(row.call, "cudaFree");
    for (const TapePlace& place : row.places) {
      if (place.allocation == row.sequence && place.size > 0) {  // this row made it
        TapeBuffer* buffer = add(story_.device, program_.name_of(row.sequence), true, place.size);
        if (!buffer) return;
        device_[row.sequence] = story_.device.size() - 1;
        mark(*buffer, 0, place.size, CellState::poison, true);
        return;
      }
      if (frees && place.allocation != 0) {
        if (TapeBuffer* buffer = device_buffer(place.allocation))
          mark(*buffer, 0, buffer->bytes, CellState::freed, true);
        return;
      }
    }
    if (row.direction == CopyDirection::none) {
      if (starts_with(row.call, "cudaMemset"))
        for (const TapePlace& place : row.places) mark_place(place, row.bytes, CellState::set, true);
      return;
    }
    const auto named = [&](std::string_view name) {
      return std::find_if(row.places.begin(), row.places.end(),
                          [&](const TapePlace& p) { return p.argument == name; });
    };
    const auto to = named("dst"), from = named("src");
    if (from != row.places.end()) light(*from, row.bytes);
    if (to == row.places.end()) return;
    const bool from_host =
        row.direction == CopyDirection::host_to_device || row.direction == CopyDirection::host_to_host;
    const bool poison = row.never_written > 0 && row.never_written >= row.bytes;
    mark_place(*to, row.bytes,
               poison      ? CellState::poison
               : from_host ? CellState::host
                           : CellState::copied,
               true);
    if (row.never_written > 0 && !poison && to->kind == MemoryKind::host)
      if (TapeBuffer* buffer = host_buffer(to->address, row.bytes))
        mark(*buffer, row.first_never_written, row.never_written, CellState::poison, true);
  }

  const HostProgram& program_;
  TapeStory& story_;
  size_t step_ = 0;
  std::map<uint64_t, size_t> device_, host_;
};

}  // namespace

TapeStory make_tape_story(const HostProgram& program) {
  TapeStory story;
  std::vector<TapeLine> lines = tape_lines(program);
  if (lines.size() > most_steps) {
    story.left_out = lines.size() - most_steps;
    lines.resize(most_steps);
  }
  for (const TapeLine& line : lines) story.steps.push_back(step_of_line(program, line));
  Memory(program, story).walk(lines);
  return story;
}

}  // namespace warpbook::view
