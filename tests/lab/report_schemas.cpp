// The reports against the public descriptions of their formats, written down here as tables of our own:
//  - JUnit XML: the schema that Jenkins' xunit plugin checks files with, junit-10.xsd
//    (jenkinsci/xunit-plugin, src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd);
//  - Gradescope: "Autograder Specifications", section "Output format" (gradescope-autograders documentation);
//  - Exercism: "The Test Runner Interface" (exercism/docs, building/tooling/test-runners/interface.md).
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "catch.h"
#include "lab/report.h"

using namespace warpbook;
using nlohmann::json;

namespace {

// --- XML: enough of it to read a report strictly ---

struct Element {
  std::string name, text;
  std::map<std::string, std::string> attributes;
  std::vector<Element> children;
};

class XmlReader {
 public:
  explicit XmlReader(const std::string& text) : text_(text) {}
  /// The document's one element. FAILs where the text is not well-formed.
  Element document() {
    const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
    REQUIRE(text_.compare(0, head.size(), head) == 0);
    at_ = head.size();
    skip_space();
    Element root = element();
    skip_space();
    REQUIRE(at_ == text_.size());
    return root;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void expect(char c) {
    INFO("at byte " << at_ << ": " << text_.substr(at_, 40));
    REQUIRE(peek() == c);
    ++at_;
  }
  void skip_space() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\t') ++at_;
  }
  std::string name() {
    const size_t start = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '-' || peek() == '_') ++at_;
    REQUIRE(at_ > start);
    return text_.substr(start, at_ - start);
  }
  std::string character() {
    if (peek() != '&') {
      REQUIRE(peek() != '<');
      const auto byte = static_cast<unsigned char>(peek());
      INFO("control character " << int(byte));
      REQUIRE((byte >= 0x20 || byte == '\n' || byte == '\t'));
      ++at_;
      return std::string(1, char(byte));
    }
    const size_t end = text_.find(';', at_);
    REQUIRE(end != std::string::npos);
    const std::string entity = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    const std::map<std::string, std::string> known = {{"amp", "&"},   {"lt", "<"},   {"gt", ">"},
                                                      {"quot", "\""}, {"apos", "'"}, {"#10", "\n"}};
    INFO("&" << entity << ";");
    REQUIRE(known.count(entity) == 1);
    return known.at(entity);
  }
  Element element() {
    Element one;
    expect('<');
    one.name = name();
    for (skip_space(); peek() != '>' && peek() != '/'; skip_space()) {
      const std::string attribute = name();
      expect('=');
      expect('"');
      std::string value;
      while (peek() != '"') value += character();
      expect('"');
      REQUIRE(one.attributes.emplace(attribute, value).second);
    }
    if (peek() == '/') {
      ++at_;
      expect('>');
      return one;
    }
    expect('>');
    while (text_.compare(at_, 2, "</") != 0) {
      if (peek() == '<') {
        one.children.push_back(element());
      } else {
        one.text += character();
      }
    }
    at_ += 2;
    REQUIRE(name() == one.name);
    expect('>');
    return one;
  }

  const std::string& text_;
  size_t at_ = 0;
};

/// What the schema says of one element.
struct ElementRule {
  std::set<std::string> children;
  bool text = false;
  std::set<std::string> required, optional;
};

