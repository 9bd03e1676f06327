#pragma once
// What subcommands share: printing, complaining, opening the root, writing files that a user names.
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/result.h"
#include "cli/commands.h"
#include "lab/report.h"
#include "lab/session.h"
#include "lesson/progress.h"

namespace warpbook::cli {

/// To stdout, whole. 0, or 4 when it cannot be written (a full disk behind a redirection).
int print(std::string_view text);
/// A line to stderr.
void warn(std::string_view text);
/// The error on stderr, and with `json` as one object of the same shape as a run's on stdout; its exit code.
int complain(const Error& error, bool json);
int exit_code_of(Trouble trouble);

TextStyle style_for_stdout();

/// Where lessons lie, after --root and --lessons.
Result<SessionOptions> session_options(const Invocation& invocation);
Library open_library(const SessionOptions& options);
/// The lesson, or an error that says what it may have meant (or why it did not load).
Result<const Lesson*> find_lesson(const Library& library, const std::string& slug);

/// Writes a file that a user named: by rename where it is a plain file, straight into devices and pipes.
Result<Done> write_output(const Path& path, std::string_view bytes);

/// The learner's own answer to an exercise.
Path answer_file(const UserFolders& folders, const std::string& slug, const std::string& exercise);
Path progress_file(const UserFolders& folders);

}  // namespace warpbook::cli
