// The tape's bytes. A head, then records: a length in four bytes, a byte that says what it is, and the
// fields one behind the other, numbers as LEB128. One description of a row's fields serves both directions.
#include "result/tape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "result/captured_launch.h"

namespace warpbook {
namespace {

constexpr std::string_view magic = "warpbook tape ";
constexpr char version = '2';
constexpr size_t head_bytes = magic.size() + 2;

enum class Record : uint8_t { object = 1, row = 2, captured = 3, ptx = 4 };

class Writer {
 public:
  static constexpr bool reading = false;
  bool good() const { return true; }
  void number(const uint64_t& value) {
    uint64_t rest = value;
    while (rest >= 0x80) {
      bytes_.push_back(char(0x80 | (rest & 0x7F)));
      rest >>= 7;
    }
    bytes_.push_back(char(rest));
  }
  void text(const std::string& value) {
    number(value.size());
    bytes_ += value;
  }
  std::string record(Record kind) const {
    const uint32_t length = uint32_t(bytes_.size() + 1);
    std::string out(4, '\0');
    for (size_t i = 0; i < 4; ++i) out[i] = char(length >> (8 * i));
    out.push_back(char(kind));
    return out + bytes_;
  }

 private:
  std::string bytes_;
};

class Reader {
 public:
  static constexpr bool reading = true;
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  bool good() const { return good_; }
  bool at_end() const { return at_ == bytes_.size(); }
  void number(uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ >= bytes_.size()) break;
      const auto byte = uint8_t(bytes_[at_++]);
      value |= uint64_t(byte & 0x7F) << shift;
      if (byte < 0x80) return;
    }
    good_ = false;
  }
  void text(std::string& value) {
    uint64_t length = 0;
    number(length);
    if (!good_ || length > bytes_.size() - at_) {
      good_ = false;
      return;
    }
    value.assign(bytes_.substr(at_, length));
    at_ += length;
  }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
  bool good_ = true;
};

template <class A, class T>
void fields(A& archive, T& value);

template <class A, class T>
void list(A& archive, T& values) {
  uint64_t count = values.size();
  archive.number(count);
  if constexpr (A::reading) values.clear();
  for (uint64_t i = 0; i < count && archive.good(); ++i) {
    if constexpr (A::reading) values.emplace_back();
    fields(archive, values[i]);
  }
}

template <class A, class T>
void maybe(A& archive, T& value) {
  uint64_t present = value.has_value();
  archive.number(present);
  if constexpr (A::reading) {
    value.reset();
    if (present) value = typename T::value_type{};
  }
  if (present) fields(archive, *value);
}

template <class T>
struct is_list : std::false_type {};
template <class T>
struct is_list<std::vector<T>> : std::true_type {};
template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};

/// Values of one number; signed ones by zigzag, so that -1 is short.
template <class A, class T>
void value_of(A& archive, T& value) {
  using Plain = std::remove_const_t<T>;
  uint64_t bits = 0;
  if constexpr (std::is_same_v<Plain, double>) {
    bits = std::bit_cast<uint64_t>(value);
  } else if constexpr (std::is_enum_v<Plain> || std::is_unsigned_v<Plain>) {
    bits = uint64_t(value);
  } else {
    const auto wide = int64_t(value);
    bits = (uint64_t(wide) << 1) ^ uint64_t(wide >> 63);
  }
  archive.number(bits);
  if constexpr (A::reading) {
    if constexpr (std::is_same_v<Plain, double>) {
      value = std::bit_cast<double>(bits);
    } else if constexpr (std::is_enum_v<Plain> || std::is_unsigned_v<Plain>) {
      value = Plain(bits);
    } else {
      value = Plain(int64_t(bits >> 1) ^ -int64_t(bits & 1));
    }
  }
}

template <class A, class... T>
void all(A& archive, T&... values) {
  (fields(archive, values), ...);
}

