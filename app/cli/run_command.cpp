// warpbook run: a kernel of a file, or a lab of a lesson.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/complaint.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/lab_target.h"
#include "lab/beside_run.h"
#include "lab/own_gpus.h"
#include "lab/run.h"
#include "lab/source_scan.h"

namespace warpbook::cli {

namespace {

struct RunOptionsGiven {
  std::string target, kernel, grid, block, level = "check", device = "auto", gpu, fail;
  std::vector<std::string> more, args, dumps, images, includes, program_arguments;
  std::optional<uint32_t> shared;
  bool shared_optin = false, json = false, cold_l2 = false;
  int schedules = 1, repeat = 1;
  uint64_t seed = 0, max_instructions = 0;
  unsigned threads = 0;
  uint32_t stack = 1024;
};

Error bad(std::string message, std::string hint = {}) {
  return complaint(std::move(message), std::move(hint));
}

/// "4", "4,2" or "4,2,1".
Result<Dim3> parse_dimensions(const std::string& text, const char* option) {
  uint32_t parts[3] = {1, 1, 1};
  const auto pieces = split(text, ',');
  bool good = pieces.size() <= 3;
  for (size_t i = 0; good && i < pieces.size(); ++i) {
    const auto number = parse_uint(trim(pieces[i]));
    good = number && *number <= UINT32_MAX;
    if (good) parts[i] = uint32_t(*number);
  }
  if (!good) return bad(fmt::format("{} {} is no size such as 4 or 16,8,1", option, text));
  return Dim3{parts[0], parts[1], parts[2]};
}

Result<Level> parse_level(const std::string& text) {
  if (text == "run") return Level::run;
  if (text == "measure") return Level::measure;
  if (text == "check") return Level::check;
  return bad(fmt::format("--level {} is not known", text), "it is run, measure or check");
}

/// The lab with its controls at their defaults.
Result<RunRequest> lesson_request(const Library& library, const std::string& target) {
  const auto found = find_lab(library, target);
  if (!found) return found.error();
  const auto values = default_values(*found->lab);
  if (!values) return values.error();
  return request_for(*found->lesson, *found->lab, *values, found->variant);
}

constexpr std::string_view elf_magic =
    "\x7f"
    "ELF";
/// A program that calls and prints may run this long; one that hangs ends sooner.
constexpr double program_seconds = 1800;

ProgramRequest program_of(const RunOptionsGiven& given, bool binary) {
  ProgramRequest program;
  if (binary) program.binary = given.target;
  for (const std::string& file : given.more) program.files.emplace_back(file);
  for (const std::string& folder : given.includes) program.include_folders.emplace_back(folder);
  program.arguments = given.program_arguments;
  std::error_code ignored;
  program.folder = std::filesystem::current_path(ignored);
  program.fail = given.fail;
  program.memo = given.repeat == 1;
  program.inherit_switches = true;
  if (!given.json)
    program.echo = [](std::string_view text, bool error) {
      std::FILE* to = error ? stderr : stdout;
      std::fwrite(text.data(), 1, text.size(), to);
      std::fflush(to);
    };
  return program;
}

Result<RunRequest> request_of(const RunOptionsGiven& given, const SessionOptions& options) {
  std::error_code ignored;
  const bool is_file =
      std::filesystem::exists(given.target, ignored) || Path(given.target).extension() == ".cu";
  RunRequest request;
  if (is_file) {
    if (std::filesystem::is_directory(given.target, ignored))
      return bad(fmt::format("{} is a folder", given.target), "name a .cu file");
    auto source = read_file(given.target, 1u << 30);
    if (!source) return source.error();
    const bool binary = starts_with(*source, elf_magic);
    // Who names a kernel or its launch means that kernel alone.
    const bool one_kernel = !given.kernel.empty() || !given.grid.empty() || !given.block.empty();
    if (binary || (!one_kernel && (!given.more.empty() || scan_source(*source).has_main)))
      request.program = program_of(given, binary);
    if (!binary) request.source = std::move(*source);
    request.file = given.target;
    request.folder = Path(given.target).parent_path().string();
    request.args = given.args;
  } else {
    const Library library = open_library(options);
    auto from_lesson = lesson_request(library, given.target);
    if (!from_lesson) {
      Error error = from_lesson.error();
      if (error.trouble == Trouble::not_found && error.where.file.empty())
        error.message = fmt::format("there is no file and no lesson called {}", given.target);
      return error;
    }
    request = std::move(*from_lesson);
    for (const std::string& spec : given.args) {
      const std::string name(trim(std::string_view(spec).substr(0, spec.find('='))));
      bool replaced = false;
      for (std::string& other : request.args) {
        if (trim(std::string_view(other).substr(0, other.find('='))) != name) continue;
        other = spec;
        replaced = true;
      }
      if (!replaced) request.args.push_back(spec);
    }
  }
  if (!given.kernel.empty()) request.kernel = given.kernel;
  if (!given.grid.empty()) {
    const auto grid = parse_dimensions(given.grid, "--grid");
    if (!grid) return grid.error();
    request.grid = *grid;
  }
  if (!given.block.empty()) {
    const auto block = parse_dimensions(given.block, "--block");
    if (!block) return block.error();
    request.block = *block;
  }
  const auto level = parse_level(given.level);
  if (!level) return level.error();
  request.level = *level;
  request.shared_bytes = given.shared;
  request.shared_optin = given.shared_optin;
  request.schedules = given.schedules;
  request.seed = given.seed;
  request.max_instructions = given.max_instructions;
  request.threads = given.threads;
  request.repeat = given.repeat;
  request.stack_bytes = given.stack;
  request.measure.cold_l2 = given.cold_l2;
  if (request.program) {
    request.max_seconds = program_seconds;
  } else if (!given.more.empty() || !given.includes.empty() || !given.program_arguments.empty() ||
             !given.fail.empty()) {
    return bad(fmt::format("{} is no whole program", given.target),
               "further files, --include, --fail and arguments behind -- are for a .cu file with main");
  }
  return request;
}

Result<const Output*> output_named(const RunResult& result, const std::string& name) {
  if (const Output* output = result.output(name)) return output;
  std::vector<std::string> names;
  for (const Output& output : result.outputs) names.push_back(output.name);
  return bad(fmt::format("there is no buffer called {}", name),
             names.empty() ? std::string("the kernel has no buffers") : "there are: " + join(names, ", "));
}

/// --dump NAME=FILE.npy
Result<Done> dump(const RunResult& result, const std::string& spec) {
  const size_t equals = spec.find('=');
  const auto output = output_named(result, spec.substr(0, equals));
  if (!output) return output.error();
  return write_output(spec.substr(equals + 1), as_npy(**output));
}

/// --image NAME=WxH:FILE.png
Result<Done> image(const RunResult& result, const std::string& spec) {
  const size_t equals = spec.find('='), colon = spec.find(':', equals), cross = spec.find('x', equals);
  const std::string_view text = spec;
  const auto width = parse_uint(text.substr(equals + 1, cross - equals - 1));
  const auto height = parse_uint(text.substr(cross + 1, colon - cross - 1));
  const auto output = output_named(result, spec.substr(0, equals));
  if (!output) return output.error();
  const auto png = as_png(**output, uint32_t(*width), uint32_t(*height));
  if (!png) return png.error();
  return write_output(spec.substr(colon + 1), *png);
}

/// Said before anything runs, so that a typing error does not cost a run.
Result<Done> well_formed(const RunOptionsGiven& given) {
  for (const std::string& spec : given.dumps) {
    const size_t equals = spec.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == spec.size())
      return bad(fmt::format("--dump {} is not NAME=FILE.npy", spec));
  }
  for (const std::string& spec : given.images) {
    const size_t equals = spec.find('='),
                 colon = equals == std::string::npos ? equals : spec.find(':', equals);
    const size_t cross = equals == std::string::npos ? equals : spec.find('x', equals);
    const std::string_view text = spec;
    if (equals == std::string::npos || colon == std::string::npos || cross == std::string::npos ||
        cross > colon || !parse_uint(text.substr(equals + 1, cross - equals - 1)) ||
        !parse_uint(text.substr(cross + 1, colon - cross - 1)) ||
        *parse_uint(text.substr(equals + 1, cross - equals - 1)) > 65535 ||
        *parse_uint(text.substr(cross + 1, colon - cross - 1)) > 65535 || colon + 1 == spec.size())
      return bad(fmt::format("--image {} is not NAME=WxH:FILE.png", spec));
  }
  return Done{};
}

int perform(const RunOptionsGiven& given, const Invocation& invocation) {
  if (const auto fine = well_formed(given); !fine) return complain(fine.error(), given.json);
  auto options = session_options(invocation);
  if (!options) return complain(options.error(), given.json);
  options->device = given.device;
  if (!given.gpu.empty()) options->gpu = given.gpu;
  auto request = request_of(given, *options);
  if (!request) return complain(request.error(), given.json);
  const auto session = open_session(*options);
  if (!session) return complain(session.error(), given.json);
  const auto table = gpu_table(**session);
  if (!table) return complain(table.error(), given.json);
  RunModels models;
  const auto result = run_with_models(**session, *request, table->gpus, models);
  if (!result) return complain(result.error(), given.json);

  int code = result->exit_code;
  if (result->program && !given.json && !result->program->out.empty()) {
    // The report begins on a line of its own.
    if (const int parted = print(result->program->out.back() == '\n' ? "\n" : "\n\n"); parted != 0)
      code = parted;
  }
  const auto beside = beside_measured(*result, models, table->gpus);
  std::string report = given.json ? run_as_json(*result, models, beside)
                                  : run_as_text(*result, request->source, style_for_stdout()) +
                                        models_as_text(models, style_for_stdout().colour);
  if (beside && !given.json)
    report += fmt::format("\non the {} itself: {}\n", result->on_gpu->device, measured_in_words(*beside));
  const int printed = print(report);
  if (printed != 0) code = printed;
  if (result->outputs.empty() && code != 0) return code;  // nothing was computed that could be written
  const auto write_all = [&](const std::vector<std::string>& specs,
                             Result<Done> (*write)(const RunResult&, const std::string&)) {
    for (const std::string& spec : specs) {
      const auto written = write(*result, spec);
      if (written) continue;
      const int failed = complain(written.error(), false);
      if (code == 0) code = failed;
    }
  };
  write_all(given.dumps, dump);
  write_all(given.images, image);
  return code;
}

}  // namespace

