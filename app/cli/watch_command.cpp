// warpbook watch: checks the answer again whenever its file is saved, in whatever editor. A check whose file
// is saved meanwhile is out of date: it is ended, and a new one begins.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <thread>

#include "base/file_watch.h"
#include "cli/answers.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "lab/check.h"

namespace warpbook::cli {

namespace {

struct WatchOptionsGiven {
  std::string target, file;
  bool until_pass = false;
};

using namespace std::chrono_literals;

constexpr size_t largest_answer = 8u << 20;

/// The learner's own file; laid out from the starter when it is not there.
Result<Path> own_answer(const Session& session, const Target& target) {
  const Path own = answer_file(session.folders, target.lesson->slug, target.exercise->name);
  std::error_code ignored;
  if (std::filesystem::exists(own, ignored)) return own;
  const auto starter = read_file(target.lesson->kernels / target.exercise->name / "exercise.cu");
  if (!starter) return starter.error();
  if (const auto written = write_file(own, *starter); !written) return written.error();
  return own;
}

/// Saved, and not as it was: an editor may write the same again.
bool has_changed(FileWatch& watch, const std::string& file, const std::string& source) {
  if (!watch.changed(50ms)) return false;
  const auto now = read_file(file, largest_answer);
  return now && *now != source;
}

/// Ends early when the file is saved meanwhile, and says so in `saved`.
Result<CheckReport> check_until_saved(Session& session, const Target& target, const std::string& source,
                                      const std::string& file, FileWatch& watch, bool& saved) {
  CheckProgress progress;
  std::atomic<bool> done{false};
  std::optional<Result<CheckReport>> report;
  std::thread worker([&] {
    report = check(session, *target.lesson, *target.exercise, source, file, 0, &progress);
    done = true;
  });
  while (!done && !saved) saved = has_changed(watch, file, source);
  if (saved) progress.run.stop = true;
  worker.join();
  return std::move(*report);
}

int perform(const WatchOptionsGiven& given, const Invocation& invocation) {
  const auto options = session_options(invocation);
  if (!options) return complain(options.error(), false);
  const Library library = open_library(*options);
  const auto target = find_exercise(library, given.target);
  if (!target) return complain(target.error(), false);
  const auto session = open_session(*options);
  if (!session) return complain(session.error(), false);
  auto file = given.file.empty() ? own_answer(**session, *target) : Result<Path>(Path(given.file));
  if (!file) return complain(file.error(), false);
  if (const int printed = print(fmt::format("Watching {} (Ctrl+C ends it)\n", file->string())); printed != 0)
    return printed;

  FileWatch watch(*file);
  std::optional<std::string> reported;  ///< what the report on screen is about
  bool due = true;
  for (bool first = true;; first = false) {
    while (!due) due = watch.changed(10s);
    due = false;
    const auto source = read_file(*file, largest_answer);
    if (!source && first) return complain(source.error(), false);
    if (!source || source.value() == reported) continue;  // gone for a moment, or saved without a change
    if (!first) {
      const int printed = print(reported ? "\nSaved: the report above is out of date. Checking again\n"
                                         : "\nSaved meanwhile, so that check was ended. Checking again\n");
      if (printed != 0) return printed;
    }
    reported.reset();
    const auto report = check_until_saved(**session, *target, *source, file->string(), watch, due);
    if (!report) {
      if (due) continue;
      return complain(report.error(), false);
    }
    const std::string text = "\n" + check_formats().front().write({*report}, style_for_stdout());
    if (const int printed = print(text); printed != 0) return printed;
    reported = *source;
    if (report->passed && given.file.empty()) record_pass(**session, *target);
    if (report->passed && given.until_pass) return 0;
  }
}

}  // namespace

void add_watch(CLI::App& app, Invocation& invocation) {
  auto given = std::make_shared<WatchOptionsGiven>();
  app.add_option("target", given->target, "The exercise")->required()->type_name("SLUG[/EXERCISE]");
  app.add_option("file", given->file, "The answer; your own when none is named")->type_name("FILE.cu");
  app.add_flag("--until-pass", given->until_pass, "Ends when the answer passes");
  app.callback([given, &invocation] {
    invocation.action = [given, &invocation] { return perform(*given, invocation); };
  });
}

}  // namespace warpbook::cli
