// The hidden subcommand that the child on the GPU is started with.
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "device/cuda_child.h"

namespace warpbook::cli {

void add_cuda_worker(CLI::App& app, Invocation& invocation) {
  app.callback([&invocation] { invocation.action = [] { return cuda_worker_main(); }; });
}

}  // namespace warpbook::cli
