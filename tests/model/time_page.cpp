// The page about the model says what the model does.
#include <fstream>
#include <sstream>

#include "catch.h"
#include "model/time_model.h"

using namespace warpbook;

TEST_CASE("The page lists what the model leaves out, and its exponent") {
  std::ifstream file(std::string(WARPBOOK_SOURCE_DIR) + "/assets/pages/how-time-is-modelled.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str();
  REQUIRE_FALSE(page.empty());
  size_t listed = 0;
  const size_t list = page.find("## What is left out");
  REQUIRE(list != std::string::npos);
  for (size_t at = page.find("\n- ", list); at != std::string::npos; at = page.find("\n- ", at + 1)) ++listed;
  CHECK(listed == not_modelled().size());
  for (const std::string_view line : not_modelled()) {
    INFO(line);
    CHECK(page.find("\n- " + std::string(line) + "\n") != std::string::npos);
  }
  std::stringstream exponent;
  exponent << "p = " << norm_exponent;
  CHECK(page.find(exponent.str()) != std::string::npos);
}