template <class A, class T>
void fields(A& archive, T& v) {
  using Plain = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Plain, std::string>) {
    archive.text(v);
  } else if constexpr (is_list<Plain>::value) {
    list(archive, v);
  } else if constexpr (is_optional<Plain>::value) {
    maybe(archive, v);
  } else if constexpr (std::is_arithmetic_v<Plain> || std::is_enum_v<Plain>) {
    value_of(archive, v);
  } else if constexpr (std::is_same_v<Plain, Dim3>) {
    all(archive, v.x, v.y, v.z);
  } else if constexpr (std::is_same_v<Plain, Launch>) {
    all(archive, v.grid, v.block, v.shared_bytes, v.shared_optin);
  } else if constexpr (std::is_same_v<Plain, Diagnosis::Other>) {
    all(archive, v.line, v.access, v.block, v.thread);
  } else if constexpr (std::is_same_v<Plain, Diagnosis>) {
    all(archive, v.severity, v.kind, v.message, v.hint, v.file, v.line, v.column, v.access, v.space, v.buffer,
        v.index, v.bytes, v.block, v.thread, v.threads, v.other, v.count);
  } else if constexpr (std::is_same_v<Plain, TapeFrame>) {
    all(archive, v.object, v.address);
  } else if constexpr (std::is_same_v<Plain, TapeArgument>) {
    all(archive, v.name, v.value);
  } else if constexpr (std::is_same_v<Plain, TapePlace>) {
    all(archive, v.argument, v.kind, v.address, v.allocation, v.variable, v.offset, v.size);
  } else if constexpr (std::is_same_v<Plain, TapeEffect>) {
    all(archive, v.allocation, v.variable, v.first, v.bytes, v.sample);
  } else if constexpr (std::is_same_v<Plain, TapeLaunch>) {
    all(archive, v.kernel, v.symbol, v.module, v.launch, v.cooperative, v.status, v.warp_instructions,
        v.active_lane_share, v.global_load_sectors, v.global_store_sectors, v.divergent_branches,
        v.diagnostics, v.effects, v.repeats, v.repetition, v.error);
  } else if constexpr (std::is_same_v<Plain, TapeModule>) {
    all(archive, v.index, v.ptx_bytes, v.architecture, v.kernels, v.symbols, v.variables, v.problem);
  } else if constexpr (std::is_same_v<Plain, TapeFault>) {
    all(archive, v.kind, v.writes, v.signal);
  } else if constexpr (std::is_same_v<Plain, TapeEnd::Allocation>) {
    all(archive, v.allocation, v.kind, v.address, v.bytes);
  } else if constexpr (std::is_same_v<Plain, TapeEnd::Unread>) {
    all(archive, v.thread, v.code, v.name, v.row);
  } else if constexpr (std::is_same_v<Plain, TapeEnd>) {
    all(archive, v.allocations, v.never_launched, v.unread);
  } else if constexpr (std::is_same_v<Plain, ByteRange>) {
    all(archive, v.first, v.count);
  } else if constexpr (std::is_same_v<Plain, CapturedMemory>) {
    all(archive, v.address, v.name, v.variable, v.element_bytes, v.bytes, v.unwritten);
  } else if constexpr (std::is_same_v<Plain, CapturedLaunch>) {
    all(archive, v.row, v.arguments, v.memory);
  } else {
    static_assert(std::is_same_v<Plain, TapeRow>);
    all(archive, v.sequence, v.kind, v.in_progress, v.modelled, v.injected, v.waits, v.call, v.thread,
        v.frames, v.arguments, v.stream, v.bytes, v.direction, v.code, v.code_name, v.reports, v.places,
        v.note, v.never_written, v.first_never_written, v.sample, v.host_ms, v.begin_ms, v.end_ms, v.launch,
        v.module, v.fault, v.end);
  }
}

uint32_t length_at(std::string_view bytes) {
  uint32_t length = 0;
  for (size_t i = 0; i < 4; ++i) length |= uint32_t(uint8_t(bytes[i])) << (8 * i);
  return length;
}

Error no_tape(std::string message) {
  Error error;
  error.message = std::move(message);
  return error;
}

auto place_of(std::vector<TapeRow>& rows, uint64_t sequence) {
  // Rows end almost in the order in which they began: the place is near the end.
  auto at = rows.end();
  while (at != rows.begin() && (at - 1)->sequence >= sequence) --at;
  return at;
}

}  // namespace

std::string_view name_of(CopyDirection direction) {
  switch (direction) {
    case CopyDirection::host_to_host: return "host to host";
    case CopyDirection::host_to_device: return "host to device";
    case CopyDirection::device_to_host: return "device to host";
    case CopyDirection::device_to_device: return "device to device";
    case CopyDirection::none: break;
  }
  return {};
}

std::string_view name_of(MemoryKind kind) {
  static constexpr std::array<std::string_view, 8> names = {
      "null", "host", "pinned host", "managed", "device", "freed", "unknown device", "not mapped"};
  return size_t(kind) < names.size() ? names[size_t(kind)] : std::string_view();
}

const TapeRow* Tape::row(uint64_t sequence) const {
  const auto at = std::lower_bound(rows.begin(), rows.end(), sequence,
                                   [](const TapeRow& r, uint64_t s) { return r.sequence < s; });
  return at != rows.end() && at->sequence == sequence ? &*at : nullptr;
}

std::string tape_head() { return std::string(magic) + version + '\n'; }

std::string tape_record_of_object(std::string_view path) {
  Writer writer;
  writer.text(std::string(path));
  return writer.record(Record::object);
}

std::string tape_record(const TapeRow& row) {
  Writer writer;
  fields(writer, row);
  return writer.record(Record::row);
}

std::string tape_record(const CapturedLaunch& launch) {
  Writer writer;
  fields(writer, launch);
  return writer.record(Record::captured);
}

