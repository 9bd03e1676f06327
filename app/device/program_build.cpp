// One build: an object a file, then the link. Every product has a name made of everything that it depends on.
#include "device/program_build.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/cache_room.h"
#include "base/file_trouble.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/process.h"
#include "base/text.h"
#include "base/work_folder.h"
#include "device/build_log.h"
#include "device/source_includes.h"

namespace warpbook {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view object_extension = ".o", log_extension = ".log", program_extension = ".program",
                           ptx_extension = ".ptx";
/// All of them count in the room that the cache has.
const std::vector<std::string_view> kept_extensions = {object_extension, log_extension, program_extension,
                                                       ptx_extension};
constexpr std::string_view runtime_library = "libcudart.so.13";
/// What goes into every key: a change of how objects are made or named must not find those of before.
constexpr std::string_view format_name = "warpbook-program-1";
constexpr uint64_t source_limit = 8u << 20, ptx_limit = 256u << 20, text_copies = 32u << 20;

std::string real_name(const Path& path) {
  std::error_code code;
  const Path real = std::filesystem::weakly_canonical(path, code);
  return code ? path.string() : real.string();
}

/// A compiler is known by its file: an update changes size or time.
std::string identity_of(const Path& program) {
  std::error_code code;
  const auto size = std::filesystem::file_size(program, code);
  const auto time = std::filesystem::last_write_time(program, code);
  return fmt::format("{} {} {}", program.string(), size, time.time_since_epoch().count());
}

enum class Product { object, ptx, ptx_for_debugger };

/// One source on its way to an object, or to the PTX of its device code.
struct Unit {
  Product product = Product::object;
  std::string path, shown, source, own_headers;
  std::vector<Path> own_folders;
  std::vector<std::string> command;  ///< without the output
  std::string key;
  Path object;
  std::string log;
  bool cached = false, compiled = false;
  std::optional<Error> trouble;
};

bool is_cuda(const std::string& path) { return Path(path).extension() == ".cu"; }

/// OpenMP pragmas without the option are silently serial, and their functions do not link.
bool uses_openmp(const std::string& source) {
  return source.find("#pragma omp") != std::string::npos || source.find("<omp.h>") != std::string::npos;
}

/// Host code keeps its calls as they stand in the source, so that every call has its line: no sibling calls
/// and no inlining. The objects hold PTX as plain text and no machine code.
std::vector<std::string> compile_command(const ToolkitPlace& place, const BuildRequest& request,
                                         const Unit& unit) {
  std::vector<std::string> command;
  const bool openmp = uses_openmp(unit.source);
  if (is_cuda(unit.path)) {
    const std::string architecture = replace_all(request.compute, ".", "");
    command = {place.nvcc, unit.product == Product::object ? "-c" : "-ptx", "-std=c++17", "-ccbin",
               place.host_compiler};
    if (unit.product == Product::object) {
      command.insert(
          command.end(),
          {"-O1", "-g", "-lineinfo", "-cudart=none", "-gencode",
           fmt::format("arch=compute_{0},code=compute_{0}", architecture), "--compress-mode=none",
           "-Xcompiler", openmp ? "-fno-optimize-sibling-calls,-fopenmp" : "-fno-optimize-sibling-calls"});
    } else {
      command.insert(command.end(),
                     {"-arch=compute_" + architecture, unit.product == Product::ptx ? "-lineinfo" : "-G"});
      // Attributes of host code are read here too, and unknown pragmas warned of.
      if (openmp) command.insert(command.end(), {"-Xcompiler", "-fopenmp"});
    }
  } else {
    command = {place.host_compiler, "-c", "-g", "-O1", "-fno-optimize-sibling-calls", "-Wall"};
    if (Path(unit.path).extension() != ".c") command.push_back("-std=c++17");
    if (openmp) command.push_back("-fopenmp");
    if (!place.include_folder.empty()) command.push_back("-I" + place.include_folder.string());
  }
  // A copy of a text in the cache calls itself what the learner calls it, also in __FILE__.
  if (Path(unit.path).filename() != Path(unit.shown).filename()) {
    if (is_cuda(unit.path)) command.push_back("-Xcompiler");
    command.push_back(
        fmt::format("-fmacro-prefix-map={}={}", unit.path, Path(unit.shown).filename().string()));
  }
  for (const Path& folder : request.include_folders) command.push_back("-I" + real_name(folder));
  for (const auto& [name, value] : request.defines) command.push_back(fmt::format("-D{}={}", name, value));
  command.push_back(unit.path);
  return command;
}

Error no_time(const BuildRequest& request, const std::string& file) {
  return Error{fmt::format("The compiler was stopped after {} s.", request.max_time.count() / 1000),
               Trouble::limit,
               {file, 0, 0},
               "Thrust and CUB take the compiler long; everything else takes seconds."};
}

struct Ran {
  int exit_code = -1, signal = 0;
  std::string log;
};

/// Runs a compiler; its words of both streams are one log. Its temporary files go with `work`: nvcc leaves
/// dozens when it is stopped.
Result<Ran> run_compiler(const std::vector<std::string>& command, const WorkFolder& work,
                         const BuildRequest& request, const std::string& file, Clock::time_point deadline,
                         const std::atomic<bool>* stop) {
  Ran ran;
  ChildWatch watch;
  watch.out = watch.err = [&](std::string_view piece) {
    if (ran.log.size() < (1u << 20)) ran.log += piece;
  };
  watch.go_on = [&] { return Clock::now() < deadline && !(stop && stop->load()); };
  ChildSetting setting;
  setting.environment = {"LC_ALL=C", "TMPDIR=" + work.path().string()};
  const auto end = watch_child(command, {}, setting, watch);
  if (!end) return end.error();
  if (end->stopped && stop && stop->load())
    return Error{"The compile was cancelled.", Trouble::cancelled, {file, 0, 0}, {}};
  if (end->stopped) return no_time(request, file);
  ran.exit_code = end->exit_code;
  ran.signal = end->signal;
  return ran;
}

/// A product appears under its name when it is whole.
bool move_into_place(const Path& from, const Path& to) {
  std::error_code code;
  std::filesystem::rename(from, to, code);
  if (code) std::filesystem::remove(from, code);
  return !code && std::filesystem::exists(to, code);
}

/// Also two builds of one process may be at the same product.
Path temporary_beside(const Path& product, const WorkFolder& work) {
  return product.parent_path() / fmt::format("{}.{}.new{}", product.stem().string(), work.unique_part(),
                                             product.extension().string());
}

Result<Unit> unit_of(const ProgramFile& file, const BuildRequest& request, const ToolkitPlace& place,
                     const Path& cache, Product product) {
  Unit unit;
  unit.product = product;
  unit.shown = file.shown.empty() ? file.path.string() : file.shown;
  auto source = read_file(file.path, source_limit);
  if (!source) {
    Error error = source.error();
    error.where.file = unit.shown;
    return error;
  }
  unit.source = std::move(*source);
  unit.path = real_name(file.path);
  unit.own_folders.push_back(Path(unit.path).parent_path());
  for (const Path& folder : request.include_folders) unit.own_folders.emplace_back(real_name(folder));
  unit.own_headers = scan_includes(unit.source, unit.own_folders).own_content;
  unit.command = compile_command(place, request, unit);
  unit.key = content_hash(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", format_name, identity_of(place.nvcc),
                                      identity_of(place.host_compiler), join(unit.command, "\n"), unit.source,
                                      unit.own_headers));
  unit.object =
      cache / (unit.key + std::string(product == Product::object ? object_extension : ptx_extension));
  return unit;
}

