// What does not compile is told in the learner's file, by line and column.
#include "catch.h"
#include "device/compile_log.h"
#include "device/compiler_fixture.h"

using namespace warpbook;

namespace {

std::vector<Diagnosis> errors_of(CompilerFixture& fixture, const CompileRequest& request) {
  auto outcome = fixture.compiler->compile(request);
  REQUIRE(outcome.ok());
  CHECK_FALSE(outcome->code);
  REQUIRE_FALSE(outcome->diagnostics.empty());
  CHECK(outcome->diagnostics.front().severity == Severity::error);
  CHECK(outcome->diagnostics.front().kind == "compile-error");
  return outcome->diagnostics;
}

}  // namespace

TEST_CASE("an error has its line and column") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto found =
      errors_of(fixture, request_for("__global__ void k(float* a) {\n  a[0] = 1;\n\tint x = missing;\n}\n"));
  CHECK(found[0].file == "kernel.cu");
  CHECK(found[0].line == 3);
  CHECK(found[0].column == 10);  // bytes; the tab is one
  CHECK(found[0].message.find("\"missing\" is undefined") != std::string::npos);
}

TEST_CASE("several errors are all told, in the order of their lines") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto found = errors_of(
      fixture,
      request_for("__global__ void k(float* a) {\n  a[0] = first;\n  a[1] = second;\n  a[2] = 1\n}\n"));
  REQUIRE(found.size() == 3);
  CHECK(found[0].line == 2);
  CHECK(found[1].line == 3);
  CHECK(found[2].line >= 4);
}

TEST_CASE("warnings are notes, with and without the cache") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto request = request_for("__global__ void k(float* a) {\n  int idle;\n  a[0] = 1;\n}\n");
  for (const bool cached : {false, true}) {
    auto outcome = fixture.compiler->compile(request);
    REQUIRE(outcome.ok());
    REQUIRE(outcome->code);
    CHECK(outcome->code->cached == cached);
    REQUIRE(outcome->diagnostics.size() == 1);
    CHECK(outcome->diagnostics[0].severity == Severity::note);
    CHECK(outcome->diagnostics[0].kind == "compile-warning");
    CHECK(outcome->diagnostics[0].line == 2);
    CHECK(outcome->diagnostics[0].column == 7);
  }
}

TEST_CASE("printf whose arguments do not fit its format is warned of, with the conversion that fits") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto request = request_for(
      "__global__ void k(long long* a) {\n"
      "  printf(\"%d\", 1.5f);\n"
      "  printf(\"%d\", a[0]);\n"
      "  printf(\"%d %d\", 1);\n"
      "  printf(\"%d\", 1, 2);\n"
      "  printf(\"%q\", 1);\n"
      "  printf(\"%s\", 7);\n"
      "  printf(\"%d %u %f %lld %p %s %c %%\\n\", 1, 2u, 1.5f, a[0], a, \"text\", 'c');\n"
      "}\n");
  auto outcome = fixture.compiler->compile(request);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->code);
  std::vector<int> lines;
  for (const Diagnosis& d : outcome->diagnostics) {
    INFO(d.line << ": " << d.message);
    CHECK(d.kind == "printf-arguments");
    CHECK(d.severity == Severity::warning);
    CHECK_FALSE(d.hint.empty());
    lines.push_back(d.line);
  }
  CHECK(lines == std::vector<int>{2, 3, 4, 5, 6, 7});
  CHECK(outcome->diagnostics[0].hint == "The conversion for a double is %f.");
  CHECK(outcome->diagnostics[1].hint == "The conversion for a long long is %lld.");
}

TEST_CASE("an error in the learner's own header is told there") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const Path own = fixture.folder.path() / "own";
  REQUIRE(write_file(own / "mine.h", "\n__device__ int f() { return wrong; }\n").ok());
  auto request = request_for("#include \"mine.h\"\n__global__ void k(int* a) { a[0] = f(); }\n");
  request.include_folders = {own};
  const auto found = errors_of(fixture, request);
  CHECK(found[0].file == (own / "mine.h").string());
  CHECK(found[0].line == 2);
}

