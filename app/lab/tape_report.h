#pragma once
// Writers of whole programs: the verdict and the tape for people, the tape as JSON for scripts.
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "lab/report.h"
#include "result/tape_lines.h"

namespace warpbook {

/// What it ended with, the diagnoses with their lines (of `source`, the program's main file), the tape. What
/// the program printed is not in it: it was echoed, or stands in the result.
std::string program_as_text(const RunResult& result, std::string_view source, const TextStyle& style);

/// program{exit, signal, stdout, stderr, ...} and tape[] of DESIGN section 3. For .cpp files of lab only.
nlohmann::ordered_json json_of_program(const HostProgram& program);
nlohmann::ordered_json json_of_tape(const HostProgram& program);

/// "it crashed (Killed)", "it was stopped: ...", "it ended with exit code 3"; empty when it ended as it
/// should.
std::string bad_ending(const HostProgram& program);

}  // namespace warpbook
