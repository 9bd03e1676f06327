#include "cli/lab_target.h"

#include <fmt/format.h>

#include "base/complaint.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/console.h"

namespace warpbook::cli {

Result<LabTarget> find_lab(const Library& library, const std::string& target) {
  const size_t slash = target.find('/');
  const std::string slug = target.substr(0, slash);
  const auto lesson = find_lesson(library, slug);
  if (!lesson) return lesson.error();
  LabTarget found;
  found.lesson = *lesson;
  if (found.lesson->labs.empty()) return complaint(fmt::format("lesson {} has no lab to run", slug));
  std::vector<std::string> names;
  const std::string wanted = slash == std::string::npos ? std::string{} : target.substr(slash + 1);
  found.lab = wanted.empty() ? &found.lesson->labs.front() : nullptr;
  for (const Lab& one : found.lesson->labs) {
    const std::string stem = Path(one.kernel).stem().string();
    names.push_back(stem);
    if (!found.lab && stem == wanted) found.lab = &one;
    for (const auto& [label, file] : one.variants) {
      const std::string variant_stem = Path(file).stem().string();
      if (variant_stem != stem) names.push_back(variant_stem);
      if (!found.lab && variant_stem == wanted) {
        found.lab = &one;
        found.variant = label;
      }
    }
  }
  if (found.lab) return found;
  const auto close = nearest_word(wanted, names);
  return complaint(
      fmt::format("lesson {} has no kernel called {}; it has: {}", slug, wanted, join(names, ", ")),
      close ? fmt::format("did you mean {}/{}?", slug, *close) : std::string{});
}

bool is_source_file(const std::string& target) {
  std::error_code ignored;
  return std::filesystem::exists(target, ignored) || Path(target).extension() == ".cu";
}

Result<RunRequest> file_request(const std::string& target) {
  std::error_code ignored;
  if (std::filesystem::is_directory(target, ignored))
    return complaint(fmt::format("{} is a folder", target), "name a .cu file");
  auto source = read_file(target);
  if (!source) return source.error();
  RunRequest request;
  request.source = std::move(*source);
  request.file = target;
  request.folder = Path(target).parent_path().string();
  return request;
}

}  // namespace warpbook::cli