/// When a compiler failed for want of room. nvcc hides the reason of some failures; a small file tells it.
std::optional<Error> disk_full(const char* who, const std::string& log, const Path& product,
                               const WorkFolder& work) {
  const bool no_temporary_files = !write_file(work.path() / "room", std::string(4096, ' ')).ok();
  if (!no_temporary_files && log.find("No space left on device") == std::string::npos) return std::nullopt;
  const Path folder = no_temporary_files ? work.path().parent_path() : product.parent_path();
  return Error{fmt::format("The disk is full: {} could not write.", who),
               Trouble::io,
               {folder.string(), 0, 0},
               "free some space there, or let TMPDIR name another place for temporary files"};
}

void compile(Unit& unit, const BuildRequest& request, Clock::time_point deadline,
             const std::atomic<bool>* stop) {
  const Path log_file = Path(unit.object).replace_extension(log_extension);
  std::error_code ignored;
  if (std::filesystem::exists(unit.object, ignored)) {
    if (auto log = read_file(log_file)) {
      touch_cached(unit.object);
      touch_cached(log_file);
      unit.log = std::move(*log);
      unit.cached = unit.compiled = true;
      return;
    }
  }
  const auto work = WorkFolder::make("build");
  if (!work) {
    unit.trouble = work.error();
    return;
  }
  const Path made = temporary_beside(unit.object, *work);
  std::vector<std::string> command = unit.command;
  command.insert(command.end(), {"-o", made.string()});
  auto ran = run_compiler(command, *work, request, unit.shown, deadline, stop);
  if (!ran) {
    std::filesystem::remove(made, ignored);
    unit.trouble = ran.error();
    return;
  }
  unit.log = std::move(ran->log);
  if (ran->exit_code != 0) {
    std::filesystem::remove(made, ignored);
    unit.trouble = disk_full("the compiler", unit.log, made, *work);
    return;
  }
  // The log first: an object without one counts as absent.
  if (const auto kept = write_file(log_file, unit.log); !kept) {
    std::filesystem::remove(made, ignored);
    unit.trouble = kept.error();
    return;
  }
  unit.compiled = move_into_place(made, unit.object);
  if (!unit.compiled)
    unit.trouble =
        Error{"The compiled object could not be kept.", Trouble::io, {unit.object.string(), 0, 0}, {}};
}

