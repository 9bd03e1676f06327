#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>

#include "base/complaint.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/model_commands.h"

namespace warpbook::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"run", "Runs a kernel or a whole program and shows its results and what is wrong",
       "  warpbook run scale.cu                       the launch stands in the file's leading comments\n"
       "  warpbook run scale.cu --grid 4 --block 256 --arg out=buf:f32[1000]:zeros --arg n=i32:1000\n"
       "  warpbook run 02-hello-grid --block 64       a lab of a lesson\n"
       "  warpbook run program.cu more.cpp -- 1000    a whole program with main: its host calls are told as "
       "well\n"
       "  warpbook run mandelbrot.cu --image out=512x512:picture.png --json",
       add_run},
      {"check", "Checks an answer to an exercise",
       "  warpbook check 02-hello-grid answer.cu      the lesson's first exercise\n"
       "  warpbook check 17-matmul/tiled answers/ --format csv --out grades.csv\n"
       "  warpbook check --author 02-hello-grid       what a lesson's author must hold",
       add_check},
      {"watch", "Checks an answer again on every save",
       "  warpbook watch 02-hello-grid                your own file, laid out from the starter", add_watch},
      {"list", "Lists lessons, kernels, exercises and progress", "  warpbook list\n  warpbook list --json",
       add_list},
      {"quiz", "Asks a lesson's questions in the terminal", "  warpbook quiz 07-mandelbrot", add_quiz},
      {"occupancy", "Says how many blocks an SM holds, and which limit holds",
       "  warpbook occupancy --gpu 'RTX 4090' --block 256 --regs 40\n"
       "  warpbook occupancy --cc 8.6 --block 256 --regs 32 --dynamic 20000 --json",
       add_occupancy},
      {"sweep", "Runs a kernel over block sizes, macros and GPUs, and models the time of each",
       "  warpbook sweep scale.cu --over block=32..1024 --gpu 'A100 40 GB,RTX 4090'\n"
       "  warpbook sweep 17-matmul/tiled --define TILE=8,16,32 --csv",
       add_sweep},
      {"devices", "Shows the engines, GPUs and the compiler of this machine", "  warpbook devices --json",
       add_devices},
      {"conform", "Holds the emulator against this machine's GPU, kernel by kernel",
       "  warpbook conform\n  warpbook conform --device cuda:1 --json", add_conform},
      {"bench", "Measures the emulator against the same loops in native C++",
       "  warpbook bench\n  warpbook bench --json", add_bench},
      {"new-lesson", "Lays out the files of a new lesson", "  warpbook new-lesson 31-histograms",
       add_new_lesson},
      {"compile-worker", "", nullptr, add_compile_worker},
      {"cuda-worker", "", nullptr, add_cuda_worker},
  };
  return table;
}

namespace {

std::string examples(const char* lines) { return fmt::format("\nExamples:\n{}\n", lines); }

void add_places(CLI::App& app, Invocation& invocation) {
  app.add_option("--root", invocation.root, "Folder that holds lessons/, kernels/, quizzes/ and assets/")
      ->type_name("DIR");
  app.add_option("--lessons", invocation.lessons, "A further folder of lessons")
      ->type_name("DIR")
      ->allow_extra_args(false);
}

/// "1280x800" to pixels.
bool parse_size(const std::string& text, int& width, int& height) {
  const size_t x = text.find('x');
  const auto w = parse_uint(std::string_view(text).substr(0, x));
  const auto h = x == std::string::npos ? std::nullopt : parse_uint(std::string_view(text).substr(x + 1));
  if (!w || !h || *w < 100 || *h < 100 || *w > 16384 || *h > 16384) return false;
  width = int(*w);
  height = int(*h);
  return true;
}

}  // namespace

std::optional<int> run_command_line(int argc, char** argv, Invocation& invocation, AppRequest& request) {
  CLI::App app{"Warpbook: a workbook that teaches GPU programming in CUDA C++", "warpbook"};
  app.footer(
      examples("  warpbook                                    opens the workbook\n"
               "  warpbook --lesson 07-mandelbrot\n"
               "  warpbook --headless --lesson 02-hello-grid --screenshot page.png --size 1280x800\n"
               "  warpbook run scale.cu"));
  bool version = false;
  std::string size;
  app.add_flag("--version", version, "Prints the version");
  add_places(app, invocation);
  std::vector<CLI::Option*> of_the_app = {
      app.add_option("--lesson", request.lesson, "Lesson to open")->type_name("SLUG"),
      app.add_option("--device", request.device,
                     "auto, emulated, cuda, or cuda:GPU by number, UUID or name (default: the settings')")
          ->type_name("NAME"),
      app.add_option("--gpu", request.gpu, "GPU whose limits hold")->type_name("NAME"),
      app.add_option("--scale", request.scale, "Pixels a point")
          ->type_name("S")
          ->check(CLI::Range(0.5f, 8.0f)),
      app.add_option("--theme", request.theme, "light or dark")
          ->type_name("NAME")
          ->check(CLI::IsMember({"light", "dark"})),
      app.add_flag("--headless", request.headless, "Draws the same frames without a display"),
      app.add_option("--script", request.script, "Steps to play (headless)")->type_name("FILE"),
      app.add_option("--screenshot", request.screenshot, "Picture to write at the end (headless)")
          ->type_name("PNG"),
      app.add_option("--size", size, "Window size in pixels")->type_name("WxH"),
  };
  app.require_subcommand(0, 1);
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    if (command.examples) {
      sub->footer(examples(command.examples));
      add_places(*sub, invocation);
    } else {
      sub->group("");  // not in the help
    }
    command.add(*sub, invocation);
  }

  bool json = false;
  for (int i = 1; i < argc && std::strcmp(argv[i], "--"); ++i) json = json || !std::strcmp(argv[i], "--json");
  const auto refuse = [&](std::string message, std::string hint) {
    return complain(complaint(std::move(message), std::move(hint)), json);
  };
  // What stands behind "--" belongs to the program that is run, whatever it looks like.
  int own = argc;
  for (int i = 1; i < argc && own == argc; ++i)
    if (!std::strcmp(argv[i], "--")) own = i;
  for (int i = own + 1; i < argc; ++i) invocation.program_arguments.emplace_back(argv[i]);
  try {
    app.parse(own, argv);
  } catch (const CLI::CallForHelp&) {
    return print(app.help());  // of the subcommand that was named
  } catch (const CLI::ParseError& problem) {
    const auto chosen = app.get_subcommands();
    return refuse(problem.what(),
                  fmt::format("warpbook {}--help shows what there is",
                              chosen.empty() ? std::string() : chosen.front()->get_name() + " "));
  }
  if (!invocation.program_arguments.empty() && !app.got_subcommand("run"))
    return refuse("only run passes arguments on behind --", "for example warpbook run program.cu -- 1000");
  if (version) return print("warpbook " + invocation.version + "\n");
  if (invocation.action) {
    for (const CLI::Option* option : of_the_app)
      if (option->count() > 0)
        return refuse(option->get_name() + " in front of a subcommand means nothing",
                      "put options behind the subcommand");
    return invocation.action();
  }
  if (!size.empty() && !parse_size(size, request.width, request.height))
    return refuse("--size " + size + " is no size such as 1280x800", {});
  if (!request.headless && (!request.script.empty() || !request.screenshot.empty()))
    return refuse("--script and --screenshot need --headless", {});
  return std::nullopt;
}

}  // namespace warpbook::cli