void add_run(CLI::App& app, Invocation& invocation) {
  auto given = std::make_shared<RunOptionsGiven>();
  app.add_option("target", given->target,
                 "A .cu file with a kernel or a whole program, a built program, or SLUG[/KERNEL]")
      ->required()
      ->type_name("FILE.cu|PROGRAM|SLUG[/KERNEL]");
  app.add_option("files", given->more, "Further sources of a whole program (.cu, .cpp)")->type_name("FILE");
  app.add_option("--include", given->includes, "A folder of headers of a whole program")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("--fail", given->fail,
                 "Makes a program's calls fail: the 2nd cudaMalloc with error 2 is cudaMalloc:2:2")
      ->type_name("CALL:NTH:CODE");
  app.add_option("--kernel", given->kernel, "Which kernel, such as scale or 'scale<float>'")
      ->type_name("NAME");
  app.add_option("--grid", given->grid, "Blocks")->type_name("X[,Y[,Z]]");
  app.add_option("--block", given->block, "Threads a block")->type_name("X[,Y[,Z]]");
  app.add_option("--shared", given->shared, "Dynamic shared memory a block")->type_name("BYTES");
  app.add_option("--arg", given->args,
                 "An argument: name=buf:TYPE[COUNT]:INIT, name=TYPE:VALUE, name=struct:HEX, name=null")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  app.add_option("--device", given->device, "auto, emulated, cuda, or cuda:GPU by number, UUID or name")
      ->type_name("NAME");
  app.add_option("--gpu", given->gpu, "GPU whose limits hold")->type_name("NAME");
  app.add_option("--level", given->level, "run, measure (counters) or check (diagnoses)")->type_name("LEVEL");
  app.add_option("--schedules", given->schedules, "Orders of blocks and warps to try")
      ->type_name("N")
      ->check(CLI::Range(1, 100000));
  app.add_option("--seed", given->seed, "Seed of random inputs and orders")->type_name("S");
  app.add_option("--max-instructions", given->max_instructions, "Warp instructions of one launch")
      ->type_name("N");
  app.add_option("--threads", given->threads, "Worker threads; 0 = all cores")
      ->type_name("N")
      ->check(CLI::Range(0u, 1024u));
  app.add_option("--repeat", given->repeat, "Launches on the same buffers")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  app.add_flag("--cold-l2", given->cold_l2, "Flushes the GPU's L2 cache before each launch that is timed");
  app.add_flag("--shared-optin", given->shared_optin, "Allows more than 48 KiB of shared memory a block");
  app.add_option("--stack", given->stack, "Call stack a thread")
      ->type_name("BYTES")
      ->check(CLI::Range(0u, 1u << 20));
  app.add_option("--dump", given->dumps, "Writes a buffer as a NumPy file")
      ->type_name("NAME=FILE.npy")
      ->allow_extra_args(false);
  app.add_option("--image", given->images, "Writes a buffer as a picture")
      ->type_name("NAME=WxH:FILE.png")
      ->allow_extra_args(false);
  app.add_flag("--json", given->json, "Prints one JSON object");
  app.callback([given, &invocation] {
    given->program_arguments = invocation.program_arguments;
    invocation.action = [given, &invocation] { return perform(*given, invocation); };
  });
}

}  // namespace warpbook::cli
