#pragma once
// What nvcc, the host's compiler and the linker say, as diagnoses in the learner's own files.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "result/diagnosis.h"

namespace warpbook {

struct BuildLogContext {
  std::string_view source;        ///< of the file that was compiled
  std::string shown;              ///< how the learner calls it
  std::string path;               ///< how the compilers were told to call it
  std::vector<Path> own_folders;  ///< headers of these are the learner's own
  /// All files of the program: path and how the learner calls it.
  std::vector<std::pair<std::string, std::string>> files;
};

/// Errors and warnings of compiling one file: those of nvcc's front end and those of the host's compiler.
std::vector<Diagnosis> read_build_log(std::string_view log, const BuildLogContext& context);

/// Errors of linking. `files` as in the context.
std::vector<Diagnosis> read_link_log(std::string_view log,
                                     const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace warpbook
