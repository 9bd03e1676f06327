// addr2line -a -i -f -C: an address, then pairs of lines (function, file:line).
#include "device/code_lines.h"

#include <fmt/format.h>

#include "base/process.h"
#include "base/text.h"

namespace warpbook {

namespace {

CodeLine line_of(std::string_view function, std::string_view place) {
  CodeLine line;
  if (function != "??") line.function = std::string(function);
  constexpr std::string_view remark = " (discriminator";
  place = place.substr(0, place.find(remark));
  const size_t colon = place.rfind(':');
  if (colon == std::string_view::npos || starts_with(place, "??")) return line;
  line.file = Path(place.substr(0, colon)).lexically_normal().string();
  line.line = int(parse_int(place.substr(colon + 1)).value_or(0));
  return line;
}

}  // namespace

std::vector<std::vector<CodeLine>> code_lines(const Path& object, const std::vector<uint64_t>& addresses) {
  std::vector<std::vector<CodeLine>> found(addresses.size());
  if (addresses.empty()) return found;
  std::string asked;
  for (const uint64_t address : addresses) asked += fmt::format("{:#x}\n", address);
  const auto ran = run_child({"addr2line", "-a", "-i", "-f", "-C", "-e", object.string()}, asked);
  if (!ran || ran->exit_code != 0) return found;
  size_t next = 0;
  std::string_view function;
  bool have_function = false;
  for (const std::string_view line : lines_of(ran->out)) {
    if (starts_with(line, "0x") && !have_function) {
      ++next;
      continue;
    }
    if (!have_function) {
      function = line;
      have_function = true;
      continue;
    }
    have_function = false;
    if (next == 0 || next > found.size()) continue;
    found[next - 1].push_back(line_of(function, line));
  }
  return found;
}

}  // namespace warpbook
