// warpbook new-lesson: lays the files of a lesson that loads, runs and holds its author checks from the
// start.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <memory>

#include "base/complaint.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/lesson_template.h"

namespace warpbook::cli {

namespace {

/// Two digits that carry the order, then lower-case words with hyphens: 31-histograms.
bool good_slug(std::string_view slug) {
  if (slug.size() < 4 || slug.size() > 60 || slug.back() == '-') return false;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!digit(slug[0]) || !digit(slug[1]) || slug[2] != '-') return false;
  for (size_t i = 3; i < slug.size(); ++i) {
    const char c = slug[i];
    if (!(c >= 'a' && c <= 'z') && !digit(c) && c != '-') return false;
    if (c == '-' && slug[i - 1] == '-') return false;
  }
  return true;
}

/// "31-sparse-rows" -> "Sparse rows".
std::string title_of(const std::string& slug) {
  std::string title = replace_all(slug.substr(3), "-", " ");
  title[0] = char(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

int perform(const std::string& slug, const Invocation& invocation) {
  const auto options = session_options(invocation);
  if (!options) return complain(options.error(), false);
  if (!good_slug(slug))
    return complain(complaint(fmt::format("{} is no name for a lesson", slug),
                              "two digits that carry the order, then lower-case words: 31-histograms"),
                    false);
  // A teacher's own folder, when one is named.
  const Path root = options->more_lessons.empty() ? options->root : options->more_lessons.back();
  std::error_code ignored;
  const Path lesson = root / "lessons" / slug, kernels = root / "kernels" / slug,
             quiz = root / "quizzes" / (slug + ".json");
  for (const Path& place : {lesson, kernels, quiz})
    if (std::filesystem::exists(place, ignored))
      return complain(complaint(fmt::format("{} is there already", place.string()), "choose another name"),
                      false);
  const Library library = open_library(*options);
  if (library.lesson(slug))
    return complain(complaint(fmt::format("there is a lesson {} already", slug), "choose another name"),
                    false);
  std::string text;
  for (const TemplateFile& file : lesson_template()) {
    const Path path = root / replace_all(file.path, "SLUG", slug);
    const std::string content =
        replace_all(replace_all(file.content, "@TITLE@", title_of(slug)), "@SLUG@", slug);
    if (const auto written = write_file(path, content); !written) return complain(written.error(), false);
    text += "  " + path.string() + "\n";
  }
  return print("Laid out:\n" + text + fmt::format("Now: warpbook check --author {}\n", slug));
}

}  // namespace

void add_new_lesson(CLI::App& app, Invocation& invocation) {
  auto slug = std::make_shared<std::string>();
  app.add_option("slug", *slug, "Its name, such as 31-histograms")->required()->type_name("SLUG");
  app.callback([slug, &invocation] {
    invocation.action = [slug, &invocation] { return perform(*slug, invocation); };
  });
}

}  // namespace warpbook::cli
