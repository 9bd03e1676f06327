// JUnit XML, which most continuous-integration services read: the exercise as class name, the check as test
// name. It keeps to the schema of Jenkins' xunit plugin (junit-10.xsd). The time of day and the host that
// some readers know are left out: equal answers have equal reports.
#include <fmt/format.h>

#include "base/text.h"
#include "lab/formats.h"

namespace warpbook {

namespace {

/// Text for XML 1.0: escapes the marks and leaves out what no document may hold.
std::string xml(std::string_view text) {
  std::string out;
  for (const char32_t c : decode_utf8(text)) {
    if (c == U'&')
      out += "&amp;";
    else if (c == U'<')
      out += "&lt;";
    else if (c == U'>')
      out += "&gt;";
    else if (c == U'"')
      out += "&quot;";
    else if (c == U'\n')
      out += "&#10;";
    else if (c >= 0x20 && c != 0x7f && c != 0xfffe && c != 0xffff)
      out += encode_utf8(std::u32string(1, c));
    else if (c == U'\t')
      out += "\t";
  }
  return out;
}

}  // namespace

std::string checks_as_junit(const std::vector<CheckReport>& reports, const TextStyle&) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const CheckReport& report : reports) {
    int failures = 0, skipped = 0;
    for (const CheckRow& row : report.rows) {
      failures += !row.passed && !row.skipped;
      skipped += row.skipped && !row.passed;
    }
    const std::string name = report.lesson + "/" + report.exercise;
    text += fmt::format(
        "  <testsuite name=\"{}\" file=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" "
        "time=\"{:.3f}\">\n",
        xml(name), xml(report.file), report.rows.size(), failures, skipped, report.seconds);
    text += fmt::format("    <properties>\n      <property name=\"seed\" value=\"{}\"/>\n    </properties>\n",
                        report.seed);
    for (const CheckRow& row : report.rows) {
      text +=
          fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\"", xml(name), xml(row_name(row)));
      if (row.passed) {
        text += "/>\n";
      } else if (row.skipped) {
        text += fmt::format("><skipped message=\"{}\"/></testcase>\n", xml(row.message));
      } else {
        text += fmt::format("><failure type=\"{}\" message=\"{}\">{}</failure></testcase>\n", xml(row.check),
                            xml(row.message), xml(row_as_text(row)));
      }
    }
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace warpbook
