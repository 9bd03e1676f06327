#include "lab/bind.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/complaint.h"
#include "base/text.h"
#include "lab/encode.h"

namespace warpbook {

namespace {

std::string without_blanks(std::string_view text) {
  std::string out(text);
  std::erase(out, ' ');
  return out;
}

std::string list_of(const SourceScan& scan) {
  std::vector<std::string> names;
  for (const KernelSource& kernel : scan.kernels)
    names.push_back(kernel.is_template ? kernel.qualified + "<...>" : kernel.qualified);
  return join(names, ", ");
}

std::string described(const KernelParameter& parameter, size_t index) {
  return parameter.name.empty() ? fmt::format("parameter {} ({})", index + 1, parameter.type)
                                : fmt::format("{} ({})", parameter.name, parameter.type);
}

std::string described(const ArgumentSpec& argument) {
  switch (argument.kind) {
    case ArgumentSpec::Kind::buffer: return fmt::format("a buffer of {}", name_of(argument.type));
    case ArgumentSpec::Kind::scalar: return fmt::format("a single {}", name_of(argument.type));
    case ArgumentSpec::Kind::structure: return "a struct";
    case ArgumentSpec::Kind::null: return "a null pointer";
  }
  return {};
}

/// i32 and u32, or u16 and f16, lie in memory alike as far as a host array goes.
bool compatible(ElementType given, ElementType wanted) {
  if (given == wanted) return true;
  if (bytes_of(given) != bytes_of(wanted)) return false;
  if (bytes_of(given) == 2) return is_float(given) != is_float(wanted) || !is_float(given);
  return is_float(given) == is_float(wanted);
}

Diagnosis about(Severity severity, const char* kind, const KernelChoice& kernel, const std::string& file,
                const std::string& argument) {
  Diagnosis diagnosis;
  diagnosis.severity = severity;
  diagnosis.kind = kind;
  diagnosis.file = file;
  diagnosis.line = kernel.source.line;
  diagnosis.access = "launch";
  diagnosis.buffer = argument;
  return diagnosis;
}

Diagnosis wrong_number(const KernelChoice& kernel, size_t parameters, std::span<const ArgumentSpec> arguments,
                       const std::string& file) {
  Diagnosis diagnosis = about(Severity::error, "bad-argument", kernel, file, {});
  std::vector<std::string> names;
  for (const ArgumentSpec& argument : arguments) names.push_back(argument.name);
  const bool known = kernel.parameters.size() == parameters;
  const std::string signature = known ? signature_of(kernel.source) : kernel.name;
  const std::string given = names.empty() ? std::string("none is given")
                                          : fmt::format("{} {} given: {}", names.size(),
                                                        names.size() == 1 ? "is" : "are", join(names, ", "));
  diagnosis.message = fmt::format("{} takes {} argument{}, but {}.", signature, parameters,
                                  parameters == 1 ? "" : "s", given);
  if (arguments.size() < parameters && known) {
    std::vector<std::string> missing;
    for (size_t i = arguments.size(); i < parameters; ++i)
      missing.push_back(described(kernel.parameters[i], i));
    diagnosis.buffer = kernel.parameters[arguments.size()].name;
    diagnosis.hint = fmt::format("Nothing is given for {}. Arguments come in the order of the parameters.",
                                 join(missing, ", "));
  } else if (arguments.size() > parameters) {
    diagnosis.buffer = names[parameters];
    diagnosis.hint = fmt::format("There is no parameter for {}.", names[parameters]);
  }
  return diagnosis;
}

}  // namespace

Result<KernelChoice> choose_kernel(const SourceScan& scan, const std::string& wanted,
                                   const std::string& file) {
  const auto bad = [&](std::string message, std::string hint = {}) {
    return complaint(std::move(message), std::move(hint), {file, 0, 0});
  };
  if (scan.kernels.empty())
    return bad("there is no kernel in this file", "a kernel is a function that starts with __global__ void");
  const KernelSource* found = nullptr;
  if (wanted.empty()) {
    if (scan.kernels.size() > 1)
      return bad(fmt::format("the file has several kernels: {}", list_of(scan)),
                 "say which with --kernel NAME, or with a line // kernel: NAME on top of the file");
    found = &scan.kernels[0];
  } else {
    const std::string plain = without_blanks(wanted.substr(0, wanted.find('<')));
    std::vector<std::string> names;
    for (const KernelSource& kernel : scan.kernels) {
      names.push_back(kernel.name);
      if (kernel.qualified == plain || (!found && kernel.name == plain)) found = &kernel;
    }
    if (!found) {
      const auto close = nearest_word(plain, names);
      return bad(fmt::format("there is no kernel called {}; the file has: {}", wanted, list_of(scan)),
                 close ? fmt::format("did you mean {}?", *close) : std::string{});
    }
  }
  const size_t angle = wanted.find('<');
  const bool all_default = std::all_of(found->template_parameters.begin(), found->template_parameters.end(),
                                       [](const auto& parameter) { return !parameter.second.empty(); });
  if (found->is_template && angle == std::string::npos && !all_default)
    return bad(fmt::format("{} is a template and needs its arguments", found->name),
               fmt::format("for example --kernel '{}<float>'", found->name));
  if (!found->is_template && angle != std::string::npos)
    return bad(fmt::format("{} is no template", found->name));
  KernelChoice choice;
  choice.source = *found;
  const std::string template_arguments = angle != std::string::npos ? wanted.substr(angle)
                                         : found->is_template       ? std::string("<>")
                                                                    : std::string{};
  choice.name = wanted.empty() ? found->name + template_arguments : wanted;
  if (!found->extern_c) choice.expression = found->qualified + template_arguments;
  choice.parameters = parameters_of(*found, choice.name);
  return choice;
}

std::vector<Diagnosis> check_arguments(const KernelChoice& kernel, const KernelInfo& info,
                                       std::span<const ArgumentSpec> arguments, const std::string& file) {
  std::vector<Diagnosis> found;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto same = [&](const ArgumentSpec& other) { return other.name == arguments[i].name; };
    if (std::none_of(arguments.begin(), arguments.begin() + std::ptrdiff_t(i), same)) continue;
    found.push_back(about(Severity::error, "bad-argument", kernel, file, arguments[i].name));
    found.back().message = fmt::format("Two arguments are called {}.", arguments[i].name);
  }
  if (arguments.size() != info.parameters.size()) {
    found.push_back(wrong_number(kernel, info.parameters.size(), arguments, file));
    return found;
  }
  const bool scanned = kernel.parameters.size() == info.parameters.size();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ArgumentSpec& argument = arguments[i];
    const simt::ParameterInfo& compiled = info.parameters[i];
    const KernelParameter unknown{{}, fmt::format("{} bytes", compiled.bytes), compiled.is_pointer, {}};
    const KernelParameter& parameter = scanned ? kernel.parameters[i] : unknown;
    const bool address =
        argument.kind == ArgumentSpec::Kind::buffer || argument.kind == ArgumentSpec::Kind::null;
    const auto add = [&](Severity severity, const char* kind) -> Diagnosis& {
      found.push_back(about(severity, kind, kernel, file, argument.name));
      return found.back();
    };
    // A typedef may hide a pointer; then only the size can tell.
    const bool pointer =
        parameter.pointer || (compiled.bytes == 8 && compiled.is_pointer && !parameter.element);
    if (address && !pointer) {
      Diagnosis& d = add(Severity::error, "bad-argument");
      d.message = fmt::format("{} is {}, but the kernel's {} is no pointer.", argument.name,
                              described(argument), described(parameter, i));
      d.hint = parameter.element
                   ? fmt::format("Write {}={}:VALUE.", argument.name, name_of(*parameter.element))
                   : fmt::format("Write {}=struct:HEX.", argument.name);
    } else if (!address && parameter.pointer) {
      Diagnosis& d = add(Severity::error, "bad-argument");
      d.message = fmt::format("{} is {}, but the kernel's {} is a pointer.", argument.name,
                              described(argument), described(parameter, i));
      d.hint = fmt::format("Write {}=buf:{}[COUNT]:INIT, or {}=null.", argument.name,
                           parameter.element ? name_of(*parameter.element) : std::string_view("TYPE"),
                           argument.name);
    } else if (argument.bytes.size() > compiled.bytes && argument.kind == ArgumentSpec::Kind::structure) {
      Diagnosis& d = add(Severity::error, "bad-argument");
      d.message = fmt::format("{} has {} bytes, but the kernel's {} has {}.", argument.name,
                              argument.bytes.size(), described(parameter, i), compiled.bytes);
    } else if (argument.kind == ArgumentSpec::Kind::buffer && parameter.element &&
               !compatible(argument.type, *parameter.element)) {
      Diagnosis& d = add(Severity::warning, "arg-type-mismatch");
      d.message = fmt::format("{} holds {}, but the kernel reads it through {}: its bytes are taken for {}.",
                              argument.name, name_of(argument.type), described(parameter, i),
                              name_of(*parameter.element));
      d.hint = fmt::format("Give {} as buf:{}[COUNT]:INIT, or change the parameter's type.", argument.name,
                           name_of(*parameter.element));
    } else if (argument.kind == ArgumentSpec::Kind::scalar &&
               (parameter.element ? bytes_of(argument.type) != bytes_of(*parameter.element) ||
                                        is_float(argument.type) != is_float(*parameter.element)
                                  : bytes_of(argument.type) != compiled.bytes)) {
      Diagnosis& d = add(Severity::warning, "arg-type-mismatch");
      const std::string wanted =
          parameter.element ? std::string(name_of(*parameter.element)) : parameter.type;
      d.message = fmt::format("{} is {}, but the kernel's {} is {}: its bits are passed as they are.",
                              argument.name, described(argument), described(parameter, i), wanted);
      if (parameter.element) d.hint = fmt::format("Write {}={}:VALUE.", argument.name, wanted);
    }
  }
  return found;
}

}  // namespace warpbook
