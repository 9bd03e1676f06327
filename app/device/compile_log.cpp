// Reading of NVRTC's log. An entry is a head line, perhaps more lines of the message, the source line, a line
// with a caret, and perhaps lines that tell the context:
//
//   file.cu(3): error: no instance of overloaded function "f" matches the argument list
//               argument types are: (float *, int)
//     f(a, 1);
//     ^
//             detected during instantiation of "void g(T)" at line 9 of file.cu
//
// Some entries have no place ("At end of source: error: ..."), and some lines are remarks that are no
// entries.
#include "device/compile_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace warpbook {

namespace {

enum class Word { error, warning, note, none };

struct Head {
  Word word = Word::none;
  std::string file;
  int line = 0;
  bool at_end = false;
  std::string message;
};

struct Entry {
  Head head;
  std::vector<std::string> more;     ///< further lines of the message
  std::vector<std::string> context;  ///< lines after the caret
  int column = 0;
};

Word take_word(std::string_view& text) {
  constexpr std::pair<std::string_view, Word> words[] = {
      {"catastrophic error", Word::error}, {"internal error", Word::error}, {"error", Word::error},
      {"warning", Word::warning},          {"remark", Word::note},          {"note", Word::note}};
  for (const auto& [name, word] : words) {
    if (!starts_with(text, name)) continue;
    std::string_view rest = text.substr(name.size());
    if (starts_with(rest, " #")) {  // the number of a warning: " #177-D"
      const size_t colon = rest.find(':');
      if (colon == std::string_view::npos) return Word::none;
      rest.remove_prefix(colon);
    }
    if (!starts_with(rest, ": ")) continue;
    text = rest.substr(2);
    return word;
  }
  return Word::none;
}

Head head_of(std::string_view line) {
  Head head;
  std::string_view rest = line;
  constexpr std::string_view at_end = "At end of source: ";
  if (starts_with(rest, at_end)) {
    rest.remove_prefix(at_end.size());
    head.at_end = true;
  } else {
    // The name may itself hold brackets, so look for the last "(digits): " that a word follows.
    size_t close = std::string_view::npos;
    for (size_t at = line.find("): "); at != std::string_view::npos; at = line.find("): ", at + 1)) {
      const size_t open = line.rfind('(', at);
      if (open == std::string_view::npos) continue;
      const auto number = parse_int(line.substr(open + 1, at - open - 1));
      std::string_view after = line.substr(at + 3);
      if (!number || take_word(after) == Word::none) continue;
      head.file = std::string(line.substr(0, open));
      head.line = int(*number);
      close = at;
      break;
    }
    if (close == std::string_view::npos) return {};
    rest = line.substr(close + 3);
  }
  head.word = take_word(rest);
  head.message = std::string(rest);
  return head;
}

bool is_caret(std::string_view line) { return trim(line) == "^"; }

std::vector<Entry> entries_of(std::string_view log) {
  std::vector<Entry> entries;
  const auto lines = lines_of(log);
  for (size_t i = 0; i < lines.size(); ++i) {
    Head head = head_of(lines[i]);
    if (head.word == Word::none) continue;
    Entry entry;
    entry.head = std::move(head);
    bool seen_caret = false;
    size_t next = i + 1;
    for (; next < lines.size() && !trim(lines[next]).empty(); ++next) {
      if (head_of(lines[next]).word != Word::none) break;
      if (!seen_caret && is_caret(lines[next])) {
        seen_caret = true;
        // Two blanks stand before the source line and before the caret.
        entry.column = std::max(1, int(lines[next].find('^')) - 1);
        if (!entry.more.empty()) entry.more.pop_back();  // the source line
      } else {
        (seen_caret ? entry.context : entry.more).emplace_back(trim(lines[next]));
      }
    }
    i = next - 1;
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// "... at line 9 of file.cu" or, within one file, "... at line 9"; the last one of the file is the
/// outermost.
int line_in_file(const std::vector<std::string>& context, std::string_view file) {
  int line = 0;
  for (const std::string& text : context) {
    constexpr std::string_view at = " at line ";
    const size_t found = text.rfind(at);
    if (found == std::string::npos) continue;
    const std::string_view rest = std::string_view(text).substr(found + at.size());
    const size_t of = rest.find(" of ");
    if (of == std::string_view::npos || trim(rest.substr(of + 4)) != file) continue;
    if (const auto number = parse_int(rest.substr(0, of))) line = int(*number);
  }
  return line;
}

bool lies_in(const std::string& file, const std::vector<Path>& folders) {
  const std::string name = Path(file).lexically_normal().string();
  return std::any_of(folders.begin(), folders.end(), [&](const Path& folder) {
    std::string prefix = folder.lexically_normal().string();
    if (!prefix.empty() && prefix.back() != '/') prefix += '/';
    return starts_with(name, prefix);
  });
}

/// The #include that most likely brought a header in: the one of its name, else the first.
IncludeLine include_of(std::string_view source, const std::string& header) {
  const auto includes = include_lines(source);
  for (const IncludeLine& include : includes) {
    if (Path(include.name).filename() == Path(header).filename()) return include;
  }
  return includes.empty() ? IncludeLine{} : includes.front();
}

/// The quoted piece that follows `before`.
std::string quoted_after(std::string_view message, std::string_view before) {
  const size_t at = message.find(before);
  if (at == std::string_view::npos) return {};
  const size_t open = at + before.size(), close = message.find('"', open);
  return close == std::string_view::npos ? std::string() : std::string(message.substr(open, close - open));
}

/// C's conversion for a type; empty when printf has none.
std::string_view conversion_for(std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"int", "%d"},    {"bool", "%d"},           {"short", "%d"},          {"signed char", "%d"},
      {"char", "%c"},   {"unsigned char", "%u"},  {"unsigned short", "%u"}, {"unsigned int", "%u"},
      {"long", "%ld"},  {"unsigned long", "%lu"}, {"long long", "%lld"},    {"unsigned long long", "%llu"},
      {"double", "%f"}, {"float", "%f"},          {"char *", "%s"},         {"const char *", "%s"}};
  for (const auto& [name, conversion] : known)
    if (name == type) return conversion;
  return !type.empty() && type.back() == '*' ? std::string_view("%p") : std::string_view();
}

/// printf with a format and arguments that do not fit: the kernel runs, and prints nonsense.
bool say_of_printf(Diagnosis& diagnosis) {
  const std::string message = diagnosis.message;
  if (starts_with(message, "argument is incompatible with corresponding format string conversion")) {
    const std::string wanted = quoted_after(message, "expected type \"");
    const std::string given = quoted_after(message, "argument has type \"");
    if (wanted.empty() || given.empty()) return false;
    diagnosis.message = fmt::format(
        "printf is given a {} where its format string says {}, so it prints nonsense.", given, wanted);
    const std::string_view conversion = conversion_for(given);
    diagnosis.hint = conversion.empty()
                         ? fmt::format("Convert the value to {}, or print a member of it.", wanted)
                         : fmt::format("The conversion for a {} is {}.", given, conversion);
  } else if (starts_with(message, "the format string requires additional arguments")) {
    diagnosis.message = "printf's format string asks for more values than printf is given.";
    diagnosis.hint = "Give a value for each conversion (%d, %f and so on); a percent sign itself is %%.";
  } else if (starts_with(message, "the format string ends before this argument")) {
    diagnosis.message = "printf is given a value that its format string does not print.";
    diagnosis.hint = "Add a conversion for it (%d for an int, %f for a float), or leave the value out.";
  } else if (starts_with(message, "invalid format string conversion")) {
    diagnosis.message = "printf's format string has a conversion that does not exist.";
    diagnosis.hint =
        "Known are %d %u %x %f %e %g %c %s %p, and %lld for a long long; a percent sign itself is %%.";
  } else {
    return false;
  }
  diagnosis.kind = "printf-arguments";
  diagnosis.severity = Severity::warning;
  diagnosis.access = "call";
  return true;
}

/// NVRTC's words for what learners meet most speak of "JIT mode" and of options that they do not have.
void say_plainly(Diagnosis& diagnosis) {
  const std::string& message = diagnosis.message;
  if (starts_with(message, "A function without execution space annotations")) {
    diagnosis.message = "this function is host code: it is neither __global__ nor __device__";
    diagnosis.hint =
        "Put __device__ before a function that kernels call. Only device code is compiled here; the host's "
        "part is "
        "done for you.";
  } else if (starts_with(message, "A namespace scope variable without memory space annotations")) {
    diagnosis.message = "this variable is host code: it is neither __device__ nor __constant__";
    diagnosis.hint =
        "Put __device__ or __constant__ before it, or make it constexpr when its value never changes.";
  } else if (starts_with(message, "cannot open source file") ||
             starts_with(message, "could not open source file")) {
    const size_t open = message.find('"'), close = message.find('"', open + 1);
    const std::string name = close == std::string::npos ? "" : message.substr(open + 1, close - open - 1);
    diagnosis.message = fmt::format("there is no header \"{}\" for device code", name);
    diagnosis.hint =
        "Kernels are compiled without the host's standard library. Leave the header out, or put your own "
        "beside the "
        "file.";
  } else if (starts_with(message, "identifier ") && message.find("is undefined") != std::string::npos &&
             message.find("\"std::") != std::string::npos) {
    diagnosis.hint = "Most of the host's standard library does not exist on the device.";
  }
}

}  // namespace

