// One SPEC, cut at its first '=' and then by its colons.
#include "lab/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/complaint.h"
#include "base/text.h"
#include "lab/encode.h"
#include "lab/initialise.h"

namespace warpbook {

namespace {

constexpr uint64_t most_bytes = uint64_t{4} << 30;
constexpr const char* grammar = "name=buf:TYPE[COUNT]:INIT, name=TYPE:VALUE, name=struct:HEX or name=null";
constexpr const char* types = "i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64";

bool is_identifier(std::string_view text) {
  const auto word = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), word);
}

struct Parser {
  std::string name;
  const std::string& folder;
  uint64_t seed;

  Error bad(const std::string& message, std::string hint = {}) const {
    return complaint(fmt::format("argument {}: {}", name, message), std::move(hint));
  }
  Error bad_type(std::string_view text) const {
    return bad(fmt::format("\"{}\" is no element type", text), fmt::format("one of: {}", types));
  }

  Result<ArgumentSpec> buffer(std::string_view rest) const {
    ArgumentSpec spec;
    spec.name = name;
    spec.kind = ArgumentSpec::Kind::buffer;
    const size_t open = rest.find('['), close = rest.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
      return bad(fmt::format("\"buf:{}\" lacks its [COUNT]", rest), "for example out=buf:f32[1000]:zeros");
    const auto type = element_type_named(trim(rest.substr(0, open)));
    if (!type) return bad_type(trim(rest.substr(0, open)));
    spec.type = *type;
    const std::string_view count_text = trim(rest.substr(open + 1, close - open - 1));
    const auto count = parse_uint(count_text);
    if (!count)
      return bad(fmt::format("the number of elements must be a whole number, not \"{}\"", count_text));
    spec.count = *count;
    if (spec.count > most_bytes / bytes_of(spec.type))
      return bad(fmt::format("{} elements of {} are more than the 4 GiB that one buffer may have", count_text,
                             name_of(spec.type)));
    const std::string_view init = trim(rest.substr(close + 1));
    if (!starts_with(init, ":") || trim(init.substr(1)).empty())
      return bad("does not say how the buffer is filled", "for example :zeros, :iota or :uninit");
    auto content = initial_content(spec.type, spec.count, init.substr(1), folder, seed);
    if (!content) {
      Error error = content.error();
      error.message = fmt::format("argument {}: {}", name, error.message);
      return error;
    }
    spec.uninitialised = content->uninitialised;
    spec.bytes = std::move(content->bytes);
    return spec;
  }

  Result<ArgumentSpec> structure(std::string_view hex) const {
    ArgumentSpec spec;
    spec.name = name;
    spec.kind = ArgumentSpec::Kind::structure;
    const auto digit = [](char c) {
      if (c >= '0' && c <= '9') return c - '0';
      if (c >= 'a' && c <= 'f') return c - 'a' + 10;
      if (c >= 'A' && c <= 'F') return c - 'A' + 10;
      return -1;
    };
    if (hex.empty() || hex.size() % 2)
      return bad("struct: takes pairs of hexadecimal digits, one pair a byte");
    for (size_t i = 0; i < hex.size(); i += 2) {
      const int high = digit(hex[i]), low = digit(hex[i + 1]);
      if (high < 0 || low < 0) return bad(fmt::format("\"{}\" is no hexadecimal byte", hex.substr(i, 2)));
      spec.bytes.push_back(std::byte(high * 16 + low));
    }
    return spec;
  }

  Result<ArgumentSpec> scalar(ElementType type, std::string_view value) const {
    ArgumentSpec spec;
    spec.name = name;
    spec.type = type;
    spec.bytes.resize(bytes_of(type));
    const auto bits = number_bits(type, value);
    if (!bits) return bad(bits.error().message);
    store_bits(type, *bits, spec.bytes.data());
    return spec;
  }
};

}  // namespace

Result<ArgumentSpec> parse_argument(std::string_view spec, const std::string& folder, uint64_t seed) {
  spec = trim(spec);
  const size_t equals = spec.find('=');
  const std::string_view name = trim(spec.substr(0, equals));
  if (equals == std::string_view::npos || !is_identifier(name))
    return complaint(fmt::format("\"{}\" is no argument", spec.substr(0, 60)),
                     fmt::format("write {}", grammar));
  const Parser parser{std::string(name), folder, seed};
  const std::string_view value = trim(spec.substr(equals + 1));
  if (value == "null") {
    ArgumentSpec null;
    null.name = parser.name;
    null.kind = ArgumentSpec::Kind::null;
    return null;
  }
  const size_t colon = value.find(':');
  if (colon == std::string_view::npos)
    return parser.bad(fmt::format("\"{}\" is not understood", value.substr(0, 60)),
                      fmt::format("write {}", grammar));
  const std::string_view kind = trim(value.substr(0, colon)), rest = trim(value.substr(colon + 1));
  if (kind == "buf") return parser.buffer(rest);
  if (kind == "struct") return parser.structure(rest);
  const auto type = element_type_named(kind);
  if (!type) return parser.bad_type(kind);
  return parser.scalar(*type, rest);
}

}  // namespace warpbook