const std::map<std::string, ElementRule>& junit_10() {
  static const std::map<std::string, ElementRule> rules = {
      {"testsuites", {{"testsuite"}, false, {}, {"name", "time", "tests", "failures", "errors"}}},
      {"testsuite",
       {{"testsuite", "properties", "testcase", "system-out", "system-err"},
        false,
        {"name", "tests", "failures", "errors"},
        {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"}}},
      {"properties", {{"property"}, false, {}, {}}},
      {"property", {{}, false, {"name", "value"}, {}}},
      {"testcase",
       {{"skipped", "error", "failure", "system-out", "system-err"},
        false,
        {"name"},
        {"time", "classname", "group"}}},
      {"failure", {{}, true, {}, {"type", "message"}}},
      {"error", {{}, true, {}, {"type", "message"}}},
      {"skipped", {{}, true, {}, {"type", "message"}}},
      {"system-out", {{}, true, {}, {}}},
      {"system-err", {{}, true, {}, {}}},
  };
  return rules;
}

void hold_to_rules(const Element& element) {
  INFO("<" << element.name << ">");
  REQUIRE(junit_10().count(element.name) == 1);
  const ElementRule& rule = junit_10().at(element.name);
  for (const std::string& name : rule.required) {
    INFO("attribute " << name);
    CHECK(element.attributes.count(name) == 1);
  }
  for (const auto& [name, value] : element.attributes) {
    INFO("attribute " << name << "=\"" << value << "\"");
    CHECK((rule.required.count(name) || rule.optional.count(name)));
    if (name == "time" && element.name != "testcase")
      CHECK(std::regex_match(
          value, std::regex("(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\\.[0-9]*)?")));  // SUREFIRE_TIME
  }
  if (!rule.text) CHECK(element.text.find_first_not_of(" \n\t") == std::string::npos);
  for (const Element& child : element.children) {
    CHECK(rule.children.count(child.name) == 1);
    hold_to_rules(child);
  }
}

// --- reports of every outcome ---

CheckRow row(const std::string& check, bool passed, bool skipped = false, const std::string& message = {}) {
  CheckRow one;
  one.check = check;
  one.passed = passed;
  one.skipped = skipped;
  one.message = message;
  return one;
}

CheckReport report(int exit_code, std::vector<CheckRow> rows) {
  CheckReport one;
  one.lesson = "02-hello-grid";
  one.exercise = "cover-all";
  one.file = "answers/a & b <1>.cu";
  one.seed = 7;
  one.exit_code = exit_code;
  one.passed = exit_code == 0;
  one.rows = std::move(rows);
  one.seconds = 1234.5;
  return one;
}

CheckReport passed() { return report(0, {row("compiles", true), row("results", true)}); }
CheckReport failed() {
  CheckRow bad = row("results", false, false, "out[1] is <3>, \"not\" 4 & \x1b[31mred\x1b[0m\nnext line");
  Diagnosis d;
  d.kind = "oob-read";
  d.message = "Thread 4 reads a[100].\n\x01";
  d.file = "a.cu";
  d.line = 2;
  bad.diagnostics = {d};
  return report(1, {row("compiles", true), bad, row("schedules", false, true, "results came first")});
}
CheckReport uncompiled() {
  return report(2,
                {row("compiles", false, false, "a.cu(3): error: x is undefined " + std::string(70000, 'x')),
                 row("results", false, true, "")});
}

std::string written(const std::string& format, const std::vector<CheckReport>& reports) {
  for (const CheckFormat& one : check_formats())
    if (one.name == format) return one.write(reports, {});
  FAIL("no format " << format);
  return {};
}

const std::vector<std::vector<CheckReport>>& all_reports() {
  static const std::vector<std::vector<CheckReport>> all = {
      {}, {passed()}, {failed()}, {uncompiled()}, {passed(), failed(), uncompiled()}};
  return all;
}

const std::set<std::string>& visibilities() {
  static const std::set<std::string> known = {"hidden", "after_due_date", "after_published", "visible"};
  return known;
}

}  // namespace

TEST_CASE("junit: every report is well-formed and follows the schema that Jenkins checks") {
  for (const auto& reports : all_reports()) {
    const std::string text = written("junit", reports);
    INFO(text.substr(0, 2000));
    const Element root = XmlReader(text).document();
    CHECK(root.name == "testsuites");
    CHECK(root.children.size() == reports.size());
    hold_to_rules(root);
    for (size_t i = 0; i < reports.size(); ++i) {
      const Element& suite = root.children[i];
      size_t cases = 0, failures = 0, skipped = 0;
      for (const Element& one : suite.children) {
        cases += one.name == "testcase";
        for (const Element& outcome : one.children) {
          failures += outcome.name == "failure";
          skipped += outcome.name == "skipped";
        }
      }
      CHECK(suite.attributes.at("tests") == std::to_string(cases));
      CHECK(suite.attributes.at("failures") == std::to_string(failures));
      CHECK(suite.attributes.at("skipped") == std::to_string(skipped));
      CHECK(cases == reports[i].rows.size());
    }
  }
}

TEST_CASE("junit: the seed and the file of an answer stand in the report") {
  const Element root = XmlReader(written("junit", {failed()})).document();
  const Element& suite = root.children.at(0);
  CHECK(suite.attributes.at("file") == "answers/a & b <1>.cu");
  REQUIRE(suite.children.at(0).name == "properties");
  CHECK(suite.children[0].children.at(0).attributes.at("name") == "seed");
  CHECK(suite.children[0].children.at(0).attributes.at("value") == "7");
}

TEST_CASE("gradescope: every report follows the autograder specification") {
  for (const auto& reports : all_reports()) {
    const json out = json::parse(written("gradescope", reports));
    INFO(out.dump(1).substr(0, 2000));
    const std::set<std::string> top = {"score",         "execution_time",     "output",
                                       "output_format", "test_output_format", "test_name_format",
                                       "visibility",    "stdout_visibility",  "extra_data",
                                       "tests",         "leaderboard"};
    for (const auto& [key, value] : out.items()) {
      INFO(key);
      CHECK(top.count(key) == 1);
    }
    CHECK(out["execution_time"].is_number());
    CHECK(visibilities().count(out["visibility"].get<std::string>()) == 1);
    CHECK(visibilities().count(out["stdout_visibility"].get<std::string>()) == 1);
    CHECK(out["extra_data"].is_object());
    REQUIRE(out["tests"].is_array());
    if (!out.contains("score")) CHECK((reports.empty() || !out["tests"].empty()));  // one of the two must be
    const std::set<std::string> keys = {"score",       "max_score",     "status",    "name",
                                        "name_format", "number",        "output",    "tags",
                                        "visibility",  "output_format", "extra_data"};
    const std::set<std::string> formats = {"text", "html", "simple_format", "md", "ansi"};
    for (const json& test : out["tests"]) {
      for (const auto& [key, value] : test.items()) {
        INFO(key);
        CHECK(keys.count(key) == 1);
      }
      CHECK(test["score"].is_number());
      CHECK(test["max_score"].is_number());
      CHECK(test["score"].get<double>() <= test["max_score"].get<double>());
      CHECK((test["status"] == "passed" || test["status"] == "failed"));
      CHECK((test["status"] == "passed") == (test["score"] == test["max_score"]));
      CHECK(test["name"].is_string());
      CHECK(test["number"].is_string());
      CHECK(test["output"].is_string());
      CHECK(formats.count(test["output_format"].get<std::string>()) == 1);
      CHECK(visibilities().count(test["visibility"].get<std::string>()) == 1);
    }
  }
}

TEST_CASE("exercism: every report follows the test runner interface") {
  for (const auto& reports : all_reports()) {
    const json out = json::parse(written("exercism", reports));
    INFO(out.dump(1).substr(0, 2000));
    CHECK((out["version"] == 2 || out["version"] == 3));
    const std::set<std::string> statuses = {"pass", "fail", "error"};
    const std::string status = out["status"];
    CHECK(statuses.count(status) == 1);
    for (const auto& [key, value] : out.items())
      CHECK((key == "version" || key == "status" || key == "message" || key == "tests"));
    const bool has_message = out.contains("message") && !out["message"].is_null();
    CHECK(has_message == (status == "error"));
    if (has_message) {
      CHECK(out["message"].get<std::string>().size() <= 65535);
      CHECK_FALSE(out["message"].get<std::string>().empty());
    }
    REQUIRE(out["tests"].is_array());
    bool any_bad = false, any_ran = false;
    for (const json& test : out["tests"]) {
      CHECK(test["name"].is_string());
      CHECK(statuses.count(test["status"].get<std::string>()) == 1);
      any_bad = any_bad || test["status"] != "pass";
      any_ran = any_ran || test["status"] == "pass";
      if (test.contains("message") && !test["message"].is_null())
        CHECK(test["message"].get<std::string>().size() <= 65535);
      if (test.contains("output") && !test["output"].is_null())
        CHECK(test["output"].get<std::string>().size() <= 500);
      if (test.contains("task_id")) CHECK(out["version"] == 3);
    }
    CHECK((status == "pass") == !any_bad);
    // "error" is for when nothing was executed.
    if (any_ran) CHECK(status != "error");
  }
}
