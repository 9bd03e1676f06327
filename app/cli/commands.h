#pragma once
// The command line: one file a subcommand, one row each in the table.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"

namespace CLI {
class App;
}

namespace warpbook {
struct GrowthTables;
struct SweepResult;
}  // namespace warpbook

namespace warpbook::cli {

/// What main knows about the build, what every subcommand may be told, and what the chosen one will do.
struct Invocation {
  std::string version, source_tree;
  std::string root;                            ///< --root
  std::vector<std::string> lessons;            ///< --lessons
  std::function<int()> action;                 ///< set by the subcommand; returns the exit code
  std::vector<std::string> program_arguments;  ///< behind "--"
  /// Draws a sweep as a PNG; from main, which knows what can draw. The last is the folder of assets/.
  std::function<Result<Done>(const SweepResult&, const Path&, const Path&)> draw_sweep;
  /// The same of how the emulator's cost grows.
  std::function<Result<Done>(const GrowthTables&, const Path&, const Path&)> draw_growth;
};

struct Command {
  const char* name;
  const char* summary;
  const char* examples;  ///< lines of the help; null for hidden commands
  void (*add)(CLI::App& app, Invocation& invocation);
};
const std::vector<Command>& commands();

void add_run(CLI::App& app, Invocation& invocation);
void add_check(CLI::App& app, Invocation& invocation);
void add_watch(CLI::App& app, Invocation& invocation);
void add_list(CLI::App& app, Invocation& invocation);
void add_quiz(CLI::App& app, Invocation& invocation);
void add_devices(CLI::App& app, Invocation& invocation);
void add_conform(CLI::App& app, Invocation& invocation);
void add_bench(CLI::App& app, Invocation& invocation);
void add_new_lesson(CLI::App& app, Invocation& invocation);
void add_compile_worker(CLI::App& app, Invocation& invocation);
void add_cuda_worker(CLI::App& app, Invocation& invocation);

/// What the command line says about the app when no subcommand is given.
struct AppRequest {
  std::string lesson, device, gpu, script, screenshot, theme;
  bool headless = false;
  int width = 0, height = 0;  ///< pixels; 0 = not said
  float scale = 0;            ///< 0 = not said
};

/// Parses and, for a subcommand, runs. Absent: the app is meant, and `request` says how.
std::optional<int> run_command_line(int argc, char** argv, Invocation& invocation, AppRequest& request);

}  // namespace warpbook::cli
