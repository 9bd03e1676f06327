// CBOR in both directions; binary parts stay binary.
#include "device/cuda_message.h"

#include <nlohmann/json.hpp>

namespace warpbook::cuda {

namespace {

using Json = nlohmann::json;

Json binary(const void* data, size_t bytes) {
  const auto* first = static_cast<const uint8_t*>(data);
  return Json::binary(std::vector<uint8_t>(first, first + bytes));
}
Json binary(const std::string& text) { return binary(text.data(), text.size()); }
std::string text_of(const Json& value) {
  const auto& bytes = value.get_binary();
  return std::string(bytes.begin(), bytes.end());
}

Json json_of(const Dim3& d) { return {d.x, d.y, d.z}; }
Dim3 dim3_from(const Json& j) {
  return {j.at(0).get<uint32_t>(), j.at(1).get<uint32_t>(), j.at(2).get<uint32_t>()};
}

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
std::optional<double> optional_from(const Json& j) {
  return j.is_null() ? std::nullopt : std::optional(j.get<double>());
}

Json json_of(const Error& e) {
  return {{"message", binary(e.message)}, {"trouble", int(e.trouble)}, {"hint", binary(e.hint)}};
}
Error error_from(const Json& j) {
  return {text_of(j.at("message")), Trouble(j.at("trouble").get<int>()), {}, text_of(j.at("hint"))};
}

Json json_of(const Diagnosis& d) {
  return {{"severity", int(d.severity)},
          {"kind", d.kind},
          {"message", binary(d.message)},
          {"hint", binary(d.hint)},
          {"access", d.access}};
}
Diagnosis diagnosis_from(const Json& j) {
  Diagnosis d;
  d.severity = Severity(j.at("severity").get<int>());
  d.kind = j.at("kind").get<std::string>();
  d.message = text_of(j.at("message"));
  d.hint = text_of(j.at("hint"));
  d.access = j.at("access").get<std::string>();
  return d;
}

Json json_of(const Measured& m) {
  return {{"median", m.median_ms},          {"low", m.low_ms},         {"high", m.high_ms},
          {"warm_ups", m.warm_ups},         {"repeats", m.repeats},    {"cold", m.cold_l2},
          {"launch", json_of(m.launch_us)}, {"sm", json_of(m.sm_mhz)}, {"memory", json_of(m.memory_mhz)},
          {"note", binary(m.note)}};
}
Measured measured_from(const Json& j) {
  Measured m;
  m.median_ms = j.at("median").get<double>();
  m.low_ms = j.at("low").get<double>();
  m.high_ms = j.at("high").get<double>();
  m.warm_ups = j.at("warm_ups").get<int>();
  m.repeats = j.at("repeats").get<int>();
  m.cold_l2 = j.at("cold").get<bool>();
  m.launch_us = optional_from(j.at("launch"));
  m.sm_mhz = optional_from(j.at("sm"));
  m.memory_mhz = optional_from(j.at("memory"));
  m.note = text_of(j.at("note"));
  return m;
}

Json json_of(const Times& t) {
  return {{"load", json_of(t.load_ms)},     {"note", binary(t.load_note)},   {"in", json_of(t.copy_in_ms)},
          {"kernel", json_of(t.kernel_ms)}, {"out", json_of(t.copy_out_ms)}, {"stamp", binary(t.stamp)}};
}
Times times_from(const Json& j) {
  Times t;
  t.load_ms = optional_from(j.at("load"));
  t.load_note = text_of(j.at("note"));
  t.copy_in_ms = optional_from(j.at("in"));
  t.kernel_ms = optional_from(j.at("kernel"));
  t.copy_out_ms = optional_from(j.at("out"));
  t.stamp = text_of(j.at("stamp"));
  return t;
}

std::string frame_of(const Json& object) {
  const std::vector<uint8_t> bytes = Json::to_cbor(object);
  return std::string(bytes.begin(), bytes.end());
}

/// What is no object of ours is an error, never an exception outside of this file.
template <class T, class Read>
Result<T> decoded(std::string_view frame, Read read) {
  try {
    const Json object = Json::from_cbor(frame.begin(), frame.end());
    return read(object);
  } catch (const Json::exception& problem) {
    return Error{std::string("The GPU's process said something that is no message: ") + problem.what() + ".",
                 Trouble::io,
                 {},
                 {}};
  }
}

}  // namespace

std::string encode(const Request& r) {
  Json out{{"what", r.what},           {"gpu", binary(r.gpu)},       {"memory", r.memory},
           {"max_bytes", r.max_bytes}, {"max_ms", r.max_ms},         {"address", r.address},
           {"bytes", r.bytes},         {"element", r.element_bytes}, {"name", binary(r.name)}};
  if (r.what == "load") {
    out["ptx"] = binary(r.code.ptx);
    out["cubin"] = binary(r.code.cubin);
    out["names"] = Json::array();
    for (const auto& [source, ptx] : r.code.names) out["names"].push_back({binary(source), ptx});
  }
  if (r.what == "launch" || r.what == "measure") {
    out["grid"] = json_of(r.launch.grid);
    out["block"] = json_of(r.launch.block);
    out["shared"] = r.launch.shared_bytes;
    out["optin"] = r.launch.shared_optin;
    out["arguments"] = Json::array();
    for (const KernelArgument& argument : r.arguments)
      out["arguments"].push_back(
          {binary(argument.name), binary(argument.bytes.data(), argument.bytes.size())});
    out["measure"] = {r.measure.warm_ups, r.measure.repeats, r.measure.max_seconds, r.measure.cold_l2};
  }
  return frame_of(out);
}

Result<Request> decode_request(std::string_view frame) {
  return decoded<Request>(frame, [](const Json& j) {
    Request r;
    r.what = j.at("what").get<std::string>();
    r.gpu = text_of(j.at("gpu"));
    r.memory = j.at("memory").get<std::string>();
    r.max_bytes = j.at("max_bytes").get<uint64_t>();
    r.max_ms = j.at("max_ms").get<int64_t>();
    r.address = j.at("address").get<uint64_t>();
    r.bytes = j.at("bytes").get<uint64_t>();
    r.element_bytes = j.at("element").get<uint32_t>();
    r.name = text_of(j.at("name"));
    if (r.what == "load") {
      r.code.ptx = text_of(j.at("ptx"));
      r.code.cubin = text_of(j.at("cubin"));
      for (const Json& pair : j.at("names"))
        r.code.names.emplace_back(text_of(pair.at(0)), pair.at(1).get<std::string>());
    }
    if (r.what == "launch" || r.what == "measure") {
      r.launch.grid = dim3_from(j.at("grid"));
      r.launch.block = dim3_from(j.at("block"));
      r.launch.shared_bytes = j.at("shared").get<uint32_t>();
      r.launch.shared_optin = j.at("optin").get<bool>();
      for (const Json& pair : j.at("arguments")) {
        KernelArgument argument{text_of(pair.at(0)), {}};
        for (const uint8_t byte : pair.at(1).get_binary()) argument.bytes.push_back(std::byte(byte));
        r.arguments.push_back(std::move(argument));
      }
      const Json& m = j.at("measure");
      r.measure = {m.at(0).get<int>(), m.at(1).get<int>(), m.at(2).get<double>(), m.at(3).get<bool>()};
    }
    return Result<Request>(std::move(r));
  });
}

std::string encode(const Answer& a) {
  Json out{{"trouble", a.trouble ? json_of(*a.trouble) : Json(nullptr)},
           {"address", a.address},
           {"lost", a.lost},
           {"measured", json_of(a.measured)},
           {"times", json_of(a.times)}};
  out["kernels"] = Json::array();
  for (const KernelInfo& info : a.kernels) {
    Json parameters = Json::array();
    for (const auto& p : info.parameters) parameters.push_back({p.bytes, p.alignment, p.is_pointer});
    out["kernels"].push_back({info.name, info.static_shared_bytes, parameters});
  }
  const RunReport& report = a.outcome.report;
  Json diagnostics = Json::array();
  for (const Diagnosis& d : report.diagnostics) diagnostics.push_back(json_of(d));
  out["outcome"] = {{"status", int(report.status)},     {"diagnostics", diagnostics},
                    {"printf", binary(report.printf)},  {"wall", report.wall_ms},
                    {"blocks", report.counters.blocks}, {"threads", report.counters.threads},
                    {"times", json_of(a.outcome.times)}};
  return frame_of(out);
}

Result<Answer> decode_answer(std::string_view frame) {
  return decoded<Answer>(frame, [](const Json& j) {
    Answer a;
    if (!j.at("trouble").is_null()) a.trouble = error_from(j.at("trouble"));
    a.address = j.at("address").get<uint64_t>();
    a.lost = j.at("lost").get<bool>();
    a.measured = measured_from(j.at("measured"));
    a.times = times_from(j.at("times"));
    for (const Json& one : j.at("kernels")) {
      KernelInfo info;
      info.name = one.at(0).get<std::string>();
      info.static_shared_bytes = one.at(1).get<uint32_t>();
      for (const Json& p : one.at(2))
        info.parameters.push_back({p.at(0).get<uint32_t>(), p.at(1).get<uint32_t>(), p.at(2).get<bool>()});
      a.kernels.push_back(std::move(info));
    }
    const Json& o = j.at("outcome");
    RunReport& report = a.outcome.report;
    report.status = RunStatus(o.at("status").get<int>());
    for (const Json& d : o.at("diagnostics")) report.diagnostics.push_back(diagnosis_from(d));
    report.printf = text_of(o.at("printf"));
    report.wall_ms = o.at("wall").get<double>();
    report.counters.blocks = o.at("blocks").get<uint64_t>();
    report.counters.threads = o.at("threads").get<uint64_t>();
    a.outcome.times = times_from(o.at("times"));
    return Result<Answer>(std::move(a));
  });
}

}  // namespace warpbook::cuda
