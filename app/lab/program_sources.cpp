// A light look at the host's code, as source_scan looks at kernels.
#include "lab/program_sources.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "lab/source_scan.h"
#include "result/allocation_name.h"

namespace warpbook {

namespace {

/// Functions whose first argument receives the address of new memory.
constexpr std::array<std::string_view, 8> allocating = {
    "cudaMalloc",      "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc",
    "cudaMallocAsync", "cudaMallocPitch",   "cudaMalloc3D",   "cudaMallocFromPoolAsync"};

constexpr std::array<std::string_view, 5> clock_functions = {"clock", "gettimeofday", "clock_gettime",
                                                             "omp_get_wtime", "sdkStopTimer"};

bool is_mark(const std::vector<Token>& tokens, size_t at, std::string_view mark) {
  return at < tokens.size() && tokens[at].kind == Token::Kind::mark && tokens[at].text == mark;
}

/// The learner's name for what a call's first argument points to: &d_a is d_a, (void**)&parts[i] is parts[i],
/// p is *p. `at` is the token behind the opening bracket. Empty when it is not that simple.
std::string target_name(const std::vector<Token>& tokens, size_t at) {
  int depth = 0;
  size_t begin = at, end = at;
  bool address = false;
  for (; end < tokens.size(); ++end) {
    const Token& token = tokens[end];
    if (token.kind != Token::Kind::mark) continue;
    if (token.text == "(" || token.text == "[") ++depth;
    if (token.text == ")" || token.text == "]") {
      if (depth == 0) break;
      --depth;
    }
    if (token.text == "," && depth == 0) break;
    if (token.text == "&") {
      address = true;
      begin = end + 1;
    }
  }
  std::string name;
  int open = 0;
  for (size_t i = begin; i < end; ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "(") ++open;
    if (text == ")" && --open < 0) break;  // of reinterpret_cast<void**>(&d_a)
    name += text;
  }
  if (name.empty() || name.size() > 40) return {};
  if (address) return name;
  // Without an address the argument is a pointer to the pointer: a wrapper's parameter.
  const bool plain = end == begin + 1 && tokens[begin].kind == Token::Kind::word;
  return plain ? "*" + name : std::string{};
}

/// The text of a call's n-th argument, where it is short; `at` as in target_name.
std::string argument_text(const std::vector<Token>& tokens, size_t at, int nth) {
  int depth = 0;
  std::string text;
  for (; at < tokens.size(); ++at) {
    const std::string_view mark = tokens[at].text;
    if (depth == 0 && (mark == ")" || (mark == "," && nth == 0))) break;
    if (mark == "(" || mark == "[" || mark == "{") ++depth;
    if (mark == ")" || mark == "]" || mark == "}") --depth;
    if (mark == "," && depth == 0) {
      --nth;
      continue;
    }
    if (nth == 0) text += mark;
  }
  constexpr std::string_view data = ".data()";
  if (text.size() > data.size() && text.compare(text.size() - data.size(), data.size(), data) == 0)
    text.resize(text.size() - data.size());
  if (!text.empty() && text[0] == '&') text.erase(0, 1);
  return text.size() > 24 ? std::string{} : text;
}

/// "filters::blur<float>" is blur.
std::string bare_name(const std::string& kernel) {
  const std::string name = kernel.substr(0, kernel.find('<'));
  const size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

struct Scanned {
  std::string file;
  std::vector<Token> tokens;
};

/// Behind the opening bracket of the n-th call of that name in a line, or in the two lines before it: a
/// call's line may be that of its end. The number of tokens when there is none.
size_t call_at(const Scanned& source, const std::string& call, int line, size_t nth) {
  for (int wanted = line; wanted > line - 3 && wanted > 0; --wanted) {
    std::vector<size_t> found;
    for (size_t i = 0; i + 1 < source.tokens.size(); ++i) {
      if (source.tokens[i].line != wanted || source.tokens[i].text != call) continue;
      size_t open = i + 1;
      if (is_mark(source.tokens, open, "<"))  // cudaMalloc<float>(
        while (open < source.tokens.size() && !is_mark(source.tokens, open, "(")) ++open;
      if (is_mark(source.tokens, open, "(")) found.push_back(open + 1);
    }
    if (!found.empty()) return found[nth % found.size()];
  }
  return source.tokens.size();
}

/// Arguments of launches are numbered on the tape, since PTX has no names for them, and their memory is known
/// by the row that made it.
void name_parameters(TapeRow& row, const std::vector<KernelParameter>& parameters) {
  for (size_t i = 0; i < row.arguments.size() && i < parameters.size(); ++i) {
    TapeArgument& argument = row.arguments[i];
    if (!parse_uint(argument.name) || parameters[i].name.empty()) continue;
    for (TapePlace& place : row.places)
      if (place.argument == argument.name) place.argument = parameters[i].name;
    argument.name = parameters[i].name;
  }
  for (Diagnosis& diagnosis : row.launch->diagnostics) {
    const auto number = row_of_allocation(diagnosis.buffer);
    for (const TapePlace& place : row.places) {
      if (!number || place.allocation != *number) continue;
      diagnosis.message = replace_all(diagnosis.message, diagnosis.buffer, place.argument);
      diagnosis.hint = replace_all(diagnosis.hint, diagnosis.buffer, place.argument);
      diagnosis.buffer = place.argument;
      break;
    }
  }
}

}  // namespace

void read_sources(HostProgram& program, const std::vector<ProgramSource>& sources) {
  std::vector<Scanned> scanned;
  std::map<std::string, std::vector<KernelParameter>> parameters;
  for (const ProgramSource& source : sources) {
    const SourceScan scan = scan_source(source.text);
    for (const KernelSource& kernel : scan.kernels) parameters.try_emplace(kernel.name, kernel.parameters);
    for (const KernelSource& kernel : scan.kernels)
      if (kernel.definition) program.kernels.try_emplace(kernel.name, SourcePlace{source.file, kernel.line});
    scanned.push_back({source.file, tokens_of(source.text)});
    std::vector<int>& clocks = program.clocks[source.file];
    const std::vector<Token>& tokens = scanned.back().tokens;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (tokens[i].kind != Token::Kind::word || !is_mark(tokens, i + 1, "(")) continue;
      const bool chrono = tokens[i].text == "now" && i > 0 && is_mark(tokens, i - 1, "::");
      const bool function =
          std::find(clock_functions.begin(), clock_functions.end(), tokens[i].text) != clock_functions.end();
      // `clock` in a kernel reads the device's; host code that times calls it outside of them.
      if (chrono || function) clocks.push_back(tokens[i].line);
    }
    clocks.erase(std::unique(clocks.begin(), clocks.end()), clocks.end());
  }
  for (TapeRow& row : program.tape.rows) {
    if (!row.launch) continue;
    const std::string name = bare_name(row.launch->kernel);
    if (const auto known = parameters.find(name); known != parameters.end())
      name_parameters(row, known->second);
  }
  std::map<std::pair<std::string, int>, size_t> seen;
  for (size_t i = 0; i < program.tape.rows.size() && i < program.places.size(); ++i) {
    const TapeRow& row = program.tape.rows[i];
    const bool allocates = std::find(allocating.begin(), allocating.end(), row.call) != allocating.end();
    const bool copies = row.call == "cudaMemcpy" || row.call == "cudaMemcpyAsync";
    if (!allocates && !copies) continue;
    const SourcePlace& place = program.places[i].place;
    const auto source = std::find_if(scanned.begin(), scanned.end(),
                                     [&](const Scanned& one) { return one.file == place.file; });
    if (source == scanned.end()) continue;
    const size_t nth = seen[{row.call + place.file, place.line}]++;
    const size_t call = call_at(*source, row.call, place.line, nth);
    if (call == source->tokens.size()) continue;
    if (allocates) {
      if (std::string name = target_name(source->tokens, call); !name.empty())
        program.names[row.sequence] = std::move(name);
      continue;
    }
    for (const TapePlace& memory : row.places) {
      if (memory.kind != MemoryKind::host) continue;
      const std::string name = argument_text(source->tokens, call, memory.argument == "src" ? 1 : 0);
      if (!name.empty()) program.host_names.try_emplace(memory.address, name);
    }
  }
}

}  // namespace warpbook