std::vector<IncludeLine> include_lines(std::string_view source) {
  std::vector<IncludeLine> includes;
  int number = 0;
  for (const std::string_view line : lines_of(source)) {
    ++number;
    std::string_view rest = trim(line);
    if (rest.empty() || rest[0] != '#') continue;
    rest = trim(rest.substr(1));
    if (!starts_with(rest, "include")) continue;
    rest = trim(rest.substr(7));
    if (rest.size() < 3 || (rest[0] != '"' && rest[0] != '<')) continue;
    const size_t end = rest.find(rest[0] == '"' ? '"' : '>', 1);
    if (end == std::string_view::npos) continue;
    const auto column = int(rest.data() - line.data()) + 1;
    includes.push_back({std::string(rest.substr(1, end - 1)), number, column, rest[0] == '"'});
  }
  return includes;
}

ReadLog read_compile_log(std::string_view log, const LogContext& context) {
  ReadLog result;
  const auto own_lines = int(lines_of(context.source).size());
  std::string reason;  // of the name expression that follows
  for (Entry& entry : entries_of(log)) {
    Head& head = entry.head;
    // The file that NVRTC makes up for name expressions: a name that is no function.
    if (head.file == "__nv_name_map") {
      constexpr std::string_view given = "Input name expression was: \"";
      const size_t at = head.message.find(given);
      if (at == std::string::npos) {
        reason = head.message;
        continue;
      }
      std::string name = replace_all(std::string_view(head.message).substr(at + given.size()), " ", "");
      if (!name.empty() && name.back() == '"') name.pop_back();
      const std::string_view own = trim(std::string_view(head.message).substr(0, at));
      const bool says_more = own.find("Error in parsing") == std::string_view::npos;
      result.unknown_names.push_back({name, says_more ? std::string(own) : reason});
      continue;
    }
    if (head.word == Word::note) {  // "to match this {": belongs to the one before
      if (!result.diagnoses.empty() && result.diagnoses.back().hint.empty() && head.line > 0) {
        result.diagnoses.back().hint = fmt::format("Line {}: {}.", head.line, head.message);
      }
      continue;
    }
    Diagnosis diagnosis;
    const bool error = head.word == Word::error;
    diagnosis.severity = error ? Severity::error : Severity::note;
    diagnosis.kind = error ? "compile-error" : "compile-warning";
    diagnosis.message = head.message;
    for (const std::string& line : entry.more) diagnosis.message += "; " + line;
    diagnosis.file = context.file;
    if (head.at_end) {
      diagnosis.line = own_lines;
    } else if (head.file == context.file_in_log) {
      diagnosis.line = head.line;
      diagnosis.column = entry.column;
    } else if (lies_in(head.file, context.own_folders)) {
      diagnosis.file = head.file;
      diagnosis.line = head.line;
      diagnosis.column = entry.column;
    } else if (!error) {
      continue;
    } else {
      diagnosis.line = line_in_file(entry.context, context.file_in_log);
      if (diagnosis.line == 0) {
        const IncludeLine include = include_of(context.source, head.file);
        diagnosis.line = include.line;
        diagnosis.column = include.column;
      }
      diagnosis.message += fmt::format(" (in {}, line {})", Path(head.file).filename().string(), head.line);
    }
    if (error || !say_of_printf(diagnosis)) say_plainly(diagnosis);
    result.diagnoses.push_back(std::move(diagnosis));
  }
  return result;
}

}  // namespace warpbook
