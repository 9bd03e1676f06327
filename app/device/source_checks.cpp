// Checks of a source before NVRTC sees it, and the nearest kernel after it found none.
#include "device/source_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace warpbook {

namespace {

constexpr uint64_t largest_source = 1u << 20;

/// Line and column of a byte.
void place_at(Diagnosis& diagnosis, std::string_view source, size_t at) {
  const std::string_view before = source.substr(0, at);
  diagnosis.line = 1 + int(std::count(before.begin(), before.end(), '\n'));
  const size_t line_start = before.rfind('\n');
  diagnosis.column = int(line_start == std::string_view::npos ? at : at - line_start - 1) + 1;
}

/// Names of functions that follow __global__, for "did you mean".
std::vector<std::string> kernels_in(std::string_view source) {
  std::vector<std::string> names;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  constexpr std::string_view mark = "__global__";
  for (size_t at = source.find(mark); at != std::string_view::npos; at = source.find(mark, at + 1)) {
    // The name is the word before the first bracket that belongs to no attribute; an attribute's brackets may
    // nest.
    size_t open = source.find('(', at);
    while (open != std::string_view::npos) {
      size_t end = open;
      while (end > at && std::isspace(static_cast<unsigned char>(source[end - 1]))) --end;
      size_t begin = end;
      while (begin > at && is_word(source[begin - 1])) --begin;
      const std::string name(source.substr(begin, end - begin));
      if (!is_launch_attribute(name)) {
        if (!name.empty() && name != mark) names.push_back(name);
        break;
      }
      int depth = 1;
      for (++open; open < source.size() && depth > 0; ++open)
        depth += source[open] == '(' ? 1 : source[open] == ')' ? -1 : 0;
      open = source.find('(', open);
    }
  }
  return names;
}

}  // namespace

bool is_launch_attribute(std::string_view word) {
  static constexpr std::string_view words[] = {"__launch_bounds__", "__maxnreg__", "__cluster_dims__",
                                               "__block_size__"};
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

Diagnosis compile_error(const CompileRequest& request, std::string message, std::string hint) {
  Diagnosis diagnosis;
  diagnosis.kind = "compile-error";
  diagnosis.message = std::move(message);
  diagnosis.hint = std::move(hint);
  diagnosis.file = request.file;
  return diagnosis;
}

std::optional<Diagnosis> refuse_source(const CompileRequest& request) {
  const std::string& source = request.source;
  if (source.size() > largest_source) {
    return compile_error(request,
                         fmt::format("the file has {} bytes, and at most {} are compiled",
                                     with_thousands(source.size()), with_thousands(largest_source)),
                         "Put large data into a buffer instead of the source.");
  }
  if (const size_t at = source.find('\0'); at != std::string::npos) {
    Diagnosis diagnosis = compile_error(request, "there is a NUL byte in the file",
                                        "This is no text file, or it was damaged; save it as UTF-8 text.");
    place_at(diagnosis, source, at);
    return diagnosis;
  }
  if (const size_t at = first_invalid_utf8(source); at != std::string::npos) {
    Diagnosis diagnosis = compile_error(request, "there is a byte here that is not valid UTF-8",
                                        "Save the file as UTF-8 text.");
    place_at(diagnosis, source, at);
    return diagnosis;
  }
  if (trim(source).empty()) {
    Diagnosis diagnosis = compile_error(request, "the file is empty: there is no kernel in it",
                                        "A kernel is a function marked __global__ that returns void.");
    diagnosis.line = 1;
    return diagnosis;
  }
  return std::nullopt;
}

Error no_such_kernel(const CompileRequest& request, const UnknownName& unknown) {
  Error error{fmt::format("There is no kernel {} in the file.", unknown.name),
              Trouble::not_found,
              {request.file, 0, 0},
              {}};
  const std::vector<std::string> known = kernels_in(request.source);
  if (unknown.reason.find("instance of function template") != std::string::npos) {
    error.message = fmt::format("{} is a template, so its arguments must be named too.", unknown.name);
    error.hint = fmt::format("for instance {}<float>", unknown.name);
  } else if (unknown.reason.find("non-__global__") != std::string::npos) {
    error.message = fmt::format("{} is no kernel: it is not marked __global__.", unknown.name);
  } else if (const auto near = nearest_word(unknown.name, known)) {
    error.hint = fmt::format("did you mean {}?", *near);
  } else if (!known.empty()) {
    error.hint = fmt::format("it has: {}", join(known, ", "));
  }
  return error;
}

}  // namespace warpbook
