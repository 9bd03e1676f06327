// The hidden subcommand that the compiler starts this program with.
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "device/compiler.h"

namespace warpbook::cli {

void add_compile_worker(CLI::App& app, Invocation& invocation) {
  app.callback([&invocation] { invocation.action = [] { return compile_worker_main(); }; });
}

}  // namespace warpbook::cli
