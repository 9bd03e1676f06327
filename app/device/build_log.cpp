// Three forms of message: nvcc's front end writes as NVRTC does (compile_log), the host's compiler writes
// "file:line:column: error: words", the linker "file:line: undefined reference to `name'".
#include "device/build_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "device/compile_log.h"

namespace warpbook {

namespace {

struct HostMessage {
  std::string file;
  int line = 0, column = 0;
  Severity severity = Severity::error;
  std::string words;
};

/// "file:line:column: error: words", also "fatal error". Other words (note, "In function") are nothing of
/// ours.
std::optional<HostMessage> host_message(std::string_view line) {
  constexpr std::pair<std::string_view, Severity> words[] = {
      {": fatal error: ", Severity::error}, {": error: ", Severity::error}, {": warning: ", Severity::note}};
  for (const auto& [word, severity] : words) {
    const size_t at = line.find(word);
    if (at == std::string_view::npos) continue;
    std::string_view place = line.substr(0, at);
    HostMessage message;
    message.severity = severity;
    message.words = std::string(line.substr(at + word.size()));
    int* const numbers[] = {&message.column, &message.line};
    for (int* number : numbers) {
      const size_t colon = place.rfind(':');
      const auto value = colon == std::string_view::npos ? std::nullopt : parse_int(place.substr(colon + 1));
      if (!value) return std::nullopt;
      *number = int(*value);
      place = place.substr(0, colon);
    }
    message.file = std::string(place);
    return message;
  }
  return std::nullopt;
}

std::string shown_name(const std::string& path,
                       const std::vector<std::pair<std::string, std::string>>& files) {
  for (const auto& [own, shown] : files)
    if (own == path) return shown;
  return path;
}

bool is_own(const std::string& file, const BuildLogContext& context) {
  if (file == context.path) return true;
  const std::string name = Path(file).lexically_normal().string();
  return std::any_of(context.own_folders.begin(), context.own_folders.end(), [&](const Path& folder) {
    return starts_with(name, (folder.lexically_normal() / "").string());
  });
}

/// gcc's quotes are typographic where the locale has them.
std::string plain_quotes(std::string_view text) {
  std::string out = replace_all(text, "\xe2\x80\x98", "'");
  out = replace_all(out, "\xe2\x80\x99", "'");
  return replace_all(out, "`", "'");
}

std::string between_quotes(std::string_view text) {
  const size_t open = text.find('\''), close = text.rfind('\'');
  return open == std::string_view::npos || close <= open
             ? std::string{}
             : std::string(text.substr(open + 1, close - open - 1));
}

void say_plainly(Diagnosis& diagnosis) {
  constexpr std::string_view no_file = ": No such file or directory";
  const size_t at = diagnosis.message.find(no_file);
  if (at == std::string::npos) return;
  const std::string name = diagnosis.message.substr(0, at);
  diagnosis.message = fmt::format("there is no header \"{}\"", name);
  diagnosis.hint = "Put it beside the file, or name its folder with --include.";
  for (const std::string_view helper : {"helper_cuda.h", "helper_functions.h", "helper_timer.h"}) {
    if (Path(name).filename() == helper)
      diagnosis.hint = "It comes with NVIDIA's samples: name their Common folder with --include.";
  }
}

/// Libraries of NVIDIA that bring machine code for GPUs and load the driver.
std::string_view gpu_library_of(std::string_view symbol) {
  constexpr std::pair<std::string_view, std::string_view> libraries[] = {
      {"cublas", "cuBLAS"},     {"cufft", "cuFFT"},   {"curand", "cuRAND"}, {"cusparse", "cuSPARSE"},
      {"cusolver", "cuSOLVER"}, {"nvjpeg", "nvJPEG"}, {"npp", "NPP"},       {"cudnn", "cuDNN"}};
  for (const auto& [prefix, name] : libraries)
    if (starts_with(symbol, prefix)) return name;
  return {};
}

Diagnosis undefined_symbol(const std::string& symbol) {
  Diagnosis diagnosis;
  diagnosis.kind = "compile-error";
  if (symbol == "main") {
    diagnosis.message = "no file of the program defines main, where a program starts";
    diagnosis.hint = "Name the file that has it on the command line as well.";
  } else if (const std::string_view library = gpu_library_of(symbol); !library.empty()) {
    diagnosis.message = fmt::format("{} belongs to {}, which holds machine code for GPUs", symbol, library);
    diagnosis.hint =
        "Programs that use NVIDIA's own libraries need a GPU; the emulator runs the kernels that you "
        "compile yourself.";
  } else if (starts_with(symbol, "cu") && symbol.size() > 2 && symbol[2] >= 'A' && symbol[2] <= 'Z') {
    diagnosis.message = fmt::format("{} belongs to the driver interface, which needs a GPU's driver", symbol);
    diagnosis.hint = "The runtime interface, whose names begin with cuda, runs here.";
  } else {
    diagnosis.message = fmt::format("{} is declared and used, but no file of the program defines it", symbol);
    diagnosis.hint =
        "Name the file that defines it on the command line as well, or compare its spelling and its "
        "parameters with the declaration.";
  }
  return diagnosis;
}

/// "/path/main.cu:9: " before a message of the linker; the place may also be "main.o:main.cu:(.text+0x1)".
void place_link_message(std::string_view head, const std::vector<std::pair<std::string, std::string>>& files,
                        Diagnosis& diagnosis) {
  for (const auto& [path, shown] : files) {
    const size_t at = head.find(path + ":");
    if (at == std::string_view::npos) continue;
    diagnosis.file = shown;
    const std::string_view rest = head.substr(at + path.size() + 1);
    if (const auto line = parse_int(rest.substr(0, rest.find(':')))) diagnosis.line = int(*line);
    return;
  }
}

}  // namespace

std::vector<Diagnosis> read_build_log(std::string_view log, const BuildLogContext& context) {
  ReadLog front = read_compile_log(log, {context.source, context.shown, context.path, context.own_folders});
  std::vector<Diagnosis> found = std::move(front.diagnoses);
  for (Diagnosis& diagnosis : found) diagnosis.file = shown_name(diagnosis.file, context.files);
  for (const std::string_view line : lines_of(log)) {
    const auto message = host_message(line);
    if (!message) continue;
    const bool own = is_own(message->file, context);
    if (!own && message->severity != Severity::error) continue;
    Diagnosis diagnosis;
    diagnosis.severity = message->severity;
    diagnosis.kind = message->severity == Severity::error ? "compile-error" : "compile-warning";
    diagnosis.message = plain_quotes(message->words);
    diagnosis.file = own ? shown_name(message->file, context.files) : context.shown;
    if (own) {
      diagnosis.line = message->line;
      diagnosis.column = message->column;
    } else {
      diagnosis.message +=
          fmt::format(" (in {}, line {})", Path(message->file).filename().string(), message->line);
    }
    say_plainly(diagnosis);
    found.push_back(std::move(diagnosis));
  }
  return merge(std::move(found));
}

std::vector<Diagnosis> read_link_log(std::string_view log,
                                     const std::vector<std::pair<std::string, std::string>>& files) {
  std::vector<Diagnosis> found;
  for (const std::string_view line : lines_of(log)) {
    constexpr std::string_view undefined = ": undefined reference to ", twice = ": multiple definition of ";
    Diagnosis diagnosis;
    if (const size_t at = line.find(undefined); at != std::string_view::npos) {
      diagnosis = undefined_symbol(between_quotes(plain_quotes(line.substr(at + undefined.size()))));
      place_link_message(line.substr(0, at + 1), files, diagnosis);
    } else if (const size_t second = line.find(twice); second != std::string_view::npos) {
      const std::string rest = plain_quotes(line.substr(second + twice.size()));
      diagnosis.kind = "compile-error";
      diagnosis.message =
          fmt::format("{} is defined more than once", between_quotes(rest.substr(0, rest.find(';'))));
      diagnosis.hint =
          "Keep one definition and declare it in the other files; functions in headers need inline.";
      place_link_message(line.substr(0, second + 1), files, diagnosis);
    } else {
      continue;
    }
    if (diagnosis.file.empty() && !files.empty()) diagnosis.file = files.front().second;
    found.push_back(std::move(diagnosis));
  }
  return merge(std::move(found));
}

}  // namespace warpbook
