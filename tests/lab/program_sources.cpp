// What a program's text adds to its tape: the learner's names, kernels' lines, clocks.
#include "lab/program_sources.h"

#include "catch.h"
#include "made_tape.h"

using namespace warpbook;

TEST_CASE("allocations are called as the learner calls them") {
  const std::string text =
      "int main() {\n"
      "  float *d_a, *d_b, *parts[2];\n"
      "  cudaMalloc(&d_a, 4 * n);\n"
      "  CHECK(cudaMalloc((void**)&d_b, bytes));\n"
      "  for (int i = 0; i < 2; ++i) cudaMalloc(reinterpret_cast<void**>(&parts[i]), bytes);\n"
      "  cudaMalloc<float>(&d_a, 1); cudaMalloc(&box->data, size(1, 2));\n"
      "  make(p);\n"
      "}\n"
      "void make(float** p) { cudaMalloc(p, 4); }\n";
  MadeTape tape;
  for (const int line : {3, 4, 5, 5, 6, 6, 9}) tape.add("cudaMalloc", line);
  read_sources(tape.program, {{"main.cu", text}});
  const auto& names = tape.program.names;
  CHECK(names.at(1) == "d_a");
  CHECK(names.at(2) == "d_b");
  CHECK(names.at(3) == "parts[i]");
  CHECK(names.at(4) == "parts[i]");
  CHECK(names.at(5) == "d_a");
  CHECK(names.at(6) == "box->data");
  CHECK(names.at(7) == "*p");
  CHECK(tape.program.name_of(2) == "d_b");
}

TEST_CASE("kernels' lines and the lines that read a clock") {
  MadeTape tape;
  read_sources(tape.program,
               {{"main.cu",
                 "template <class T>\n__global__ void scale(T* x) { x[0] = 1; }\n"
                 "__global__ void later(int*);\n"
                 "void f() {\n  auto a = std::chrono::steady_clock::now();\n  g(clock());\n}\n"}});
  CHECK(tape.program.kernels.at("scale").line == 2);
  CHECK(tape.program.kernels.count("later") == 0);
  CHECK(tape.program.clocks.at("main.cu") == std::vector<int>{5, 6});
}

TEST_CASE("arguments of a launch get the kernel's own names, and so does the memory in its diagnoses") {
  MadeTape tape;
  const uint64_t a = tape.allocate("d_a", 4000, 10);
  TapeRow& row = tape.launch("math::add<float>", 14);
  row.arguments = {{"1", "0x1000"}, {"2", "1000"}};
  row.places = {tape.device("1", a)};
  Diagnosis stray;
  stray.buffer = "allocation 1";
  stray.message = "Thread 0 reads allocation 1[1000], but allocation 1 has 1000 elements.";
  row.launch->diagnostics = {stray};
  read_sources(
      tape.program,
      {{"main.cu", "template <class T>\n__global__ void add(T* values, int n) { values[0] = n; }\n"}});
  const TapeRow& read = tape.program.tape.rows[1];
  CHECK(read.arguments[0].name == "values");
  CHECK(read.arguments[1].name == "n");
  CHECK(read.places[0].argument == "values");
  CHECK(read.launch->diagnostics[0].buffer == "values");
  CHECK(read.launch->diagnostics[0].message == "Thread 0 reads values[1000], but values has 1000 elements.");
}

TEST_CASE("an allocation without a name is known by its line") {
  MadeTape tape;
  tape.add("cudaMalloc", 12);
  CHECK(tape.program.name_of(1) == "the memory of line 12");
  CHECK(tape.program.name_of(7) == "memory");
}
