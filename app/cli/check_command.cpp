// warpbook check: an answer, a folder of answers, or what an author must hold.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/complaint.h"
#include "base/text.h"
#include "cli/answers.h"
#include "cli/child_check.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "lab/check.h"

namespace warpbook::cli {

namespace {

struct CheckOptionsGiven {
  std::string target, file, format = "text", out, gpu, device = "emulated";
  bool author = false;
  uint64_t seed = 0;
};

/// The .cu files of a folder and of the folders in it (one a student), sorted.
std::vector<Path> answers_in(const Path& folder) {
  std::vector<Path> files;
  std::error_code failed;
  auto walk = std::filesystem::recursive_directory_iterator(folder, failed);
  for (; !failed && walk != std::filesystem::recursive_directory_iterator(); walk.increment(failed)) {
    if (walk.depth() > 2) walk.disable_recursion_pending();
    std::error_code ignored;
    if (walk->path().extension() == ".cu" && walk->is_regular_file(ignored)) files.push_back(walk->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

int write_report(const CheckOptionsGiven& given, const std::vector<CheckReport>& reports) {
  const auto& formats = check_formats();
  const auto format = std::find_if(formats.begin(), formats.end(),
                                   [&](const CheckFormat& f) { return f.name == given.format; });
  const std::string text = format->write(reports, given.out.empty() ? style_for_stdout() : TextStyle{});
  if (given.out.empty()) return print(text);
  const auto written = write_output(given.out, text);
  return written ? 0 : complain(written.error(), false);
}

/// One answer of a folder: in a process of its own, so that none can spoil the marks of the others.
Result<CheckReport> check_one_of_many(const CheckOptionsGiven& given, const Invocation& invocation,
                                      const Target& target, const Path& file) {
  ChildCheck order;
  order.program = own_executable().string();
  order.lesson = target.lesson->slug;
  order.exercise = target.exercise->name;
  order.file = file;
  order.seed = given.seed;
  if (!invocation.root.empty()) order.options.insert(order.options.end(), {"--root", invocation.root});
  for (const std::string& lessons : invocation.lessons)
    order.options.insert(order.options.end(), {"--lessons", lessons});
  if (!given.gpu.empty()) order.options.insert(order.options.end(), {"--gpu", given.gpu});
  order.options.insert(order.options.end(), {"--device", given.device});
  return check_in_child(order);
}

int check_answers(const CheckOptionsGiven& given, const Invocation& invocation, Session& session,
                  const Library& library) {
  const bool json = given.format == "json";
  const auto target = find_exercise(library, given.target);
  if (!target) return complain(target.error(), json);
  std::vector<Path> files;
  std::error_code ignored;
  const bool folder = !given.file.empty() && std::filesystem::is_directory(given.file, ignored);
  if (folder) {
    files = answers_in(given.file);
    if (files.empty())
      return complain(complaint(Trouble::not_found, fmt::format("{} holds no .cu file", given.file)), json);
  } else {
    files.push_back(given.file.empty() ? default_answer(session, *target) : Path(given.file));
  }
  std::vector<CheckReport> reports;
  for (const Path& file : files) {
    if (folder) {
      auto report = check_one_of_many(given, invocation, *target, file);
      if (!report) return complain(report.error(), json);
      reports.push_back(std::move(*report));
      continue;
    }
    const auto source = read_file(file, 8u << 20);
    if (!source) return complain(source.error(), json);
    auto report = check(session, *target->lesson, *target->exercise, *source, file.string(), given.seed);
    if (!report) return complain(report.error(), json);
    reports.push_back(std::move(*report));
  }
  const bool passed =
      std::all_of(reports.begin(), reports.end(), [](const CheckReport& r) { return r.passed; });
  int code = reports.size() == 1 ? reports[0].exit_code : passed ? 0 : 1;
  const Path own = answer_file(session.folders, target->lesson->slug, target->exercise->name);
  if (passed && !folder && files[0] == own) record_pass(session, *target);
  const int written = write_report(given, reports);
  return written != 0 ? written : code;
}

int check_authors(const CheckOptionsGiven& given, Session& session, const Library& library) {
  std::vector<const Lesson*> lessons;
  std::string text;
  int failed = 0, all = 0;
  if (!given.target.empty()) {
    const auto lesson = find_lesson(library, given.target);
    if (!lesson) return complain(lesson.error(), false);
    lessons.push_back(*lesson);
  } else {
    for (const Lesson& lesson : library.lessons) lessons.push_back(&lesson);
    for (const Error& broken : library.broken) {
      text += "fail  " + to_string(broken) + "\n";
      ++failed;
      ++all;
    }
    if (lessons.empty() && failed == 0)
      return complain(complaint(Trouble::not_found, "there are no lessons to check"), false);
  }
  if (const int printed = print(text); printed != 0) return printed;
  for (const Lesson* lesson : lessons) {
    const auto rows = check_author(session, *lesson);
    if (!rows) return complain(rows.error(), false);
    text = lesson->slug + "\n";
    for (const AuthorRow& row : *rows) {
      text += fmt::format("  {}  {}{}{}\n", row.passed ? "pass" : "FAIL", row.what,
                          row.message.empty() ? "" : ": ", row.message);
      failed += !row.passed;
      ++all;
    }
    if (const int printed = print(text); printed != 0) return printed;
  }
  const int printed = print(fmt::format("{} of {} hold.\n", all - failed, all));
  return printed != 0 ? printed : failed ? 1 : 0;
}

int perform(const CheckOptionsGiven& given, const Invocation& invocation) {
  const bool json = given.format == "json";
  const auto& formats = check_formats();
  if (std::none_of(formats.begin(), formats.end(),
                   [&](const CheckFormat& f) { return f.name == given.format; })) {
    std::vector<std::string> names;
    for (const CheckFormat& format : formats) names.emplace_back(format.name);
    return complain(complaint(fmt::format("--format {} is not known", given.format),
                              "it is one of: " + join(names, ", ")),
                    false);
  }
  if (given.target.empty() && !given.author)
    return complain(complaint("which exercise?", "for example warpbook check 02-hello-grid answer.cu"), json);
  if (given.author && (!given.file.empty() || given.format != "text" || !given.out.empty()))
    return complain(complaint("--author checks a lesson's own files and prints text"), json);
  auto options = session_options(invocation);
  if (!options) return complain(options.error(), json);
  if (!given.gpu.empty()) options->gpu = given.gpu;
  options->device = given.device;
  const Library library = open_library(*options);
  const auto session = open_session(*options);
  if (!session) return complain(session.error(), json);
  return given.author ? check_authors(given, **session, library)
                      : check_answers(given, invocation, **session, library);
}

}  // namespace

void add_check(CLI::App& app, Invocation& invocation) {
  auto given = std::make_shared<CheckOptionsGiven>();
  app.add_option("target", given->target, "The exercise; a lesson's first when only the lesson is named")
      ->type_name("SLUG[/EXERCISE]");
  app.add_option("file", given->file, "The answer, or a folder of answers; your own when none is named")
      ->type_name("FILE.cu|DIR");
  app.add_flag("--author", given->author,
               "Checks that starters fail, solutions pass and wrong answers fail for their reason");
  app.add_option("--seed", given->seed, "Seed of random inputs and orders")->type_name("N");
  app.add_option("--format", given->format, "text, json, junit, gradescope, exercism or csv")
      ->type_name("NAME");
  app.add_option("--out", given->out, "Writes the report to a file")->type_name("FILE");
  app.add_option("--device", given->device,
                 "emulated, or auto, cuda, cuda:GPU: then the answer also runs on that GPU")
      ->type_name("NAME");
  app.add_option("--gpu", given->gpu, "GPU whose limits hold")->type_name("NAME");
  app.callback([given, &invocation] {
    invocation.action = [given, &invocation] { return perform(*given, invocation); };
  });
}

}  // namespace warpbook::cli
