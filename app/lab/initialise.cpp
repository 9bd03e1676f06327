#include "lab/initialise.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/complaint.h"
#include "base/files.h"
#include "base/text.h"
#include "lab/encode.h"
#include "lab/npy.h"

namespace warpbook {

namespace {

struct Call {
  std::string_view name;
  std::vector<std::string_view> arguments;
  bool parentheses = false;
};

Error bad(std::string message, std::string hint = {}) {
  return complaint(std::move(message), std::move(hint));
}

Result<Call> parse_call(std::string_view init) {
  Call call;
  const size_t open = init.find('(');
  call.name = trim(init.substr(0, open));
  if (open == std::string_view::npos) return call;
  if (init.back() != ')') return bad(fmt::format("\"{}\" lacks its closing parenthesis", init));
  call.parentheses = true;
  const std::string_view inside = trim(init.substr(open + 1, init.size() - open - 2));
  if (inside.empty()) return call;
  for (std::string_view part : split(inside, ',')) call.arguments.push_back(trim(part));
  return call;
}

/// Fills with bits_at(i) for every element.
template <class BitsAt>
std::vector<std::byte> fill(ElementType type, uint64_t count, BitsAt bits_at) {
  const uint32_t width = bytes_of(type);
  std::vector<std::byte> bytes(count * width);
  for (uint64_t i = 0; i < count; ++i) store_bits(type, bits_at(i), bytes.data() + i * width);
  return bytes;
}

/// A whole number in the type: wrapped for integers, rounded for floats.
uint64_t whole_bits(ElementType type, int64_t value) {
  return is_float(type) ? float_bits(type, double(value)) : uint64_t(value);
}

Result<int64_t> whole(std::string_view text, std::string_view what) {
  const auto number = parse_int(text);
  if (!number) return bad(fmt::format("{} must be a whole number, not \"{}\"", what, text));
  return *number;
}

struct Filler {
  ElementType type;
  uint64_t count;
  const Call& call;
  const std::string& folder;
  uint64_t seed;

  Result<InitialContent> content(std::vector<std::byte> bytes) const {
    return InitialContent{false, std::move(bytes)};
  }

  Result<InitialContent> affine() const {
    // m*i + c in 64-bit arithmetic, wrapped to the type; in double for floats.
    if (is_float(type)) {
      const auto m = parse_double(call.arguments[0]), c = parse_double(call.arguments[1]);
      if (!m || !c) return bad("affine(m,c) takes two numbers");
      return content(fill(type, count, [&](uint64_t i) { return float_bits(type, *m * double(i) + *c); }));
    }
    const auto m = whole(call.arguments[0], "m of affine(m,c)"),
               c = whole(call.arguments[1], "c of affine(m,c)");
    if (!m) return m.error();
    if (!c) return c.error();
    return content(fill(type, count, [&](uint64_t i) { return uint64_t(*m) * i + uint64_t(*c); }));
  }

  Result<InitialContent> list(bool patterns) const {
    if (call.arguments.size() != count)
      return bad(
          fmt::format("{}(...) has {} values for {} elements", call.name, call.arguments.size(), count));
    std::vector<uint64_t> bits;
    bits.reserve(count);
    for (std::string_view text : call.arguments) {
      if (patterns) {
        const std::string_view digits =
            starts_with(text, "0x") || starts_with(text, "0X") ? text.substr(2) : text;
        uint64_t pattern = 0;
        const auto end = digits.data() + digits.size();
        const auto read = std::from_chars(digits.data(), end, pattern, 16);
        if (digits.empty() || read.ec != std::errc{} || read.ptr != end || digits.size() > 2 * bytes_of(type))
          return bad(fmt::format("\"{}\" is no {} bit pattern", text, name_of(type)));
        bits.push_back(pattern);
      } else {
        const auto number = number_bits(type, text);
        if (!number) return number.error();
        bits.push_back(*number);
      }
    }
    return content(fill(type, count, [&](uint64_t i) { return bits[i]; }));
  }

