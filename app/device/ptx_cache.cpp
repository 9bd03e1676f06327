// One file an entry: a first line with the format's version and the hash of the rest, then JSON.
#include "device/ptx_cache.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/cache_room.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/text.h"

namespace warpbook {

namespace {

using nlohmann::json;

constexpr std::string_view format_name = "warpbook-ptx-3";
constexpr std::string_view extension = ".ptx.json";

json note_as_json(const Diagnosis& note) {
  return {{"message", note.message},
          {"hint", note.hint},
          {"file", note.file},
          {"line", note.line},
          {"column", note.column}};
}

Diagnosis note_from_json(const json& value) {
  Diagnosis note;
  note.severity = Severity::note;
  note.kind = "compile-warning";
  note.message = value.at("message").get<std::string>();
  note.hint = value.at("hint").get<std::string>();
  note.file = value.at("file").get<std::string>();
  note.line = value.at("line").get<int>();
  note.column = value.at("column").get<int>();
  return note;
}

}  // namespace

Path PtxCache::file_of(const std::string& key) const {
  return folder_ / (content_hash(key) + std::string(extension));
}

std::optional<CachedPtx> PtxCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const Path file = file_of(key);
  const auto content = read_file(file);
  if (!content) return std::nullopt;
  const size_t line_end = content->find('\n');
  if (line_end == std::string::npos) return std::nullopt;
  const std::string_view body = std::string_view(*content).substr(line_end + 1);
  if (content->compare(0, line_end, fmt::format("{} {}", format_name, content_hash(body))) != 0)
    return std::nullopt;
  CachedPtx entry;
  try {
    const json value = json::parse(body);
    // Two keys may share a hash; the key itself decides.
    if (value.at("key").get<std::string>() != key) return std::nullopt;
    entry.ptx = value.at("ptx").get<std::string>();
    entry.cubin = bytes_of_hex(value.at("cubin").get<std::string>());
    entry.names = value.at("names").get<decltype(entry.names)>();
    for (const json& note : value.at("notes")) entry.notes.push_back(note_from_json(note));
  } catch (const json::exception&) {
    return std::nullopt;
  }
  touch_cached(file);
  return entry;
}

void PtxCache::keep(const std::string& key, const CachedPtx& entry) const {
  if (folder_.empty()) return;
  json notes = json::array();
  for (const Diagnosis& note : entry.notes) notes.push_back(note_as_json(note));
  const json value{{"key", key},
                   {"ptx", entry.ptx},
                   {"cubin", as_hex(entry.cubin)},
                   {"names", entry.names},
                   {"notes", notes}};
  const std::string body = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (body.size() > limit_bytes_) return;
  if (write_file(file_of(key), fmt::format("{} {}\n{}", format_name, content_hash(body), body)).ok())
    keep_cache_within(folder_, {extension}, limit_bytes_);
}

}  // namespace warpbook
