// One function an object of the format (labs, controls, views, exercises, checks).
#include "lesson/lesson_loader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lesson/reading.h"

namespace warpbook {

namespace {

constexpr int64_t control_limit = int64_t{1} << 40;

bool is_identifier(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool is_dimension(std::string_view name) {
  return name.size() > 2 && (starts_with(name, "grid.") || starts_with(name, "block.")) &&
         std::string_view("xyz").find(name.back()) != std::string_view::npos &&
         name[name.size() - 2] == '.' && (name.size() == 6 || name.size() == 7);
}

/// A file in one folder: no way out of it.
std::string read_file_name(const JsonNode& node) {
  const std::string name = node.text();
  if (node.present() && (name.empty() || name.find('/') != std::string::npos ||
                         name.find('\\') != std::string::npos || name[0] == '.')) {
    node.fail(fmt::format("\"{}\" is no file name.", name));
  }
  return name;
}

std::vector<std::string> read_dimensions(const JsonNode& node) {
  std::vector<std::string> dimensions;
  if (!node.present()) return dimensions;
  if (node.is_text() || node.is_number()) return {read_expression(node)};
  for (const JsonNode& item : node.items()) dimensions.push_back(read_expression(item));
  if (dimensions.empty() || dimensions.size() > 3) node.fail("expected one to three dimensions.");
  return dimensions;
}

std::vector<std::string> read_args(const JsonNode& node) {
  std::vector<std::string> args;
  for (const JsonNode& item : list_or_nothing(node)) {
    args.push_back(item.text());
    const size_t equals = args.back().find('=');
    if (equals == std::string::npos || !is_identifier(std::string_view(args.back()).substr(0, equals))) {
      item.fail(fmt::format("\"{}\" is no argument; expected NAME=TYPE:VALUE or NAME=buf:TYPE[COUNT]:INIT.",
                            args.back()));
    }
    read_filled_text(item);  // for the braces
  }
  return args;
}

/// Arguments of a program's main: any text, with {expressions}.
std::vector<std::string> read_program_arguments(const JsonNode& node) {
  std::vector<std::string> args;
  for (const JsonNode& item : list_or_nothing(node)) {
    args.push_back(item.text());
    read_filled_text(item);  // for the braces
  }
  return args;
}

Control read_control(const std::string& name, const JsonNode& node) {
  JsonObject object(node);
  Control control;
  control.name = name;
  if (!is_identifier(name) && !is_dimension(name)) {
    node.fail(
        fmt::format("\"{}\" is no control; expected an identifier, grid.x or block.x (or .y, .z).", name));
  }
  control.label = object.need("label", "the words beside the control").local_text();
  control.help = object.get("help").local_text();
  for (const JsonNode& choice : list_or_nothing(object.get("choices"))) {
    if (!choice.is_object()) {
      control.choices.push_back(choice.integer(0, -control_limit, control_limit));
      control.choice_labels.emplace_back();
      continue;
    }
    JsonObject labelled(choice);
    control.choices.push_back(
        labelled.need("value", "a whole number").integer(0, -control_limit, control_limit));
    control.choice_labels.push_back(labelled.need("label", "a text").local_text());
    labelled.finish();
  }
  const JsonNode min = object.get("min"), max = object.get("max"),
                 value = object.need("value", "where it starts");
  if (control.choices.empty()) {
    if (!min.present() || !max.present()) node.fail("expected \"min\" and \"max\", or \"choices\".");
    control.min = min.integer(0, -control_limit, control_limit);
    control.max = max.integer(0, control.min, control_limit);
    control.value = value.integer(control.min, control.min, std::max(control.min, control.max));
  } else {
    if (min.present() || max.present())
      node.fail("\"choices\" already say which values there are; leave out min and max.");
    const auto [least, most] = std::minmax_element(control.choices.begin(), control.choices.end());
    control.min = *least;
    control.max = *most;
    control.value = value.integer(control.choices[0], -control_limit, control_limit);
    if (std::find(control.choices.begin(), control.choices.end(), control.value) == control.choices.end()) {
      value.fail("expected one of the choices.");
    }
  }
  control.step = object.get("step").integer(1, 1, control_limit);
  const JsonNode scale = object.get("scale");
  control.scale = scale.text();
  if (!control.scale.empty() && control.scale != "log2")
    scale.fail("expected \"log2\", or nothing for a linear scale.");
  const JsonNode define = object.get("define");
  control.define = define.boolean(false);
  if (control.define && !is_identifier(name)) define.fail("a define needs a name that C++ takes.");
  const JsonNode scale_by = object.get("scale_by");
  control.scale_by = scale_by.number(1);
  if (control.scale_by == 0) scale_by.fail("expected a number other than 0.");
  control.unit = object.get("unit").text();
  object.finish();
  return control;
}

ViewSpec read_view(const JsonNode& node) {
  ViewSpec view;
  bool has_type = false;
  for (const auto& [key, value] : node.members()) {
    if (key == "type") {
      view.type = value.text();
      has_type = true;
      check_name(view.type, value);
    } else if (key == "title") {
      view.title = value.local_text();
    } else {
      view.options.emplace_back(key, value.dump());
    }
  }
  if (!has_type && node.is_object()) node.fail("\"type\" is missing; expected a view such as \"numbers\".");
  return view;
}

Lab read_lab(const std::string& name, const JsonNode& node) {
  JsonObject object(node);
  Lab lab;
  lab.name = name;
  lab.title = object.get("title").local_text();
  const JsonNode kernel = object.get("kernel"), variants = object.get("variants");
  lab.kernel = read_file_name(kernel);
  if (variants.present()) {
    for (const auto& [label, file] : variants.members())
      lab.variants.emplace_back(label, read_file_name(file));
    if (lab.variants.empty()) variants.fail("expected at least one kernel.");
    if (!kernel.present() && !lab.variants.empty()) lab.kernel = lab.variants[0].second;
  } else if (!kernel.present() && node.is_object()) {
    node.fail("\"kernel\" is missing; expected a file in the lesson's folder of kernels.");
  }
  lab.entry = object.get("entry").text();
  lab.program = object.get("program").boolean(false);
  const JsonNode args = object.need("args", "a list of arguments");
  lab.args = lab.program ? read_program_arguments(args) : read_args(args);
  const JsonNode launch = object.get("launch");
  if (launch.present()) {
    JsonObject shape(launch);
    lab.grid = read_dimensions(shape.get("grid"));
    lab.block = read_dimensions(shape.get("block"));
    lab.shared = read_expression(shape.get("shared"));
    shape.finish();
  }
  const JsonNode controls = object.get("controls");
  if (controls.present()) {
    for (const auto& [control, value] : controls.members())
      lab.controls.push_back(read_control(control, value));
  }
  for (const Control& control : lab.controls) {
    const bool both = is_dimension(control.name) && (control.name[0] == 'g' ? lab.grid : lab.block).size() >
                                                        size_t(control.name.back() - 'x');
    if (both) launch.fail(fmt::format("{} is set by a control already.", control.name));
  }
  for (const JsonNode& view : object.need("views", "a list of views").items())
    lab.views.push_back(read_view(view));
  object.finish();
  return lab;
}

const std::vector<std::string> kernel_checks = {"results", "no-diagnoses", "schedules", "counter"};
const std::vector<std::string> program_checks = {"output", "calls", "sizes", "no-diagnoses", "survives"};

Check read_check(const JsonNode& node, bool program) {
  JsonObject object(node);
  Check check;
  const JsonNode kind = object.need("check", "the name of a check");
  check.check = kind.text();
  const auto& known = program ? program_checks : kernel_checks;
  if (std::find(known.begin(), known.end(), check.check) == known.end())
    kind.fail(fmt::format("expected one of: {}.", join({known.begin(), known.end()}, ", ")));
  if (check.check == "results") {
    check.buffers = object.need("buffers", "a list of buffers").texts();
    check.abs = read_margin(object.get("abs"));
    check.rel = read_margin(object.get("rel"));
    check.differing_share = read_margin(object.get("differing_share"));
  } else if (check.check == "schedules") {
    check.count = int(object.need("count", "how many schedules").integer(1, 1, 4096));
  } else if (check.check == "counter") {
    check.name = object.need("name", "a counter's name").text();
    const auto bound = [&](std::string_view key, std::optional<double>& number, std::string& expression) {
      const JsonNode value = object.get(key);
      if (value.is_number())
        number = value.number(0);
      else if (value.present())
        expression = read_expression(value);
      return value.present();
    };
    const bool above = bound("at_most", check.at_most, check.at_most_expression);
    const bool below = bound("at_least", check.at_least, check.at_least_expression);
    if (!above && !below && node.is_object()) node.fail("a counter check needs at_most or at_least.");
  } else if (check.check == "calls") {
    const JsonNode order = object.need("order", "a list of calls, in their order");
    check.order = order.texts();
    if (order.present() && check.order.empty()) order.fail("expected at least one call.");
  } else if (check.check == "survives") {
    const JsonNode fail = object.need("fail", "a failure such as cudaMalloc:1:2");
    check.name = fail.text();
    if (fail.present() && split(check.name, ':').size() != 3) fail.fail("expected CALL:NTH:CODE.");
  }
  object.finish();
  return check;
}

void read_exercise_launch(const JsonNode& node, Exercise& exercise) {
  JsonObject shape(node);
  exercise.grid = read_dimensions(shape.need("grid", "one to three expressions"));
  const JsonNode block = shape.need("block", "a list of block shapes");
  for (const JsonNode& item : block.items()) {
    std::vector<int64_t> dimensions;
    if (item.is_array()) {
      for (const JsonNode& axis : item.items()) dimensions.push_back(axis.integer(1, 1, 1024));
    } else {
      dimensions.push_back(item.integer(1, 1, 1024));
    }
    if (dimensions.empty() || dimensions.size() > 3) item.fail("expected one to three dimensions.");
    exercise.blocks.push_back(std::move(dimensions));
  }
  if (block.present() && exercise.blocks.empty()) block.fail("expected at least one block shape.");
  exercise.shared = read_expression(shape.get("shared"));
  shape.finish();
}

std::vector<std::pair<std::string, int64_t>> read_numbers(const JsonNode& node) {
  std::vector<std::pair<std::string, int64_t>> numbers;
  if (!node.present()) return numbers;
  for (const auto& [name, value] : node.members()) {
    if (!is_identifier(name)) value.fail(fmt::format("\"{}\" is no identifier.", name));
    numbers.emplace_back(name, value.integer(0, -control_limit, control_limit));
  }
  return numbers;
}

Exercise::Expect read_expect(const JsonNode& node) {
  JsonObject object(node);
  Exercise::Expect expect;
  expect.sizes = read_numbers(object.need("sizes", "the sizes that it holds for"));
  expect.buffer = object.need("buffer", "a buffer").text();
  for (const JsonNode& value : object.need("values", "the first elements").items()) {
    expect.values.push_back(value.number(0));
  }
  object.finish();
  return expect;
}

/// A whole program has its sizes and launches in its own text.
void read_program_exercise(JsonObject& object, Exercise& exercise) {
  exercise.task = object.need("task", "what is to be done").local_text();
  for (const JsonNode& run : list_or_nothing(object.get("runs"))) exercise.runs.push_back(run.texts());
  if (exercise.runs.empty()) exercise.runs.emplace_back();
  const JsonNode checks = object.need("checks", "a list of checks");
  for (const JsonNode& check : checks.items()) exercise.checks.push_back(read_check(check, true));
  if (checks.present() && exercise.checks.empty()) checks.fail("expected at least one check.");
  for (const JsonNode& hint : list_or_nothing(object.get("hints")))
    exercise.hints.push_back(hint.local_text());
  object.finish();
}

Exercise read_exercise(const std::string& name, const JsonNode& node) {
  JsonObject object(node);
  Exercise exercise;
  exercise.name = name;
  exercise.title = object.get("title").local_text();
  exercise.program = object.get("program").boolean(false);
  if (exercise.program) {
    read_program_exercise(object, exercise);
    return exercise;
  }
  exercise.kernel = object.need("kernel", "the kernel's name in the .cu files").text();
  exercise.task = object.need("task", "what is to be done").local_text();
  exercise.signature = object.get("signature").text();
  const JsonNode launch = object.need("launch", "an object with grid and block");
  if (launch.present()) read_exercise_launch(launch, exercise);
  exercise.args = read_args(object.need("args", "a list of arguments"));
  const JsonNode sizes = object.need("sizes", "an object of lists");
  if (sizes.present()) {
    for (const auto& [size, values] : sizes.members()) {
      if (!is_identifier(size)) values.fail(fmt::format("\"{}\" is no identifier.", size));
      std::vector<int64_t> numbers;
      for (const JsonNode& value : values.items())
        numbers.push_back(value.integer(1, -control_limit, control_limit));
      if (numbers.empty()) values.fail("expected at least one size.");
      if (!exercise.sizes.empty() && exercise.sizes[0].second.size() != numbers.size()) {
        values.fail(fmt::format("expected {} sizes, as many as \"{}\" has: they are taken together.",
                                exercise.sizes[0].second.size(), exercise.sizes[0].first));
      }
      exercise.sizes.emplace_back(size, std::move(numbers));
    }
  }
  exercise.defines = read_numbers(object.get("defines"));
  const JsonNode checks = object.need("checks", "a list of checks");
  for (const JsonNode& check : checks.items()) exercise.checks.push_back(read_check(check, false));
  if (checks.present() && exercise.checks.empty()) checks.fail("expected at least one check.");
  for (const JsonNode& hint : list_or_nothing(object.get("hints")))
    exercise.hints.push_back(hint.local_text());
  for (const JsonNode& expect : list_or_nothing(object.get("expect")))
    exercise.expect.push_back(read_expect(expect));
  object.finish();
  return exercise;
}

}  // namespace

void read_lesson(JsonReader& reader, Lesson& lesson) {
  JsonObject root(reader.root());
  root.get("$schema").text();
  lesson.title = root.need("title", "a text").local_text();
  lesson.summary = root.need("summary", "a text").local_text();
  const JsonNode needs = root.get("needs");
  for (const JsonNode& need : list_or_nothing(needs)) {
    lesson.needs.push_back(need.text());
    if (lesson.needs.back() == lesson.slug) need.fail("a lesson cannot need itself.");
  }
  lesson.minutes = int(root.get("minutes").integer(0, 0, 10000));
  for (const JsonNode& source : list_or_nothing(root.get("sources"))) lesson.sources.push_back(source.text());
  const JsonNode labs = root.get("labs"), exercises = root.get("exercises");
  if (labs.present()) {
    for (const auto& [name, node] : labs.members()) {
      check_name(name, node);
      lesson.labs.push_back(read_lab(name, node));
    }
  }
  if (exercises.present()) {
    for (const auto& [name, node] : exercises.members()) {
      check_name(name, node);
      lesson.exercises.push_back(read_exercise(name, node));
    }
  }
  root.finish();
}

}  // namespace warpbook
