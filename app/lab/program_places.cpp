// See program_places.h. The first frame in the learner's files is the place: a call out of a toolkit header
// belongs to whoever called into it.
#include "lab/program_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "device/code_lines.h"

namespace warpbook {

namespace {

using KnownLines = std::map<std::pair<uint32_t, uint64_t>, std::vector<CodeLine>>;

/// Files of the toolkit and of the system are nobody's own.
bool is_own(const std::string& file, const ProgramOrder& order, const ToolkitPlace& toolkit) {
  if (file.empty()) return false;
  const std::string real = real_name(file);
  if (order.shown.count(real) != 0) return true;
  const std::string headers = toolkit.include_folder.empty() ? "" : real_name(toolkit.include_folder) + "/";
  if (!headers.empty() && starts_with(real, headers)) return false;
  if (starts_with(real, "/usr/") || starts_with(Path(real).filename().string(), "tmpxft_")) return false;
  return real.find("/cuda/include/") == std::string::npos && real.find("/cccl/") == std::string::npos &&
         real.find("/targets/x86_64-linux/include/") == std::string::npos;
}

/// "cub", "thrust": the C++ library that a frame belongs to.
std::string library_of(const std::string& file) {
  for (const char* name : {"cub", "thrust", "cooperative_groups"})
    if (file.find(fmt::format("/{}/", name)) != std::string::npos) return name;
  return {};
}

/// The lines of all frames, asked for once an object.
KnownLines lines_of_frames(const Tape& tape, const ExecutedProgram& program) {
  std::map<uint32_t, std::vector<uint64_t>> asked;
  for (const TapeRow& row : tape.rows)
    for (const TapeFrame& frame : row.frames) asked[frame.object].push_back(frame.address);
  KnownLines known;
  for (auto& [object, addresses] : asked) {
    if (object >= tape.objects.size()) continue;
    // Libraries of the system have no lines to tell, and are slow to ask.
    const std::string& name = tape.objects[object];
    if (starts_with(name, "/usr/") || starts_with(name, "/lib")) continue;
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
    const bool is_program = name == program.named || name.empty();
    auto lines = code_lines(is_program ? program.file : Path(name), addresses);
    for (size_t i = 0; i < addresses.size(); ++i) known[{object, addresses[i]}] = std::move(lines[i]);
  }
  return known;
}

}  // namespace

std::string shown_name(const std::string& file, const ProgramOrder& order) {
  if (const auto known = order.shown.find(real_name(file)); known != order.shown.end()) return known->second;
  std::error_code code;
  const Path here = std::filesystem::current_path(code);
  const std::string prefix = (here / "").string();
  return !code && starts_with(file, prefix) ? file.substr(prefix.size()) : file;
}

std::vector<std::string> look_up_places(HostProgram& story, const ExecutedProgram& program,
                                        const ProgramOrder& order, const ToolkitPlace& toolkit) {
  Tape& tape = story.tape;
  const KnownLines known = lines_of_frames(tape, program);
  // By file, the learner's name of an own one: asked of many rows, and each answer takes the file system.
  std::map<std::string, std::optional<std::string>> names;
  const auto own_name = [&](const std::string& file) -> const std::optional<std::string>& {
    const auto [name, added] = names.try_emplace(file);
    if (added && is_own(file, order, toolkit)) name->second = shown_name(file, order);
    return name->second;
  };
  story.places.assign(tape.rows.size(), {});
  for (size_t i = 0; i < tape.rows.size(); ++i) {
    RowPlace& place = story.places[i];
    for (const TapeFrame& frame : tape.rows[i].frames) {
      const auto lines = known.find({frame.object, frame.address});
      if (lines == known.end()) continue;
      for (const CodeLine& line : lines->second) {
        if (place.place.line != 0) continue;
        if (const auto& name = own_name(line.file)) {
          place.place = {*name, line.line};
          place.function = line.function;
        } else if (place.folded.empty()) {
          place.folded = library_of(line.file);
        }
      }
    }
  }
  for (TapeRow& row : tape.rows) {
    if (!row.launch) continue;
    for (Diagnosis& diagnosis : row.launch->diagnostics)
      if (!diagnosis.file.empty()) diagnosis.file = shown_name(diagnosis.file, order);
  }
  std::vector<std::string> own_files;
  for (const auto& [file, name] : names)
    if (name) own_files.push_back(file);
  return own_files;
}

}  // namespace warpbook
