#pragma once
// NVRTC's log as diagnoses in the learner's own file.
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "result/diagnosis.h"

namespace warpbook {

struct LogContext {
  std::string_view source;
  std::string file;               ///< how the learner calls it
  std::string file_in_log;        ///< how NVRTC was told to call it
  std::vector<Path> own_folders;  ///< headers of these are the learner's own and are named themselves
};

/// A name expression that names no kernel, and NVRTC's reason.
struct UnknownName {
  std::string name;  ///< without blanks: the log spaces the tokens out
  std::string reason;
};

struct ReadLog {
  std::vector<Diagnosis> diagnoses;
  std::vector<UnknownName> unknown_names;
};

/// Errors in other headers are charged to the line that brought them in: the instantiation when the log names
/// it, else the #include. Warnings about other headers are dropped. Columns count bytes from 1, as the log's
/// carets do.
ReadLog read_compile_log(std::string_view log, const LogContext& context);

/// The file names of `#include` lines, in order, with their line numbers.
struct IncludeLine {
  std::string name;
  int line = 0;
  int column = 0;  ///< of the name
  bool quoted = false;
};
std::vector<IncludeLine> include_lines(std::string_view source);

}  // namespace warpbook
