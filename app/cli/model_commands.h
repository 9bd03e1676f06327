#pragma once
// The subcommands that ask the models.
#include "cli/commands.h"

namespace warpbook::cli {

void add_occupancy(CLI::App& app, Invocation& invocation);
void add_sweep(CLI::App& app, Invocation& invocation);

}  // namespace warpbook::cli