/// When neither form of message was recognised, the log's own words are better than none.
Diagnosis unreadable(const std::string& log, const std::string& file, const char* who) {
  Diagnosis diagnosis;
  diagnosis.kind = "compile-error";
  diagnosis.file = file;
  std::string words(trim(log));
  if (words.size() > 800) words = words.substr(0, 800) + " ...";
  diagnosis.message = words.empty() ? fmt::format("{} ended without saying why", who)
                                    : fmt::format("{} refused the file: {}", who, words);
  return diagnosis;
}

Result<Done> make_folder(const Path& cache) {
  std::error_code code;
  std::filesystem::create_directories(cache, code);
  return code ? Result<Done>(file_trouble("make the folder for compiled programs", cache, code.value()))
              : Done{};
}

/// What the compilers said of one file.
std::vector<Diagnosis> diagnoses_of(const Unit& unit,
                                    const std::vector<std::pair<std::string, std::string>>& files) {
  auto found = read_build_log(unit.log, {unit.source, unit.shown, unit.path, unit.own_folders, files});
  if (!unit.compiled && !has_errors(found))
    found.push_back(unreadable(unit.log, unit.shown, is_cuda(unit.path) ? "nvcc" : "the host's compiler"));
  return found;
}

double milliseconds_from(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

ProgramBuilder::ProgramBuilder(Path cache, uint64_t cache_bytes)
    : place_(find_toolkit()), cache_(std::move(cache)), cache_bytes_(cache_bytes) {}

Result<BuildOutcome> ProgramBuilder::build(const BuildRequest& request, const std::atomic<bool>* stop) const {
  const auto start = Clock::now(), deadline = start + request.max_time;
  if (!place_.missing.empty()) return Error{place_.missing, Trouble::not_found, {}, {}};
  if (const auto made = make_folder(cache_); !made) return made.error();
  std::error_code code;
  std::vector<Unit> units;
  std::vector<std::pair<std::string, std::string>> files;
  for (const ProgramFile& file : request.files) {
    auto unit = unit_of(file, request, place_, cache_, Product::object);
    if (!unit) return unit.error();
    files.emplace_back(unit->path, unit->shown);
    units.push_back(std::move(*unit));
  }
  std::atomic<size_t> next{0};
  run_workers(unsigned(std::min<size_t>(units.size(), available_cores())), [&](unsigned) {
    for (size_t i = next++; i < units.size(); i = next++) compile(units[i], request, deadline, stop);
  });

  BuildOutcome outcome;
  std::string key = std::string(format_name);
  bool all_compiled = true, all_cached = true, openmp = false;
  for (Unit& unit : units) {
    if (unit.trouble) return *unit.trouble;
    const auto found = diagnoses_of(unit, files);
    outcome.diagnostics.insert(outcome.diagnostics.end(), found.begin(), found.end());
    all_compiled = all_compiled && unit.compiled;
    all_cached = all_cached && unit.cached;
    openmp = openmp || uses_openmp(unit.source);
    key += "\n" + unit.key;
  }
  if (!all_compiled) return outcome;
  if (!all_cached && request.compiled) request.compiled();

  const std::string folder = real_name(request.runtime_folder);
  // Straight against our library: the names get the version that the real runtime has, and the same program
  // runs on that one where LD_LIBRARY_PATH names it.
  std::vector<std::string> link{place_.host_compiler, "-g"};
  for (const Unit& unit : units) link.push_back(unit.object.string());
  link.insert(link.end(), {folder + "/" + std::string(runtime_library), "-Wl,-rpath," + folder, "-lpthread",
                           "-ldl", "-lrt", "-lm"});
  if (openmp) link.push_back("-fopenmp");
  const Path program =
      cache_ / (content_hash(key + "\n" + join(link, "\n")) + std::string(program_extension));
  bool linked = std::filesystem::exists(program, code);
  if (linked) {
    touch_cached(program);
  } else {
    const auto work = WorkFolder::make("build");
    if (!work) return work.error();
    const Path made = temporary_beside(program, *work);
    link.insert(link.end(), {"-o", made.string()});
    const auto ran =
        run_compiler(link, *work, request, units.empty() ? "" : units.front().shown, deadline, stop);
    if (!ran || ran->exit_code != 0) std::filesystem::remove(made, code);
    if (!ran) return ran.error();
    if (ran->exit_code != 0) {
      auto found = read_link_log(ran->log, files);
      if (auto full = disk_full("the linker", ran->log, made, *work)) return *full;
      if (found.empty()) found.push_back(unreadable(ran->log, files.front().second, "the linker"));
      outcome.diagnostics.insert(outcome.diagnostics.end(), found.begin(), found.end());
      return outcome;
    }
    all_cached = false;
    linked = move_into_place(made, program);
    keep_cache_within(cache_, kept_extensions, cache_bytes_);
    if (!linked || !std::filesystem::exists(program, code))
      return Error{"The program could not be kept.", Trouble::io, {program.string(), 0, 0}, {}};
  }
  BuiltProgram built;
  built.executable = program;
  built.cached = all_cached;
  built.build_ms = milliseconds_from(start);
  outcome.program = built;
  return outcome;
}

Result<DeviceCode> ProgramBuilder::device_code(const BuildRequest& request, const ProgramFile& file,
                                               DeviceCodeKind kind, const std::optional<std::string>& text,
                                               const std::atomic<bool>* stop) const {
  const auto start = Clock::now(), deadline = start + request.max_time;
  if (!place_.missing.empty()) return Error{place_.missing, Trouble::not_found, {}, {}};
  if (const auto made = make_folder(cache_); !made) return made.error();
  const auto product = kind == DeviceCodeKind::optimised ? Product::ptx : Product::ptx_for_debugger;
  ProgramFile compiled = file;
  BuildRequest order = request;
  if (text) {
    // Beside the cache's other texts: what the file includes is looked for where the file lies.
    if (compiled.shown.empty()) compiled.shown = file.path.string();
    compiled.path = cache_ / "texts" / (content_hash(*text) + "-" + file.path.filename().string());
    if (const auto written = write_file(compiled.path, *text); !written) return written.error();
    keep_cache_within(compiled.path.parent_path(), {".cu"}, text_copies);
    order.include_folders.insert(order.include_folders.begin(), file.path.parent_path());
  }
  auto unit = unit_of(compiled, order, place_, cache_, product);
  if (!unit) return unit.error();
  compile(*unit, order, deadline, stop);
  if (unit->trouble) return *unit->trouble;
  DeviceCode code;
  code.diagnostics = diagnoses_of(*unit, {{unit->path, unit->shown}});
  code.cached = unit->cached;
  if (unit->compiled) {
    auto ptx = read_file(unit->object, ptx_limit);
    if (!ptx) return ptx.error();
    code.ptx = std::move(*ptx);
    if (!unit->cached) keep_cache_within(cache_, kept_extensions, cache_bytes_);
  }
  code.build_ms = milliseconds_from(start);
  return code;
}

Result<Path> find_nvidia_runtime(const ToolkitPlace& place) {
  const Path headers = place.include_folder, above = headers.parent_path();
  for (const Path& folder : {above / "lib64", above / "lib", above.parent_path().parent_path() / "lib64"}) {
    std::error_code ignored;
    if (!headers.empty() && std::filesystem::exists(folder / runtime_library, ignored))
      return folder / runtime_library;
  }
  return Error{
      fmt::format("NVIDIA's runtime library {} was not found, so the program cannot run on the GPU.",
                  runtime_library),
      Trouble::not_found,
      {},
      "it comes with the CUDA Toolkit 13 and with app/start --programs; --device emulated needs none"};
}

Result<Path> find_runtime_folder() {
  const Path beside = own_executable().parent_path();
  // Beside the program in a build, one folder up for the tests' programs, in lib/warpbook where it is
  // installed.
  const Path candidates[] = {beside / "cudart", beside.parent_path() / "cudart",
                             beside.parent_path() / "lib/warpbook"};
  for (const Path& folder : candidates) {
    std::error_code ignored;
    if (std::filesystem::exists(folder / runtime_library, ignored)) return folder;
  }
  return Error{
      fmt::format("Warpbook's runtime library {} was not found beside the program.", runtime_library),
      Trouble::not_found,
      {},
      "build the target cudart, or install Warpbook again"};
}

}  // namespace warpbook
