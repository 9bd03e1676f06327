#include "cli/lesson_template.h"

namespace warpbook::cli {

namespace {

constexpr const char* page = R"text(# @TITLE@

Say in two or three sentences what the reader will be able to do at the end.

```lab first
```

Every thread adds one to its own element. Turn the block size and watch which threads have none.

```quiz threads
```

```exercise add-two
```
)text";

constexpr const char* lesson = R"text({
  "$schema": "../lesson.schema.json",
  "title": "@TITLE@",
  "summary": "One sentence for the contents.",
  "needs": [],
  "minutes": 15,
  "labs": {
    "first": {
      "title": "One element a thread",
      "kernel": "add_one.cu",
      "args": ["out=buf:i32[{n}]:uninit", "a=buf:i32[{n}]:iota", "n=i32:{n}"],
      "controls": {
        "n": {"label": "Elements", "min": 1, "max": 4096, "value": 1000},
        "grid.x": {"label": "Blocks", "min": 1, "max": 256, "value": 8},
        "block.x": {"label": "Threads a block", "min": 1, "max": 1024, "value": 128}
      },
      "views": [
        {"type": "thread-map", "buffer": "out"},
        {"type": "numbers", "show": ["threads", "blocks", "global_load_sectors_per_request"]}
      ]
    }
  },
  "exercises": {
    "add-two": {
      "title": "Add two",
      "kernel": "add_two",
      "task": "`out[i]` becomes `a[i] + 2`, for any `n` and any block size.",
      "signature": "extern \"C\" __global__ void add_two(int* out, const int* a, int n)",
      "launch": {"grid": ["ceil_div(n, block)"], "block": [1, 32, 100, 256]},
      "args": ["out=buf:i32[{n}]:uninit", "a=buf:i32[{n}]:random(7,-1000,1000)", "n=i32:{n}"],
      "sizes": {"n": [1, 31, 33, 255, 1000]},
      "checks": [
        {"check": "results", "buffers": ["out"], "abs": 0, "rel": 0},
        {"check": "no-diagnoses"},
        {"check": "schedules", "count": 16}
      ],
      "hints": ["Which element belongs to this thread?", "Does every thread have one?", "if (i < n) out[i] = a[i] + 2;"]
    }
  }
}
)text";

constexpr const char* quiz = R"text({
  "$schema": "quiz.schema.json",
  "questions": {
    "threads": {
      "type": "number",
      "lab": "first",
      "text": "{grid.x} blocks of {block.x} threads: how many threads start?",
      "answer": "grid.x * block.x",
      "because": "Every block starts all of its threads.",
      "verify": {"lab": "first", "counter": "threads"},
      "misses": [{"when": "n", "because": "Blocks are whole; the threads past the last element start as well."}]
    }
  }
}
)text";

constexpr const char* kernel = R"text(// Adds one to every element.

extern "C" __global__ void add_one(int* out, const int* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + 1;
}
)text";

constexpr const char* starter = R"text(extern "C" __global__ void add_two(int* out, const int* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // Yours: out[i] becomes a[i] + 2.
}
)text";

constexpr const char* solution = R"text(extern "C" __global__ void add_two(int* out, const int* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + 2;
}
)text";

constexpr const char* wrong = R"text(// fails: oob-read
extern "C" __global__ void add_two(int* out, const int* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] + 2;
}
)text";

}  // namespace

const std::vector<TemplateFile>& lesson_template() {
  static const std::vector<TemplateFile> files = {
      {"kernels/SLUG/add_one.cu", kernel},
      {"kernels/SLUG/add-two/exercise.cu", starter},
      {"kernels/SLUG/add-two/solution.cu", solution},
      {"kernels/SLUG/add-two/wrong/no_guard.cu", wrong},
      {"quizzes/SLUG.json", quiz},
      {"lessons/SLUG/lesson.md", page},
      // Last: a lesson is there once this file is.
      {"lessons/SLUG/lesson.json", lesson},
  };
  return files;
}

}  // namespace warpbook::cli
