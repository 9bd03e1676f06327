// What a grader makes of a child that checked an answer: its report read back, or a report in its place.
#include "cli/child_check.h"

#include "catch.h"
#include "lab/formats.h"

using namespace warpbook;
using namespace warpbook::cli;

TEST_CASE("a report written as JSON is read back as it was") {
  CheckReport report;
  report.lesson = "02-hello-grid";
  report.exercise = "cover-all";
  report.file = "ada/answer.cu";
  report.seed = 7;
  report.exit_code = 1;
  report.seconds = 0.5;
  CheckRow row;
  row.check = "counter";
  row.name = "global_store_lanes";
  row.message = "too many, \"far\" too many";
  Diagnosis diagnosis;
  diagnosis.severity = Severity::warning;
  diagnosis.kind = "div-by-zero";
  diagnosis.message = "A division by zero.";
  diagnosis.line = 12;
  row.diagnostics = {diagnosis};
  CheckRow skipped;
  skipped.check = "schedules";
  skipped.skipped = true;
  report.rows = {row, skipped};
  const auto back = report_from_json(checks_as_json({report}, {}));
  REQUIRE(back);
  CHECK(back->lesson == "02-hello-grid");
  CHECK(back->seed == 7);
  CHECK(back->exit_code == 1);
  CHECK_FALSE(back->passed);
  REQUIRE(back->rows.size() == 2);
  CHECK(back->rows[0].name == "global_store_lanes");
  CHECK(back->rows[0].message == "too many, \"far\" too many");
  REQUIRE(back->rows[0].diagnostics.size() == 1);
  CHECK(back->rows[0].diagnostics[0].severity == Severity::warning);
  CHECK(back->rows[0].diagnostics[0].line == 12);
  CHECK(back->rows[1].skipped);
  CHECK(checks_as_csv({*back}, {}) == checks_as_csv({report}, {}));
}

TEST_CASE("rubbish and a report without checks are no reports") {
  CHECK_FALSE(report_from_json(""));
  CHECK_FALSE(report_from_json("{\"passed\": true}"));
  CHECK_FALSE(report_from_json("{\"passed\": true, \"checks\": []}"));
  CHECK_FALSE(report_from_json("{\"passed\": true, \"checks\": [1]}"));
}

TEST_CASE("a lost child does not pass, and the report says what became of it") {
  ChildCheck order;
  order.lesson = "02-hello-grid";
  order.exercise = "cover-all";
  order.file = "bob/answer.cu";
  ChildOutput output;
  output.signal = 9;
  CheckReport report = report_of_lost_child(order, output);
  CHECK_FALSE(report.passed);
  CHECK(report.exit_code == 3);
  REQUIRE(report.rows.size() == 1);
  CHECK(report.rows[0].message.find("signal 9") != std::string::npos);
  output.timed_out = true;
  report = report_of_lost_child(order, output);
  CHECK(report.rows[0].message.find("120 s") != std::string::npos);
}

TEST_CASE("a file that cannot be read gets its own line") {
  ChildCheck order;
  order.program = "/no/such/program";
  order.file = "/no/such/answer.cu";
  const auto report = check_in_child(order);
  REQUIRE(report);
  CHECK_FALSE(report->passed);
  CHECK(report->rows[0].message.find("answer.cu") != std::string::npos);
}
