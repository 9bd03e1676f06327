// One compile from the request to the outcome: refuse what is no source, look into the cache, else ask the
// worker.
#include "device/compiler.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.h"
#include "base/process.h"
#include "base/sanitized.h"
#include "base/text.h"
#include "base/version.h"
#include "device/compile_log.h"
#include "device/compile_message.h"
#include "device/kernel_headers.h"
#include "device/nvrtc_place.h"
#include "device/ptx_cache.h"
#include "device/resources_json.h"
#include "device/source_checks.h"
#include "device/source_includes.h"

namespace warpbook {

namespace {

constexpr uint64_t worker_memory = 4ull << 30;
/// NVRTC gives back little of what a large compile took; a worker beyond this is replaced.
constexpr uint64_t worker_resident = 1ull << 30;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// NVRTC's name for the file goes into a log of lines, so it must be one line of valid text.
std::string name_for_log(const std::string& file) {
  const bool usable =
      !file.empty() && first_invalid_utf8(file) == std::string::npos &&
      std::none_of(file.begin(), file.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  return usable ? file : "kernel.cu";
}

int architecture_of(const std::string& compute) {
  const int number = version_number(compute);
  return number ? number : 80;
}

/// NVRTC writes `.file 1 "FOLDER/name"` with the folder that the worker was started in, and escapes as in C.
/// Diagnoses shall name the file as the learner does, and the PTX shall not depend on where the program was
/// started.
void name_source(std::string& ptx, const std::string& file) {
  std::string escaped, in_ptx;
  for (const char c : file) {
    const bool quoted = c == '"' || c == '\\';
    in_ptx += quoted ? std::string{'\\', c} : std::string(1, c);
    escaped += static_cast<unsigned char>(c) < 0x80 ? (quoted ? std::string{'\\', c} : std::string(1, c))
                                                    : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  constexpr std::string_view directive = "\t.file\t";
  for (size_t at = ptx.find(directive); at != std::string::npos; at = ptx.find(directive, at + 1)) {
    const size_t line_end = std::min(ptx.find('\n', at), ptx.size());
    const size_t open = ptx.find('"', at), close = ptx.rfind('"', line_end - 1);
    if (open >= line_end || close <= open) continue;
    const std::string_view path = std::string_view(ptx).substr(open + 1, close - open - 1);
    const bool same = path == escaped ||
                      (path.size() > escaped.size() && path.substr(path.size() - escaped.size()) == escaped &&
                       path[path.size() - escaped.size() - 1] == '/');
    if (!same) continue;
    ptx.replace(open + 1, close - open - 1, in_ptx);
    return;
  }
}

bool has_entry(std::string_view ptx) {
  // NVRTC writes ".visible .entry name(" at the start of a line (PTX ISA 10.1, .entry).
  return ptx.find(".entry ") != std::string_view::npos;
}

/// Folders of workers that were killed with their program, by the process number in the name.
void remove_stale_folders(const Path& cache) {
  constexpr std::string_view prefix = "headers-";
  for (const std::string& name : list_folder(cache)) {
    if (!starts_with(name, prefix)) continue;
    const auto pid = parse_int(std::string_view(name).substr(prefix.size()));
    if (!pid || (::kill(pid_t(*pid), 0) != 0 && errno == ESRCH)) {
      std::error_code ignored;
      std::filesystem::remove_all(cache / name, ignored);
    }
  }
}

}  // namespace

struct Compiler::State {
  CompilerPlace place;
  PtxCache cache;
  std::vector<std::string> worker_command;
  std::unique_ptr<FramedChild> worker;
  Path header_folder;  ///< NVRTC's precompiled headers; ours alone, removed at the end

  State(Path folder, uint64_t bytes, std::vector<std::string> command)
      : place(find_compiler_place()), cache(folder, bytes), worker_command(std::move(command)) {
    if (worker_command.empty()) worker_command = {own_executable().string(), "compile-worker"};
    if (!folder.empty()) {
      remove_stale_folders(folder);
      header_folder = folder / fmt::format("headers-{}", ::getpid());
    }
  }
  ~State() { stop_worker(); }

  void stop_worker() {
    worker.reset();
    std::error_code ignored;
    if (!header_folder.empty()) std::filesystem::remove_all(header_folder, ignored);
  }

  Result<Done> start_worker() {
    if (worker && worker->alive()) return Done{};
    stop_worker();
    ChildLimits limits;
    if (!sanitized) limits.memory_bytes = worker_memory;
    auto started = FramedChild::start(worker_command, limits);
    if (!started) return started.error();
    worker = std::move(*started);
    return Done{};
  }

  Result<std::string> exchange_once(const std::string& frame, std::chrono::milliseconds time,
                                    const std::atomic<bool>* stop) {
    if (const auto started = start_worker(); !started) return started.error();
    if (const auto sent = worker->send(frame); !sent) return sent.error();
    return worker->receive(time, stop);
  }

  /// Trouble::io is a worker that is gone: a fresh one tries once more, since it may have been killed from
  /// outside.
  Result<WorkerAnswer> exchange(const CompileRequest& request, const std::string& frame,
                                const std::atomic<bool>* stop) {
    const auto deadline = Clock::now() + request.max_time;
    auto answer = exchange_once(frame, request.max_time, stop);
    if (!answer && answer.error().trouble == Trouble::io) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
      answer = exchange_once(frame, left, stop);
    }
    if (answer) return decode_answer(*answer);
    stop_worker();
    Error error = answer.error();
    error.where.file = request.file;
    if (error.trouble == Trouble::limit) {
      error.message =
          fmt::format("The compiler was stopped after {:.1f} s.", double(request.max_time.count()) / 1000);
      error.hint = "deep templates and long constexpr loops take the compiler long";
    } else if (error.trouble == Trouble::cancelled) {
      error.message = "The compile was cancelled.";
    } else if (error.trouble == Trouble::io) {
      error.message =
          fmt::format("The compiler ran out of memory or crashed on this file. {}", error.message);
      error.trouble = Trouble::limit;
    }
    return error;
  }
};

Compiler::Compiler(Path cache, uint64_t cache_bytes, std::vector<std::string> worker)
    : state_(std::make_unique<State>(std::move(cache), cache_bytes, std::move(worker))) {}
Compiler::~Compiler() = default;
const CompilerPlace& Compiler::place() const { return state_->place; }

Result<CompileOutcome> Compiler::compile(const CompileRequest& request, const std::atomic<bool>* stop) {
  const auto start = Clock::now();
  State& state = *state_;
  CompileOutcome outcome;
  if (auto refused = refuse_source(request)) {
    outcome.diagnostics.push_back(std::move(*refused));
    return outcome;
  }
  if (!state.place.missing.empty()) return Error{state.place.missing, Trouble::not_found, {}, {}};

  WorkerRequest message;
  message.library = state.place.library;
  NvrtcJob& job = message.job;
  job.source = request.source;
  if (starts_with(job.source, byte_order_mark)) job.source.replace(0, byte_order_mark.size(), "   ");
  job.file = name_for_log(request.file);
  job.names = request.names;
  job.architecture = architecture_of(request.compute);
  job.cubin = !request.debug;
  job.keep_cubin = request.machine_code && job.cubin;
  job.options = {"-std=c++17", request.debug ? "--device-debug" : "-lineinfo"};
  job.optional_options = {"--device-int128"};
  for (const auto& [name, value] : request.defines)
    job.options.push_back(fmt::format("--define-macro={}={}", name, value));

  // NVRTC looks beside the source by itself; what is found there belongs to the learner as well.
  std::vector<Path> own_folders = request.include_folders;
  const Path beside = Path(request.file).parent_path();
  own_folders.insert(own_folders.begin(), beside.empty() ? Path(".") : beside);
  const SourceIncludes includes = scan_includes(request.source, own_folders);
  std::vector<Path> folders = own_folders;
  folders.insert(folders.end(), state.place.include_folders.begin(), state.place.include_folders.end());
  for (const Path& folder : folders) job.options.push_back(fmt::format("--include-path={}", folder.string()));
  job.headers = kernel_headers(folders);

  std::string key = fmt::format("{}\n{}\n{}\n{}\n{}\n", state.place.version, state.place.library,
                                job.architecture, job.keep_cubin ? "with machine code" : "", job.file);
  for (const auto* list : {&job.options, &job.optional_options, &job.names})
    key += join(*list, "\n") + "\n\n";
  key += includes.own_content + "\n" + request.source;

  const auto finish = [&](CachedPtx entry, bool cached) {
    CompiledCode code;
    code.ptx = std::move(entry.ptx);
    code.cubin = std::move(entry.cubin);
    code.names = std::move(entry.names);
    code.source_file = job.file;
    code.cached = cached;
    code.compile_ms = milliseconds_since(start);
    outcome.code = std::move(code);
    outcome.diagnostics = std::move(entry.notes);
  };
  if (auto hit = state.cache.find(key)) {
    finish(std::move(*hit), true);
    return outcome;
  }

  // A precompiled header must not outlive a change of what it was made from, and only the toolkit's never
  // change.
  if (includes.others && includes.own_files.empty() && !state.header_folder.empty()) {
    std::error_code code;
    std::filesystem::create_directories(state.header_folder, code);
    if (!code) message.pch_folder = state.header_folder.string();
  }
  auto answered = state.exchange(request, encode(message), stop);
  if (!answered) return answered.error();
  if (answered->resident_bytes > worker_resident) state.stop_worker();
  if (answered->trouble) return *answered->trouble;

  NvrtcAnswer& answer = answered->answer;
  ReadLog log = read_compile_log(answer.log, {request.source, job.file, job.file, own_folders});
  std::vector<Diagnosis> diagnoses = merge(std::move(log.diagnoses));
  if (!answer.compiled) {
    if (!has_errors(diagnoses) && !log.unknown_names.empty())
      return no_such_kernel(request, log.unknown_names.front());
    if (!has_errors(diagnoses)) {  // a log in a form that is not known: its own words are better than none
      diagnoses.push_back(
          compile_error(request, fmt::format("NVRTC refused the file: {}", trim(answer.log)), {}));
    }
    outcome.diagnostics = std::move(diagnoses);
    return outcome;
  }
  if (!has_entry(answer.ptx)) {
    Diagnosis diagnosis =
        compile_error(request, "there is no kernel in the file",
                      "A kernel is a function marked __global__ that returns void; a template needs "
                      "its arguments named, as in scale<float>.");
    diagnosis.line = 1;
    diagnoses.push_back(std::move(diagnosis));
    outcome.diagnostics = std::move(diagnoses);
    return outcome;
  }
  name_source(answer.ptx, job.file);
  append_resources(answer.ptx, answer.resources);
  CachedPtx entry{std::move(answer.ptx), std::move(answer.names), std::move(answer.cubin),
                  std::move(diagnoses)};
  state.cache.keep(key, entry);
  finish(std::move(entry), false);
  return outcome;
}

}  // namespace warpbook
