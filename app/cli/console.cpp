#include "cli/console.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "base/complaint.h"
#include "base/terminal.h"
#include "base/text.h"

namespace warpbook::cli {

int print(std::string_view text) {
  const bool whole =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (whole) return 0;
  warn("error: the output could not be written");
  return 4;
}

void warn(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fputc('\n', stderr);
}

int exit_code_of(Trouble trouble) {
  switch (trouble) {
    case Trouble::compile: return 2;
    case Trouble::limit:
    case Trouble::cancelled: return 3;
    default: return 4;
  }
}

int complain(const Error& error, bool json) {
  const int code = exit_code_of(error.trouble);
  Error without_hint = error;
  without_hint.hint.clear();
  warn("error: " + to_string(without_hint));
  if (!error.hint.empty()) warn("hint: " + error.hint);
  if (!json) return code;
  RunResult result;
  result.status = code == 2                             ? "compile-error"
                  : code == 3                           ? "limit"
                  : error.trouble == Trouble::bad_input ? "bad-arguments"
                                                        : "set-up";
  Diagnosis diagnosis;
  diagnosis.kind = code == 2                             ? "compile-error"
                   : error.trouble == Trouble::bad_input ? "bad-argument"
                                                         : result.status;
  diagnosis.message = error.message;
  diagnosis.hint = error.hint;
  diagnosis.file = error.where.file;
  diagnosis.line = error.where.line;
  diagnosis.column = error.where.column;
  result.diagnostics.push_back(std::move(diagnosis));
  print(run_as_json(result));
  return code;
}

TextStyle style_for_stdout() {
  TextStyle style;
  const char* no_colour = std::getenv("NO_COLOR");
  style.colour = stdout_is_terminal() && !(no_colour && *no_colour);
  return style;
}

Result<SessionOptions> session_options(const Invocation& invocation) {
  SessionOptions options;
  auto root = find_root(invocation.root, invocation.source_tree);
  if (!root) return root.error();
  options.root = std::move(*root);
  for (const std::string& folder : invocation.lessons) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
      return complaint(Trouble::not_found, fmt::format("--lessons names {}, which is no folder", folder));
    options.more_lessons.emplace_back(folder);
  }
  return options;
}

Library open_library(const SessionOptions& options) {
  std::vector<Path> roots = {options.root};
  roots.insert(roots.end(), options.more_lessons.begin(), options.more_lessons.end());
  return load_library(roots);
}

Result<const Lesson*> find_lesson(const Library& library, const std::string& slug) {
  if (const Lesson* lesson = library.lesson(slug)) return lesson;
  for (const Error& broken : library.broken)
    if (broken.where.file.find("/" + slug + "/") != std::string::npos ||
        broken.where.file.find("/" + slug + ".json") != std::string::npos)
      return broken;
  std::vector<std::string> slugs;
  for (const Lesson& lesson : library.lessons) slugs.push_back(lesson.slug);
  const auto close = nearest_word(slug, slugs);
  return complaint(Trouble::not_found, fmt::format("there is no lesson called {}", slug),
                   close           ? fmt::format("did you mean {}?", *close)
                   : slugs.empty() ? std::string("there are no lessons at all")
                                   : "there are: " + join(slugs, ", "));
}

Result<Done> write_output(const Path& path, std::string_view bytes) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
                       !std::filesystem::is_directory(status);
  if (!special) return write_file(path, bytes);
  // A rename would put a plain file in the device's place.
  std::FILE* file = std::fopen(path.c_str(), "wb");
  bool whole = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (file) whole = std::fclose(file) == 0 && whole;
  if (whole) return Done{};
  return complaint(Trouble::io, "could not be written: is the disk full?", {}, {path.string(), 0, 0});
}

Path answer_file(const UserFolders& folders, const std::string& slug, const std::string& exercise) {
  return folders.data / "exercises" / slug / (exercise + ".cu");
}

Path progress_file(const UserFolders& folders) { return folders.data / "progress.json"; }

}  // namespace warpbook::cli
