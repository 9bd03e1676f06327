// warpbook conform: the emulator held against the GPU that is there.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/console.h"
#include "lab/conform.h"

namespace warpbook::cli {

namespace {

struct ConformGiven {
  std::string device = "cuda";
  ConformOptions options;
  bool json = false, no_instructions = false, no_lessons = false;
};

int perform(const ConformGiven& given, const Invocation& invocation) {
  auto options = session_options(invocation);
  if (!options) return complain(options.error(), given.json);
  options->device = given.device;
  const auto session = open_session(*options);
  if (!session) {
    Error error = session.error();
    // Others can do without a GPU; here there is nothing to do then.
    if (error.hint.find("--device") != std::string::npos)
      error.hint = "conform compares the emulator with a GPU; warpbook devices shows what is here";
    return complain(error, given.json);
  }
  ConformOptions wanted = given.options;
  wanted.instructions = !given.no_instructions;
  wanted.lessons = !given.no_lessons;
  const Library library = wanted.lessons ? open_library(*options) : Library{};
  const auto report = conform(**session, library, wanted);
  if (!report) return complain(report.error(), given.json);
  const int printed =
      print(given.json ? conform_as_json(*report) : conform_as_text(*report, style_for_stdout().colour));
  if (printed != 0) return printed;
  return report->passed() ? 0 : 1;
}

}  // namespace

void add_conform(CLI::App& app, Invocation& invocation) {
  auto given = std::make_shared<ConformGiven>();
  app.add_option("--device", given->device, "cuda, or cuda:GPU by number, UUID or name")->type_name("NAME");
  app.add_option("--generated", given->options.generated, "Generated kernels")
      ->type_name("N")
      ->check(CLI::Range(0, 100000));
  app.add_option("--seed", given->options.seed, "Seed of inputs and generated kernels")->type_name("S");
  app.add_flag("--no-instructions", given->no_instructions, "Leaves out the instructions one by one");
  app.add_flag("--no-lessons", given->no_lessons, "Leaves out the lessons' kernels");
  app.add_flag("--json", given->json, "Prints one JSON object");
  app.callback([given, &invocation] {
    invocation.action = [given, &invocation] { return perform(*given, invocation); };
  });
}

}  // namespace warpbook::cli
