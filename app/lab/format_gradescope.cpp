// Gradescope's results.json: a test a check, each worth one point; never a wall time in the score.
#include <nlohmann/json.hpp>

#include "lab/formats.h"
#include "lab/json_parts.h"

namespace warpbook {

std::string checks_as_gradescope(const std::vector<CheckReport>& reports, const TextStyle&) {
  using Json = nlohmann::ordered_json;
  Json out;
  double seconds = 0;
  Json tests = Json::array();
  Json extra = Json::object();
  for (const CheckReport& report : reports) {
    seconds += report.seconds;
    int number = 0;
    for (const CheckRow& row : report.rows) {
      Json test;
      test["name"] = report.exercise + ": " + row_name(row);
      test["number"] = std::to_string(++number);
      test["score"] = row.passed ? 1 : 0;
      test["max_score"] = 1;
      test["status"] = row.passed ? "passed" : "failed";
      test["output"] = row_as_text(row);
      test["output_format"] = "text";
      test["visibility"] = "visible";
      tests.push_back(std::move(test));
    }
    extra["lesson"] = report.lesson;
    extra["exercise"] = report.exercise;
    extra["seed"] = report.seed;
    extra["engine"] = "emulator";
  }
  out["execution_time"] = seconds;
  out["visibility"] = "visible";
  out["stdout_visibility"] = "hidden";
  out["extra_data"] = std::move(extra);
  out["tests"] = std::move(tests);
  return json_text(out);
}

}  // namespace warpbook
