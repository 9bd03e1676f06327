#pragma once
// Writers of results: text for people, JSON for scripts. One file a format, one row in the table of each.
#include <string>
#include <string_view>
#include <vector>

#include "lab/check.h"
#include "lab/run.h"

namespace warpbook {

struct TextStyle {
  bool colour = false;
  int width = 100;
};

/// Result first, then diagnoses with source line and caret, then counters in columns.
std::string run_as_text(const RunResult& result, std::string_view source, const TextStyle& style);
/// The object of DESIGN section 3.
std::string run_as_json(const RunResult& result);
std::string diagnosis_as_text(const Diagnosis& diagnosis, std::string_view source, const TextStyle& style);

struct CheckFormat {
  std::string_view name;  ///< "text", "json", "junit", "gradescope", "exercism", "csv"
  std::string (*write)(const std::vector<CheckReport>& reports, const TextStyle& style);
};
const std::vector<CheckFormat>& check_formats();

/// NumPy .npy bytes of an output (f16 as float16, bf16 as uint16).
std::string as_npy(const Output& output);
/// PNG bytes: u32 buffers as RGBA8, others through a colour map from min to max. Error when the size does not
/// fit.
Result<std::string> as_png(const Output& output, uint32_t width, uint32_t height);

}  // namespace warpbook