void CapturedLaunches::take(std::string_view more) {
  if (broken_) return;
  rest_ += more;
  size_t at = headed_ ? 0 : head_bytes;
  if (rest_.size() < at) return;
  headed_ = true;
  while (rest_.size() - at >= 4) {
    const uint32_t length = length_at(std::string_view(rest_).substr(at));
    broken_ = length == 0 || length > most_record_bytes;
    if (broken_ || rest_.size() - at - 4 < length) break;
    take_record(std::string_view(rest_).substr(at + 4, length));
    at += 4 + size_t(length);
  }
  rest_.erase(0, at);
}

void CapturedLaunches::take_record(std::string_view record) {
  Reader reader(record.substr(1));
  if (Record(uint8_t(record[0])) == Record::captured) {
    auto launch = std::make_shared<CapturedLaunch>();
    fields(reader, *launch);
    const uint64_t row = launch->row;
    if (reader.good()) launches_[row] = std::move(launch);
  } else if (Record(uint8_t(record[0])) == Record::ptx) {
    uint64_t module = 0;
    auto text = std::make_shared<std::string>();
    reader.number(module);
    reader.text(*text);
    if (reader.good()) ptx_[uint32_t(module)] = std::move(text);
  }
}

std::shared_ptr<const CapturedLaunch> CapturedLaunches::of(const TapeRow& row) const {
  if (!row.launch || !ptx_.count(row.launch->module)) return nullptr;
  const auto found = launches_.find(row.launch->repeats ? row.launch->repeats : row.sequence);
  return found == launches_.end() ? nullptr : found->second;
}

std::shared_ptr<const std::string> CapturedLaunches::ptx_of(const TapeRow& row) const {
  const auto found = row.launch ? ptx_.find(row.launch->module) : ptx_.end();
  return found == ptx_.end() ? nullptr : found->second;
}

std::string tape_record_of_ptx(uint32_t module, const std::string& ptx) {
  Writer writer;
  writer.number(module);
  writer.text(ptx);
  return writer.record(Record::ptx);
}

Result<Done> TapeReader::take(std::string_view more) {
  if (broken_) return Done{};
  rest_ += more;
  size_t at = 0;
  if (!headed_) {
    const std::string head = tape_head();
    const size_t known = std::min(rest_.size(), head.size());
    if (rest_.compare(0, known, head, 0, known) != 0) {
      broken_ = true;
      return rest_.compare(0, std::min(known, magic.size()), magic, 0, std::min(known, magic.size())) == 0
                 ? no_tape("The tape is of another version of Warpbook's runtime library.")
                 : no_tape("This is not a tape of Warpbook's runtime library.");
    }
    headed_ = rest_.size() >= head_bytes;
    at = headed_ ? head_bytes : 0;
  }
  while (headed_ && rest_.size() - at >= 4) {
    const uint32_t length = length_at(std::string_view(rest_).substr(at));
    if (length > most_record_bytes || length == 0) {
      broken_ = tape_.truncated = true;
      return no_tape("The tape is damaged: a row has no possible length.");
    }
    if (rest_.size() - at - 4 < length) break;
    if (auto done = take_record(std::string_view(rest_).substr(at + 4, length)); !done) {
      broken_ = tape_.truncated = true;
      return done;
    }
    at += 4 + size_t(length);
  }
  rest_.erase(0, at);
  tape_.truncated = !rest_.empty();
  return Done{};
}

Result<Done> TapeReader::take_record(std::string_view record) {
  Reader reader(record.substr(1));
  if (Record(uint8_t(record[0])) == Record::object) {
    std::string path;
    reader.text(path);
    if (!reader.good()) return no_tape("The tape is damaged: the name of an object file cannot be read.");
    tape_.objects.push_back(std::move(path));
    return Done{};
  }
  // Those are for another reader of the same tape: CapturedLaunches.
  if (Record(uint8_t(record[0])) == Record::captured || Record(uint8_t(record[0])) == Record::ptx)
    return Done{};
  TapeRow row;
  fields(reader, row);
  if (Record(uint8_t(record[0])) != Record::row || !reader.good() || !reader.at_end()) {
    return no_tape(fmt::format("The tape is damaged behind row {}.",
                               tape_.rows.empty() ? 0 : tape_.rows.back().sequence));
  }
  tape_.ended = tape_.ended || row.kind == TapeKind::end;
  const auto at = place_of(tape_.rows, row.sequence);
  if (at != tape_.rows.end() && at->sequence == row.sequence) {
    *at = std::move(row);
  } else {
    tape_.rows.insert(at, std::move(row));
  }
  return Done{};
}

Result<Tape> read_tape(std::string_view bytes) {
  TapeReader reader;
  auto done = reader.take(bytes);
  // What was whole before the damage is worth more than nothing.
  if (!done && reader.tape().rows.empty()) return done.error();
  Tape tape = reader.tape();
  tape.truncated = tape.truncated || !done.ok();
  return tape;
}

}  // namespace warpbook