TEST_CASE("a header of the host, a host function and a host variable get words of their own") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  auto found = errors_of(fixture, request_for("__global__ void k() {}\n#include <iostream>\n"));
  CHECK(found[0].line == 2);
  CHECK(found[0].message.find("iostream") != std::string::npos);
  CHECK_FALSE(found[0].hint.empty());
  found = errors_of(fixture, request_for("int helper() { return 1; }\n__global__ void k() {}\n"));
  CHECK(found[0].message.find("host code") != std::string::npos);
  CHECK(found[0].hint.find("__device__") != std::string::npos);
  found = errors_of(fixture, request_for("int table[4];\n__global__ void k() {}\n"));
  CHECK(found[0].message.find("__constant__") != std::string::npos);
}

TEST_CASE("what is no source is refused with its reason") {
  CompilerFixture fixture;
  auto found = errors_of(fixture, request_for(std::string("__global__ void k() {}\nab\0c", 27)));
  CHECK(found[0].line == 2);
  CHECK(found[0].column == 3);
  CHECK(found[0].message.find("NUL") != std::string::npos);
  found = errors_of(fixture, request_for("// \xFF\n"));
  CHECK(found[0].line == 1);
  CHECK(found[0].column == 4);
  CHECK(found[0].message.find("UTF-8") != std::string::npos);
  found = errors_of(fixture, request_for(" \n\t\n"));
  CHECK(found[0].message.find("empty") != std::string::npos);
  found = errors_of(fixture, request_for(""));
  CHECK(found[0].message.find("empty") != std::string::npos);
  found = errors_of(fixture, request_for("__global__ void k() {}\n" + std::string(10'000'000, ' ')));
  CHECK(found[0].message.find("10,000,023") != std::string::npos);
}

TEST_CASE("a file without a kernel says so") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto found = errors_of(fixture, request_for("__device__ int f() { return 1; }\n"));
  CHECK(found[0].message.find("no kernel") != std::string::npos);
}

TEST_CASE("the log's forms are read") {
  const LogContext context{"#include \"lib/other.h\"\n#include <cuda/thing>\nline\n", "my.cu", "my.cu", {}};
  SECTION("a message of two lines, an instantiation, a number in brackets in the name") {
    const auto log = read_compile_log(
        "my.cu(3): error: no instance of \"f\" matches\n            argument types are: (int)\n  line\n    "
        "^\n"
        "          detected during instantiation of \"g\" at line 3\n\n1 error detected in ...\n",
        context);
    REQUIRE(log.diagnoses.size() == 1);
    CHECK(log.diagnoses[0].message == "no instance of \"f\" matches; argument types are: (int)");
    CHECK(log.diagnoses[0].column == 3);
    LogContext odd = context;
    odd.file_in_log = "a(1): b.cu";
    const auto oddly = read_compile_log("a(1): b.cu(3): error: e\n  line\n  ^\n", odd);
    REQUIRE(oddly.diagnoses.size() == 1);
    CHECK(oddly.diagnoses[0].line == 3);
    CHECK(oddly.diagnoses[0].file == "my.cu");
  }
  SECTION("errors of other headers go to the instantiation or to the include, their warnings nowhere") {
    const auto log = read_compile_log(
        "/opt/x/thing(90): error: inside\n  a\n  ^\n\n/opt/x/deep.h(7): error: deeper\n  a\n  ^\n"
        "          detected during instantiation of \"h\" at line 3 of my.cu\n\n/opt/x/other.h(1): warning "
        "#47-D: w\n  a\n  ^\n",
        context);
    REQUIRE(log.diagnoses.size() == 2);
    CHECK(log.diagnoses[0].line == 2);
    CHECK(log.diagnoses[0].column == 10);
    CHECK(log.diagnoses[0].message == "inside (in thing, line 90)");
    CHECK(log.diagnoses[1].line == 3);
  }
  SECTION("the end of the file, and the note that follows") {
    const auto log = read_compile_log(
        "At end of source: error: expected a \"}\"\nmy.cu(1): note #3196-D: to match this \"{\"\n  x\n  ^\n",
        context);
    REQUIRE(log.diagnoses.size() == 1);
    CHECK(log.diagnoses[0].line == 3);
    CHECK(log.diagnoses[0].hint.find("Line 1") != std::string::npos);
  }
  SECTION("include lines") {
    const auto includes =
        include_lines("// #include <no>\n  #  include <a/b.h> // x\n#include \"c\"\n#include M\n");
    REQUIRE(includes.size() == 2);
    CHECK(includes[0].name == "a/b.h");
    CHECK(includes[0].line == 2);
    CHECK(includes[1].quoted);
  }
}
