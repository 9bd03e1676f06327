// warpbook watch: looks at the answer's file a few times a second and checks it again when it changed.
// Polling works on every file system, network shares and containers included.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <thread>

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

constexpr auto pause = std::chrono::milliseconds(300);

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

  std::string checked;
  for (bool first = true;; first = false) {
    const auto source = read_file(*file, 8u << 20);
    if (!source && first) return complain(source.error(), false);
    // An editor that renames leaves a moment without a file.
    if (source && (first || *source != checked)) {
      checked = *source;
      const auto report = check(**session, *target->lesson, *target->exercise, *source, file->string());
      if (!report) return complain(report.error(), false);
      const std::string text = "\n" + check_formats().front().write({*report}, style_for_stdout());
      if (const int printed = print(text); printed != 0) return printed;
      if (report->passed && given.file.empty()) record_pass(**session, *target);
      if (report->passed && given.until_pass) return 0;
    }
    std::this_thread::sleep_for(pause);
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
