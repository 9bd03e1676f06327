// Requests and answers as JSON.
#include "device/compile_message.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/hex.h"
#include "device/resources_json.h"

namespace warpbook {

namespace {

using nlohmann::json;

/// Paths may hold bytes that are no UTF-8; they are replaced rather than thrown about.
std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

Error not_understood(const json::exception& why) {
  return Error{fmt::format("The compiler and its worker do not understand each other: {}.", why.what()),
               Trouble::io,
               {},
               {}};
}

}  // namespace

std::string encode(const WorkerRequest& request) {
  const NvrtcJob& job = request.job;
  return dump({{"library", request.library},
               {"pch_folder", request.pch_folder},
               {"source", job.source},
               {"file", job.file},
               {"options", job.options},
               {"optional_options", job.optional_options},
               {"names", job.names},
               {"headers", job.headers},
               {"architecture", job.architecture},
               {"cubin", job.cubin},
               {"keep_cubin", job.keep_cubin}});
}

Result<WorkerRequest> decode_request(std::string_view frame) {
  try {
    const json value = json::parse(frame);
    WorkerRequest request;
    value.at("library").get_to(request.library);
    value.at("pch_folder").get_to(request.pch_folder);
    NvrtcJob& job = request.job;
    value.at("source").get_to(job.source);
    value.at("file").get_to(job.file);
    value.at("options").get_to(job.options);
    value.at("optional_options").get_to(job.optional_options);
    value.at("names").get_to(job.names);
    value.at("headers").get_to(job.headers);
    value.at("architecture").get_to(job.architecture);
    value.at("cubin").get_to(job.cubin);
    value.at("keep_cubin").get_to(job.keep_cubin);
    return request;
  } catch (const json::exception& why) {
    return not_understood(why);
  }
}

std::string encode(const WorkerAnswer& answer) {
  json value{{"resident_bytes", answer.resident_bytes}};
  if (answer.trouble) {
    value["trouble"] = {{"message", answer.trouble->message}, {"kind", int(answer.trouble->trouble)}};
  } else {
    value["compiled"] = answer.answer.compiled;
    value["ptx"] = answer.answer.ptx;
    value["log"] = answer.answer.log;
    value["names"] = answer.answer.names;
    value["architecture"] = answer.answer.architecture;
    value["resources"] = json_of(answer.answer.resources);
    value["cubin"] = as_hex(answer.answer.cubin);
  }
  return dump(value);
}

Result<WorkerAnswer> decode_answer(std::string_view frame) {
  try {
    const json value = json::parse(frame);
    WorkerAnswer answer;
    value.at("resident_bytes").get_to(answer.resident_bytes);
    if (value.contains("trouble")) {
      const json& trouble = value["trouble"];
      answer.trouble =
          Error{trouble.at("message").get<std::string>(), Trouble(trouble.at("kind").get<int>()), {}, {}};
      return answer;
    }
    value.at("compiled").get_to(answer.answer.compiled);
    value.at("ptx").get_to(answer.answer.ptx);
    value.at("log").get_to(answer.answer.log);
    value.at("names").get_to(answer.answer.names);
    value.at("architecture").get_to(answer.answer.architecture);
    answer.answer.resources = resources_from(value.at("resources"));
    answer.answer.cubin = bytes_of_hex(value.at("cubin").get<std::string>());
    return answer;
  } catch (const json::exception& why) {
    return not_understood(why);
  }
}

}  // namespace warpbook
