// The learner's names in place of addresses.
#include "result/host_program.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpbook {

const RowPlace& HostProgram::place_of(uint64_t sequence) const {
  static const RowPlace nowhere;
  const TapeRow* row = tape.row(sequence);
  if (row == nullptr) return nowhere;
  const auto index = size_t(row - tape.rows.data());
  return index < places.size() ? places[index] : nowhere;
}

std::string HostProgram::name_of(uint64_t allocation) const {
  if (const auto known = names.find(allocation); known != names.end()) return known->second;
  const int line = place_of(allocation).place.line;
  return line > 0 ? fmt::format("the memory of line {}", line) : std::string("memory");
}

std::string HostProgram::host_name(uint64_t address) const {
  const auto known = host_names.find(address);
  return known == host_names.end() ? std::string("host memory") : known->second;
}

std::string words_of(const HostProgram& program, const TapeRow& row) {
  if (row.launch) {
    const TapeLaunch& launch = *row.launch;
    const auto size = [](const Dim3& d) {
      if (d.z != 1) return fmt::format("({}, {}, {})", d.x, d.y, d.z);
      if (d.y != 1) return fmt::format("({}, {})", d.x, d.y);
      return fmt::format("{}", d.x);
    };
    std::string words =
        fmt::format("{}<<<{}, {}", launch.kernel, size(launch.launch.grid), size(launch.launch.block));
    if (launch.launch.shared_bytes != 0 || row.stream > 0)
      words += fmt::format(", {}", launch.launch.shared_bytes);
    if (row.stream > 0) words += fmt::format(", stream {}", row.stream);
    words += ">>>(";
    bool first = true;
    for (const TapeArgument& argument : row.arguments) {
      if (!first) words += ", ";
      first = false;
      const auto place = std::find_if(row.places.begin(), row.places.end(),
                                      [&](const TapePlace& p) { return p.argument == argument.name; });
      if (place != row.places.end() && place->allocation != 0) {
        words += program.name_of(place->allocation);
        if (place->offset != 0) words += fmt::format(" {:+} bytes", place->offset);
      } else {
        words += argument.value;
      }
    }
    return words + ")";
  }
  std::string words = row.call + "(";
  bool first = true;
  for (const TapeArgument& argument : row.arguments) {
    if (argument.name == "stream" && row.stream <= 0) continue;  // the default, which nobody wrote
    if (!first) words += ", ";
    first = false;
    const auto place = std::find_if(row.places.begin(), row.places.end(),
                                    [&](const TapePlace& p) { return p.argument == argument.name; });
    std::string value = argument.value;
    const auto made = program.names.find(row.sequence);
    if (argument.name == "kind" && row.direction != CopyDirection::none) {
      value = warpbook::name_of(row.direction);
    } else if (&argument == &row.arguments.front() && made != program.names.end()) {
      value = made->second.rfind('*', 0) == 0 ? made->second.substr(1) : "&" + made->second;
    } else if (place != row.places.end() && place->allocation != 0) {
      value = program.name_of(place->allocation);
      if (place->offset != 0) value += fmt::format(" {:+} bytes", place->offset);
    } else if (place != row.places.end() && place->kind == MemoryKind::host) {
      value = program.host_name(place->address);
    } else if (place != row.places.end() && !place->variable.empty()) {
      value = place->variable;
    }
    words += fmt::format("{} = {}", argument.name, value);
  }
  return words + ")";
}

}  // namespace warpbook
