// The door: a subcommand runs and ends; without one the app opens.
#include "cli/commands.h"
#include "cli/console.h"
#include "lab/session.h"
#include "platform/window.h"
#include "ui/app.h"
#include "ui/plot_picture.h"

int main(int argc, char** argv) {
  using namespace warpbook;
  cli::Invocation invocation;
  invocation.version = WARPBOOK_VERSION;
  invocation.source_tree = WARPBOOK_SOURCE_DIR;
  invocation.draw_sweep = [](const SweepResult& swept, const Path& file, const Path& root) {
    return ui::save_sweep_picture(swept, file, root, platform::make_surface);
  };
  invocation.draw_growth = [](const GrowthTables& growth, const Path& file, const Path& root) {
    return ui::save_growth_picture(growth, file, root, platform::make_surface);
  };
  cli::AppRequest request;
  if (const auto exit_code = cli::run_command_line(argc, argv, invocation, request)) return *exit_code;

  auto session = cli::session_options(invocation);
  if (!session) return cli::complain(session.error(), false);
  ui::AppOptions options;
  options.session = std::move(*session);
  options.session.device = request.device;
  if (!request.gpu.empty()) options.session.gpu = request.gpu;
  options.lesson = request.lesson;
  options.headless = request.headless;
  options.script = request.script;
  options.screenshot = request.screenshot;
  options.width = request.width;
  options.height = request.height;
  options.scale = request.scale;
  options.theme = request.theme;
  return ui::run_app(options, platform::make_surface);
}
