#pragma once
// The files of a new lesson. In paths SLUG, in contents @SLUG@ and @TITLE@ are put in.
#include <string>
#include <vector>

namespace warpbook::cli {

struct TemplateFile {
  const char* path;
  const char* content;
};
const std::vector<TemplateFile>& lesson_template();

}  // namespace warpbook::cli
