// What compilers and linkers say, in the learner's own files.
#include "catch.h"
#include "device/build_log.h"

using namespace warpbook;

namespace {

const std::string source = "#include <cstdio>\nint main() {\n  undefined_one();\n  int x = 1;\n}\n";

BuildLogContext context() {
  BuildLogContext made;
  made.source = source;
  made.shown = "main.cu";
  made.path = "/course/main.cu";
  made.own_folders = {"/course"};
  made.files = {{"/course/main.cu", "main.cu"}, {"/course/other.cpp", "src/other.cpp"}};
  return made;
}

}  // namespace

TEST_CASE("nvcc's own errors carry the learner's name of the file") {
  const auto found = read_build_log(
      "/course/main.cu(3): error: identifier \"undefined_one\" is undefined\n    undefined_one();\n    ^\n\n"
      "/course/main.cu(4): warning #177-D: variable \"x\" was declared but never referenced\n    int x = "
      "1;\n  "
      "      ^\n\n"
      "1 error detected in the compilation of \"/course/main.cu\".\n",
      context());
  REQUIRE(found.size() == 2);
  CHECK(found[0].kind == "compile-error");
  CHECK(found[0].file == "main.cu");
  CHECK(found[0].line == 3);
  CHECK(found[0].column == 3);
  CHECK(found[1].kind == "compile-warning");
  CHECK(found[1].severity == Severity::note);
  CHECK(found[1].line == 4);
}

TEST_CASE("the host compiler's errors are read, its notes are not") {
  const auto found = read_build_log(
      "/course/other.cpp: In function 'int f()':\n"
      "/course/other.cpp:7:10: error: 'y' was not declared in this scope\n    7 |   return y;\n      |       "
      "  "
      " ^\n"
      "/course/other.cpp:2:5: note: something else\n"
      "/usr/include/thing.h:9:1: warning: not ours\n",
      context());
  REQUIRE(found.size() == 1);
  CHECK(found[0].file == "src/other.cpp");
  CHECK(found[0].line == 7);
  CHECK(found[0].column == 10);
  CHECK(found[0].message == "'y' was not declared in this scope");
}

TEST_CASE("a missing header is named with what to do") {
  const auto found = read_build_log(
      "/course/main.cu:1:10: fatal error: helper_cuda.h: No such file or directory\n    1 | #include "
      "<helper_cuda.h>\n"
      "compilation terminated.\n",
      context());
  REQUIRE(found.size() == 1);
  CHECK(found[0].line == 1);
  CHECK(found[0].message == "there is no header \"helper_cuda.h\"");
  CHECK(found[0].hint.find("--include") != std::string::npos);
}

TEST_CASE("the linker's complaints become one sentence each") {
  const auto files = context().files;
  const auto undefined = read_link_log(
      "/usr/bin/ld: /tmp/a.o: in function `main':\n/course/main.cu:3: undefined reference to `helper(int)'\n"
      "/usr/bin/ld: /course/main.cu:4: undefined reference to `helper(int)'\ncollect2: error: ld returned 1 "
      "exit status\n",
      files);
  REQUIRE(undefined.size() == 2);
  CHECK(undefined[0].file == "main.cu");
  CHECK(undefined[0].line == 3);
  CHECK(undefined[0].message.find("helper(int)") == 0);

  const auto no_main = read_link_log(
      "/usr/bin/ld: /usr/lib/crt1.o: in function `_start':\n(.text+0x17): undefined reference to `main'\n",
      files);
  REQUIRE(no_main.size() == 1);
  CHECK(no_main[0].message.find("where a program starts") != std::string::npos);
  CHECK(no_main[0].file == "main.cu");

  const auto twice = read_link_log(
      "/usr/bin/ld: /tmp/b.o:/course/other.cpp:5: multiple definition of `size'; /tmp/a.o:/course/main.cu:2: "
      "first "
      "defined here\n",
      files);
  REQUIRE(twice.size() == 1);
  CHECK(twice[0].message == "size is defined more than once");
  CHECK(twice[0].file == "src/other.cpp");
  CHECK(twice[0].line == 5);

  const auto library =
      read_link_log("/usr/bin/ld: /course/main.cu:3: undefined reference to `cublasCreate_v2'\n", files);
  REQUIRE(library.size() == 1);
  CHECK(library[0].message.find("cuBLAS") != std::string::npos);
}