  Result<InitialContent> random() const {
    const auto start = whole(call.arguments[0], "the seed of random(seed,lo,hi)");
    const auto lo = whole(call.arguments[1], "lo of random(seed,lo,hi)");
    const auto hi = whole(call.arguments[2], "hi of random(seed,lo,hi)");
    for (const auto* part : {&start, &lo, &hi})
      if (!*part) return part->error();
    if (*hi < *lo) return bad(fmt::format("random(seed,lo,hi) needs lo <= hi, but {} > {}", *lo, *hi));
    const uint64_t range = uint64_t(*hi) - uint64_t(*lo) + 1;  // 0 stands for all of 2^64
    // A 32-bit linear congruential generator; another seed of the run only shifts where it starts.
    auto x = uint32_t(uint64_t(*start) + seed * 0x9E3779B97F4A7C15ull);
    return content(fill(type, count, [&](uint64_t) {
      x = 1664525u * x + 1013904223u;
      const uint64_t step = x >> 8;
      return whole_bits(type, int64_t(uint64_t(*lo) + (range ? step % range : step)));
    }));
  }

  Result<InitialContent> file() const {
    Path path(std::string(call.arguments[0]));
    if (path.is_relative() && !folder.empty()) path = Path(folder) / path;
    const auto array = read_npy(path, type);
    if (!array) return array.error();
    if (array->size() != count * bytes_of(type))
      return bad(fmt::format("{} has {} elements, but the buffer has {}", path.string(),
                             array->size() / bytes_of(type), count));
    return content(std::move(*array));
  }
};

struct Row {
  std::string_view name;
  int arguments;  ///< -1 = any number
  Result<InitialContent> (*make)(const Filler&);
};

constexpr std::string_view known =
    "zeros iota value(c) affine(m,c) mod(p) onehot(k) list(..) hex(..) random(seed,lo,hi) uninit file(x.npy)";

const Row rows[] = {
    {"zeros", 0,
     [](const Filler& f) { return f.content(std::vector<std::byte>(f.count * bytes_of(f.type))); }},
    {"iota", 0,
     [](const Filler& f) {
       return f.content(fill(f.type, f.count, [&](uint64_t i) { return whole_bits(f.type, int64_t(i)); }));
     }},
    {"value", 1,
     [](const Filler& f) -> Result<InitialContent> {
       const auto bits = number_bits(f.type, f.call.arguments[0]);
       if (!bits) return bits.error();
       return f.content(fill(f.type, f.count, [&](uint64_t) { return *bits; }));
     }},
    {"affine", 2, [](const Filler& f) { return f.affine(); }},
    {"mod", 1,
     [](const Filler& f) -> Result<InitialContent> {
       const auto p = whole(f.call.arguments[0], "p of mod(p)");
       if (!p) return p.error();
       if (*p < 1) return bad("p of mod(p) must be at least 1");
       return f.content(
           fill(f.type, f.count, [&](uint64_t i) { return whole_bits(f.type, int64_t(i % uint64_t(*p))); }));
     }},
    {"onehot", 1,
     [](const Filler& f) -> Result<InitialContent> {
       const auto k = whole(f.call.arguments[0], "k of onehot(k)");
       if (!k) return k.error();
       if (*k < 0 || uint64_t(*k) >= f.count)
         return bad(fmt::format("onehot({}) lies outside the {} elements", *k, f.count));
       return f.content(
           fill(f.type, f.count, [&](uint64_t i) { return whole_bits(f.type, i == uint64_t(*k) ? 1 : 0); }));
     }},
    {"list", -1, [](const Filler& f) { return f.list(false); }},
    {"hex", -1, [](const Filler& f) { return f.list(true); }},
    {"random", 3, [](const Filler& f) { return f.random(); }},
    {"uninit", 0,
     [](const Filler&) -> Result<InitialContent> {
       return InitialContent{true, {}};
     }},
    {"file", 1, [](const Filler& f) { return f.file(); }},
};

}  // namespace

Result<InitialContent> initial_content(ElementType type, uint64_t count, std::string_view init,
                                       const std::string& folder, uint64_t seed) {
  const auto call = parse_call(trim(init));
  if (!call) return call.error();
  for (const Row& row : rows) {
    if (row.name != call->name) continue;
    if (row.arguments >= 0 && call->arguments.size() != size_t(row.arguments))
      return bad(fmt::format("{} takes {} value{}, not {}", row.name, row.arguments,
                             row.arguments == 1 ? "" : "s", call->arguments.size()));
    return row.make(Filler{type, count, *call, folder, seed});
  }
  return bad(fmt::format("\"{}\" is no way to fill a buffer", call->name), fmt::format("one of: {}", known));
}

}  // namespace warpbook
