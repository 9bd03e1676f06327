#pragma once
// A place that the page column can show.
#include <string>

namespace warpbook::ui {

struct Place {
  enum class Kind { lesson, page, settings, overview, review } kind = Kind::lesson;
  std::string name;    ///< slug, or the reference page's file name without .md
  std::string anchor;  ///< heading to scroll to; used once
  int block = -1;      ///< block to scroll to; used once
  bool operator==(const Place& other) const { return kind == other.kind && name == other.name; }
};

}  // namespace warpbook::ui
