// The launch that a .cu file carries in its leading comments: `// kernel:`, `// launch:` and `// args:`
// lines.
#include <fmt/format.h>

#include "base/complaint.h"
#include "base/text.h"
#include "lab/arguments.h"

namespace warpbook {

namespace {

Error bad(const std::string& file, int line, std::string message, std::string hint = {}) {
  return complaint(std::move(message), std::move(hint), {file, line, 1});
}

/// "(4,2,1)", "(4)" or "4".
std::optional<Dim3> parse_dimensions(std::string_view text) {
  if (text.size() >= 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  uint32_t parts[3] = {1, 1, 1};
  const auto pieces = split(text, ',');
  if (pieces.empty() || pieces.size() > 3) return std::nullopt;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto number = parse_uint(trim(pieces[i]));
    if (!number || *number > UINT32_MAX) return std::nullopt;
    parts[i] = uint32_t(*number);
  }
  return Dim3{parts[0], parts[1], parts[2]};
}

/// `grid=(x,y,z) block=(x,y,z) shared=N optin=1`, in any order.
Result<Launch> parse_launch(std::string_view text, const std::string& file, int line) {
  Launch launch;
  bool any = false;
  while (!(text = trim(text)).empty()) {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos)
      return bad(file, line, fmt::format("\"{}\" in the launch line is not understood", text),
                 "write // launch: grid=(4,1,1) block=(128,1,1) shared=0");
    const std::string_view key = trim(text.substr(0, equals));
    std::string_view rest = trim(text.substr(equals + 1));
    const size_t end = starts_with(rest, "(") ? rest.find(')') : rest.find_first_of(" \t");
    if (starts_with(rest, "(") && end == std::string_view::npos)
      return bad(file, line, fmt::format("{} in the launch line lacks its closing parenthesis", key));
    const size_t length = end == std::string_view::npos ? rest.size()
                          : starts_with(rest, "(")      ? end + 1
                                                        : end;
    const std::string_view value = rest.substr(0, length);
    text = rest.substr(length);
    if (key == "grid" || key == "block") {
      const auto dimensions = parse_dimensions(value);
      if (!dimensions)
        return bad(file, line,
                   fmt::format("{}={} in the launch line is no size such as (4,1,1)", key, value));
      (key == "grid" ? launch.grid : launch.block) = *dimensions;
      any = true;
    } else if (key == "shared" || key == "optin") {
      const auto number = parse_uint(value);
      if (!number || *number > UINT32_MAX)
        return bad(file, line, fmt::format("{}={} in the launch line is no number", key, value));
      if (key == "shared") launch.shared_bytes = uint32_t(*number);
      if (key == "optin") launch.shared_optin = *number != 0;
    } else {
      return bad(file, line, fmt::format("the launch line does not know \"{}\"", key),
                 "it takes grid=, block=, shared= and optin=");
    }
  }
  if (!any) return bad(file, line, "the launch line has neither grid= nor block=");
  return launch;
}

}  // namespace

Result<SourceHeader> parse_header(std::string_view source, const std::string& file) {
  SourceHeader header;
  if (starts_with(source, "\xEF\xBB\xBF")) source.remove_prefix(3);
  int number = 0;
  while (!source.empty()) {
    ++number;
    const size_t end = source.find('\n');
    const std::string_view line = trim(source.substr(0, end));
    source = end == std::string_view::npos ? std::string_view{} : source.substr(end + 1);
    if (line.empty()) continue;
    if (!starts_with(line, "//")) break;
    const std::string_view comment = trim(line.substr(2));
    const size_t colon = comment.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = comment.substr(0, colon), value = trim(comment.substr(colon + 1));
    if (key == "kernel" && !header.kernel && !value.empty()) {
      header.kernel = std::string(value);
    } else if (key == "launch" && !header.launch) {
      auto launch = parse_launch(value, file, number);
      if (!launch) return launch.error();
      header.launch = *launch;
    } else if (key == "args") {
      for (std::string_view spec : split(value, ';'))
        if (!trim(spec).empty()) header.args.emplace_back(trim(spec));
    }
  }
  return header;
}

}  // namespace warpbook
