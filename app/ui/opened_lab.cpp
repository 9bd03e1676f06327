// Launches of whole programs as labs of their own: a program's tape names one, and it stands among the
// lesson's labs until it is closed, with its kernel, its launch's numbers as controls, and what it found as
// its memory.
#include <fmt/format.h>

#include <algorithm>

#include "lab/opened_launch.h"
#include "ui/workbook.h"

namespace warpbook::ui {

namespace {

constexpr const char* opened_name = "opened-launch";

LocalText english(std::string text) { return LocalText{{{"en", std::move(text)}}}; }

Control size_control(const std::string& name, const std::string& label, uint32_t value, int64_t most) {
  Control control;
  control.name = name;
  control.label = english(label);
  control.min = 1;
  control.max = std::max<int64_t>(most, value);
  control.value = value;
  return control;
}

/// A control for each size that the launch uses; those that are 1 in y and z stay 1.
void add_sizes(Lab& lab, const char* what, const char* label, const Dim3& size, int64_t most_x,
               int64_t most_other) {
  const auto name = [&](const char* axis) { return fmt::format("{}.{}", what, axis); };
  const bool flat = size.y == 1 && size.z == 1;
  lab.controls.push_back(size_control(name("x"), flat ? label : fmt::format("{}, x", label), size.x, most_x));
  if (!flat) lab.controls.push_back(size_control(name("y"), fmt::format("{}, y", label), size.y, most_other));
  if (size.z > 1)
    lab.controls.push_back(size_control(name("z"), fmt::format("{}, z", label), size.z, most_other));
}

Lab lab_of_launch(const OpenedLaunch& opened) {
  Lab lab;
  lab.name = opened_name;
  lab.title = english(fmt::format("{}, line {}", opened.kernel, opened.line));
  lab.kernel = Path(opened.file).filename().string();
  lab.entry = opened.kernel;
  const Launch& launch = opened.launch;
  add_sizes(lab, "grid", "Blocks", launch.grid, 4 * int64_t(launch.grid.x), 4 * int64_t(launch.grid.y));
  add_sizes(lab, "block", "Threads a block", launch.block, 1024, 1024);
  if (launch.shared_bytes > 0) {
    Control shared = size_control("shared", "Shared memory", launch.shared_bytes, 48 << 10);
    shared.min = 0;
    shared.unit = "bytes";
    lab.controls.push_back(std::move(shared));
    lab.shared = "shared";
  }
  // What the kernel writes is worth a map: the first pointer that is not to constants.
  std::vector<std::pair<std::string, std::string>> mapped;
  for (const KernelParameter& parameter : opened.parameters)
    if (mapped.empty() && parameter.pointer && parameter.type.find("const") == std::string::npos)
      mapped.emplace_back("buffer", "\"" + parameter.name + "\"");
  lab.views = {
      {"thread-map", {}, std::move(mapped)},
      {"warp-lanes", {}, {}},
      {"sector-map", {}, {}},
      {"numbers",
       {},
       {{"show", R"(["threads", "warps", "active_lane_share", "warp_instructions", "divergent_branches", )"
                 R"("global_load_requests", "global_load_sectors_per_request", "global_store_requests", )"
                 R"("global_store_sectors_per_request"])"}}},
      {"lines", english("Code"), {}}};
  return lab;
}

}  // namespace

uint64_t openable_row(const Lesson& lesson, const Lab& lab, const LabState& state) {
  if (!lab.program || !state.launches || !state.result || state.stale || lesson.slug.empty()) return 0;
  if (size_t(state.tab) >= state.views.size() || state.launches->program != state.result->program) return 0;
  const auto found = state.views[size_t(state.tab)].numbers.find("launch");
  const uint64_t row = found == state.views[size_t(state.tab)].numbers.end() ? 0 : uint64_t(found->second);
  const TapeRow* launch = row ? state.result->program->tape.row(row) : nullptr;
  return launch && state.launches->captured.of(*launch) ? row : 0;
}

void open_launch_of(Workbook& book, const Lesson& lesson, const Lab& lab, uint64_t row) {
  book.launch_wanted = LaunchWanted{lesson.slug, lab.name, row};
}

void close_launch(Workbook& book, const Lesson& lesson) {
  book.launch_wanted = LaunchWanted{lesson.slug, {}, 0};
}

void renew_opened_labs(Workbook& book) {
  const std::optional<LaunchWanted> wanted = std::exchange(book.launch_wanted, std::nullopt);
  auto library = std::make_shared<Library>(*book.library);
  bool changed = false;
  for (Lesson& lesson : library->lessons) {
    const auto known = book.lessons.find(lesson.slug);
    if (known == book.lessons.end()) continue;
    LessonState& state = known->second;
    const auto old = std::find_if(lesson.labs.begin(), lesson.labs.end(),
                                  [](const Lab& lab) { return lab.name == opened_name; });
    if (old != lesson.labs.end()) {
      lesson.labs.erase(old);
      changed = true;
    }
    if (wanted && wanted->lesson == lesson.slug) {
      const std::string from = state.labs[opened_name].opened_from;
      const LabState& of = state.labs[wanted->lab];
      auto opened = wanted->row && of.launches ? open_launch(of.launches->captured, of.launches->order,
                                                             *of.launches->program, wanted->row)
                                               : Result<std::shared_ptr<const OpenedLaunch>>(nullptr);
      if (!opened) {
        say(book, opened.error().message);
        continue;
      }
      if (!*opened) {
        if (state.bench == opened_name) state.bench = from;
        state.labs.erase(opened_name);
        continue;
      }
      LabState fresh;
      fresh.generation = state.labs[opened_name].generation;
      fresh.opened = *opened;
      fresh.opened_from = wanted->lab;
      state.labs[opened_name] = std::move(fresh);
      state.bench = opened_name;
      state.bench_is_exercise = false;
    }
    const auto shown = state.labs.find(opened_name);
    if (shown == state.labs.end() || !shown->second.opened) continue;
    const Lab* program = lesson.lab(shown->second.opened_from);
    if (!program) continue;
    Lab lab = lab_of_launch(*shown->second.opened);
    const auto place = std::find_if(lesson.labs.begin(), lesson.labs.end(),
                                    [&](const Lab& one) { return one.name == program->name; });
    lesson.labs.insert(place + 1, std::move(lab));
    changed = true;
  }
  if (!changed) return;
  book.library = std::move(library);
  const Lesson* lesson = wanted && wanted->row ? book.library->lesson(wanted->lesson) : nullptr;
  const Lab* lab = lesson ? lesson->lab(opened_name) : nullptr;
  if (!lab) return;
  LabState& state = lab_state(book, *lesson, *lab);
  // The code is the text that the program was built from, which may be the learner's own.
  const std::string& text = state.opened->source;
  const auto file = read_file(lesson->kernels / lab->kernel, 1u << 20);
  state.code.set(text);
  state.code_file = lab->kernel;
  state.code_changed = !file || *file != text;
  request_run(book, *lesson, *lab);
}

}  // namespace warpbook::ui
