#pragma once
// Parts of a reference page that are made from what a test has worked out, so that they cannot go stale:
// the test compares, and WARPBOOK_RECORD=1 writes the part anew.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "catch.h"

namespace warpbook {

/// `part` is what stands between `heading` ("### Streams") and the next heading, blank lines apart.
inline void check_page_part(const std::string& page, const std::string& heading, const std::string& part) {
  const std::string file = std::string(WARPBOOK_SOURCE_DIR) + "/assets/pages/" + page;
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  in.close();
  const std::string start = "\n" + heading + "\n\n";
  INFO(page << " has no heading " << heading);
  const size_t at = text.find(start);
  REQUIRE(at != std::string::npos);
  const size_t from = at + start.size();
  const size_t end = std::min(text.find("\n\n#", from), text.size());
  const std::string there = text.substr(from, end - from);
  std::string wanted = part;
  while (!wanted.empty() && wanted.back() == '\n') wanted.pop_back();
  if (const char* record = std::getenv("WARPBOOK_RECORD"); record && std::string(record) == "1") {
    std::ofstream(file) << text.substr(0, from) << wanted << (end < text.size() ? text.substr(end) : "\n");
    return;
  }
  INFO("the part \"" << heading << "\" of " << page << " is not what the test has worked out; "
                     << "WARPBOOK_RECORD=1 writes it anew");
  std::string kept = there;
  while (!kept.empty() && kept.back() == '\n') kept.pop_back();
  CHECK(kept == wanted);
}

}  // namespace warpbook
