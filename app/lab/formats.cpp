#include "lab/formats.h"

#include <fmt/format.h>

namespace warpbook {

const std::vector<CheckFormat>& check_formats() {
  static const std::vector<CheckFormat> formats = {
      {"text", checks_as_text},
      {"json", checks_as_json},
      {"junit", checks_as_junit},
      {"csv", checks_as_csv},
      {"gradescope", checks_as_gradescope},
      {"exercism", checks_as_exercism},
  };
  return formats;
}

std::string row_name(const CheckRow& row) {
  return row.name.empty() ? row.check : row.check + " " + row.name;
}

std::string row_as_text(const CheckRow& row) {
  std::string text = row.message + "\n";
  for (const Diagnosis& diagnosis : row.diagnostics) text += diagnosis_as_text(diagnosis, {}, {});
  return text;
}

}  // namespace warpbook
