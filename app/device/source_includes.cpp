// The learner's own headers belong to the key of the cache: a change in one must compile again.
#include "device/source_includes.h"

#include <set>

#include "device/compile_log.h"

namespace warpbook {

namespace {

constexpr int deepest = 32;

void scan(std::string_view source, const std::vector<Path>& folders, int depth, std::set<Path>& seen,
          SourceIncludes& result) {
  for (const IncludeLine& include : include_lines(source)) {
    bool found = false;
    for (const Path& folder : folders) {
      const Path file = (folder / include.name).lexically_normal();
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(file, ignored)) continue;
      found = true;
      if (!seen.insert(file).second || depth >= deepest) break;
      const auto content = read_file(file, 4u << 20);
      if (!content) break;
      result.own_files.push_back(file);
      result.own_content += file.string() + "\n" + *content + "\n";
      // A header's own quoted includes are looked for beside it first.
      std::vector<Path> beside{file.parent_path()};
      beside.insert(beside.end(), folders.begin(), folders.end());
      scan(*content, beside, depth + 1, seen, result);
      break;
    }
    if (!found) result.others = true;
  }
}

}  // namespace

SourceIncludes scan_includes(std::string_view source, const std::vector<Path>& folders) {
  SourceIncludes result;
  std::set<Path> seen;
  scan(source, folders, 0, seen, result);
  return result;
}

}  // namespace warpbook
