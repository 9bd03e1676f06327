// From sections to tables: abbreviations, the tree of entries, then what the entries mean (DWARF 2.0.0,
// chapters 2, 4, 5 and 7). NVRTC uses ten forms and three operators; anything else ends the reading.
#include "device/debug_info.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "device/debug_sections.h"

namespace warpbook {

namespace {

enum Tag : uint64_t {
  tag_array = 0x01,
  tag_enumeration = 0x04,
  tag_parameter = 0x05,
  tag_lexical_block = 0x0b,
  tag_member = 0x0d,
  tag_pointer = 0x0f,
  tag_reference = 0x10,
  tag_unit = 0x11,
  tag_structure = 0x13,
  tag_typedef = 0x16,
  tag_union = 0x17,
  tag_inheritance = 0x1c,
  tag_inlined = 0x1d,
  tag_class = 0x02,
  tag_subrange = 0x21,
  tag_base = 0x24,
  tag_const = 0x26,
  tag_enumerator = 0x28,
  tag_function = 0x2e,
  tag_variable = 0x34,
  tag_volatile = 0x35,
  tag_namespace = 0x39,
};

enum Attribute : uint64_t {
  at_location = 0x02,
  at_name = 0x03,
  at_byte_size = 0x0b,
  at_bit_size = 0x0d,
  at_low = 0x11,
  at_high = 0x12,
  at_const_value = 0x1c,
  at_upper_bound = 0x2f,
  at_origin = 0x31,
  at_count = 0x37,
  at_member_location = 0x38,
  at_line = 0x3b,
  at_encoding = 0x3e,
  at_specification = 0x47,
  at_type = 0x49,
  at_linkage = 0x2007,
};

enum Form : uint64_t {
  form_addr = 0x01,
  form_data2 = 0x05,
  form_data4 = 0x06,
  form_data8 = 0x07,
  form_string = 0x08,
  form_block1 = 0x0a,
  form_data1 = 0x0b,
  form_flag = 0x0c,
  form_sdata = 0x0d,
  form_udata = 0x0f,
  form_ref4 = 0x13,
};

enum Operator : uint8_t { op_addr = 0x03, op_plus_uconst = 0x23, op_regx = 0x90 };

struct Value {
  uint64_t number = 0;
  std::string text;    ///< of a string or an address' label
  uint32_t begin = 0;  ///< of a block, in .debug_info
  uint64_t form = 0;
};

struct Entry {
  uint64_t tag = 0;
  std::map<uint64_t, Value> attributes;
  std::vector<uint32_t> children;  ///< offsets

  const Value* find(uint64_t attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? nullptr : &found->second;
  }
  uint64_t number(uint64_t attribute) const {
    const Value* value = find(attribute);
    return value ? value->number : 0;
  }
  std::string text(uint64_t attribute) const {
    const Value* value = find(attribute);
    return value ? value->text : std::string();
  }
};

class Reader {
 public:
  explicit Reader(std::string_view ptx)
      : info_(read_debug_section(ptx, "debug_info")),
        abbreviations_section_(read_debug_section(ptx, "debug_abbrev")),
        lists_(read_debug_section(ptx, "debug_loc")) {}

  Result<DebugInfo> run() {
    if (info_.bytes.empty()) return std::move(out_);
    if (!read_abbreviations() || !read_entries()) {
      return Error{"The debug information of the compiler cannot be read.", Trouble::unsupported, {}, {}};
    }
    for (const auto& [offset, entry] : entries_) {
      if (entry.tag == tag_unit) top_level(entry);
    }
    return std::move(out_);
  }

 private:
  struct Abbreviation {
    uint64_t tag = 0;
    bool children = false;
    std::vector<std::pair<uint64_t, uint64_t>> attributes;
  };

  bool read_abbreviations() {
    DebugReader reader(abbreviations_section_, 0);
    while (!reader.at_end()) {
      const uint64_t code = reader.uleb();
      if (code == 0) break;
      Abbreviation& a = abbreviations_[code];
      a.tag = reader.uleb();
      a.children = reader.number(1) != 0;
      for (;;) {
        const uint64_t attribute = reader.uleb(), form = reader.uleb();
        if (!reader.good()) return false;
        if (attribute == 0 && form == 0) break;
        a.attributes.emplace_back(attribute, form);
      }
    }
    return reader.good();
  }

  bool read_value(DebugReader& reader, uint64_t form, Value& value) {
    value.form = form;
    switch (form) {
      case form_addr: value.text = reader.address(); return true;
      case form_data1:
      case form_flag: value.number = reader.number(1); return true;
      case form_data2: value.number = reader.number(2); return true;
      case form_data4:
      case form_ref4: value.number = reader.number(4); return true;
      case form_data8: value.number = reader.number(8); return true;
      case form_udata: value.number = reader.uleb(); return true;
      case form_sdata: value.number = uint64_t(reader.sleb()); return true;
      case form_string: value.text = reader.text(); return true;
      case form_block1:
        value.number = reader.number(1);
        value.begin = reader.at();
        reader.skip(uint32_t(value.number));
        return true;
      default: return false;
    }
  }

  bool read_entries() {
    DebugReader reader(info_, 0);
    reader.number(4);
    reader.number(2);
    reader.number(4);
    reader.number(1);
    std::vector<uint32_t> open;
    while (!reader.at_end()) {
      const uint32_t offset = reader.at();
      const uint64_t code = reader.uleb();
      if (code == 0) {
        if (!open.empty()) open.pop_back();
        if (open.empty()) break;
        continue;
      }
      const auto abbreviation = abbreviations_.find(code);
      if (abbreviation == abbreviations_.end()) return false;
      Entry entry;
      entry.tag = abbreviation->second.tag;
      for (const auto& [attribute, form] : abbreviation->second.attributes) {
        if (!read_value(reader, form, entry.attributes[attribute])) return false;
      }
      if (!reader.good()) return false;
      if (!open.empty()) entries_[open.back()].children.push_back(offset);
      entries_[offset] = std::move(entry);
      if (abbreviation->second.children) open.push_back(offset);
      if (open.empty()) break;
    }
    return true;
  }

  void top_level(const Entry& parent) {
    for (const uint32_t offset : parent.children) {
      const Entry& entry = entries_[offset];
      if (entry.tag == tag_namespace || entry.tag == tag_structure || entry.tag == tag_class) {
        top_level(entry);
      } else if (entry.tag == tag_variable) {
        if (auto variable = variable_of(entry)) out_.globals.push_back(std::move(*variable));
      } else if (entry.tag == tag_function && entry.find(at_low)) {
        DebugFunction& function = out_.functions.emplace_back();
        const Entry& named = original(entry);
        function.linkage = entry.find(at_linkage) ? entry.text(at_linkage) : named.text(at_linkage);
        function.name = entry.find(at_name) ? entry.text(at_name) : named.text(at_name);
        if (function.linkage.empty()) function.linkage = function.name;
        function.line = int(entry.find(at_line) ? entry.number(at_line) : named.number(at_line));
        scope(entry, function, {}, {});
      }
    }
  }

  /// What an entry refers to for its name and type: the abstract instance or the declaration.
  const Entry& original(const Entry& entry) {
    const Value* reference = entry.find(at_origin);
    if (!reference) reference = entry.find(at_specification);
    if (!reference) return entry;
    const auto found = entries_.find(uint32_t(reference->number));
    return found == entries_.end() ? entry : found->second;
  }

  void scope(const Entry& entry, DebugFunction& function, std::string from, std::string to) {
    if (entry.tag != tag_function && entry.find(at_low)) {
      from = entry.text(at_low);
      to = entry.text(at_high);
    }
    for (const uint32_t offset : entry.children) {
      const Entry& child = entries_[offset];
      if (child.tag != tag_parameter && child.tag != tag_variable) continue;
      if (auto variable = variable_of(child)) {
        variable->parameter = child.tag == tag_parameter;
        variable->from = from;
        variable->to = to;
        function.variables.push_back(std::move(*variable));
      }
    }
    for (const uint32_t offset : entry.children) {
      const Entry& child = entries_[offset];
      if (child.tag == tag_lexical_block || child.tag == tag_inlined) scope(child, function, from, to);
    }
  }

  std::optional<DebugVariable> variable_of(const Entry& entry) {
    const Entry& named = original(entry);
    DebugVariable variable;
    variable.name = entry.find(at_name) ? entry.text(at_name) : named.text(at_name);
    if (variable.name.empty()) return std::nullopt;
    variable.line = int(entry.find(at_line) ? entry.number(at_line) : named.number(at_line));
    const Value* type = entry.find(at_type) ? entry.find(at_type) : named.find(at_type);
    if (type) variable.type = type_at(uint32_t(type->number));
    if (const Value* location = entry.find(at_location)) {
      if (location->form == form_block1) {
        variable.places.push_back({{}, {}, expression(info_, location->begin, uint32_t(location->number))});
      } else {
        read_list(uint32_t(location->number), variable);
      }
    } else if (const Value* value = entry.find(at_const_value)) {
      DebugLocation constant;
      constant.kind = DebugLocation::Kind::constant;
      constant.offset = value->number;
      if (value->form == form_block1) {
        DebugReader bytes(info_, value->begin);
        constant.offset = bytes.number(uint32_t(std::min<uint64_t>(value->number, 8)));
      }
      variable.places.push_back({{}, {}, constant});
    }
    return variable;
  }

  static std::string register_name(uint64_t letters) {
    std::string name;
    for (; letters; letters >>= 8) name.insert(name.begin(), char(letters & 0xff));
    return name;
  }

  static DebugLocation expression(const DebugSection& section, uint32_t begin, uint32_t length) {
    DebugLocation location;
    DebugReader reader(section, begin);
    while (reader.good() && reader.at() < begin + length) {
      switch (reader.number(1)) {
        case op_addr:
          location.name = reader.address();
          location.kind = location.name.rfind("__local_depot", 0) == 0 ? DebugLocation::Kind::local
                                                                       : DebugLocation::Kind::symbol;
          break;
        case op_plus_uconst: location.offset += reader.uleb(); break;
        case op_regx:
          location.kind = DebugLocation::Kind::reg;
          location.name = register_name(reader.uleb());
          break;
        default: return {};
      }
    }
    return location;
  }

  void read_list(uint32_t offset, DebugVariable& variable) {
    DebugReader reader(lists_, offset);
    while (!reader.at_end()) {
      DebugVariable::Place place;
      place.from = reader.address();
      place.to = reader.address();
      if (!reader.good() || (place.from.empty() && place.to.empty())) return;
      const uint32_t length = uint32_t(reader.number(2));
      place.location = expression(lists_, reader.at(), length);
      reader.skip(length);
      variable.places.push_back(std::move(place));
    }
  }

  int type_at(uint32_t offset) {
    const auto [known, is_new] = type_index_.try_emplace(offset, int(out_.types.size()));
    if (!is_new) return known->second;
    const int index = known->second;
    out_.types.emplace_back();
    const auto found = entries_.find(offset);
    if (found == entries_.end()) return index;
    DebugType type = read_type(found->second);
    out_.types[size_t(index)] = std::move(type);
    return index;
  }

  DebugType read_type(const Entry& entry) {
    using Kind = DebugType::Kind;
    DebugType type;
    type.name = entry.text(at_name);
    type.bytes = uint32_t(entry.number(at_byte_size));
    if (const Value* inner = entry.find(at_type)) type.inner = type_at(uint32_t(inner->number));
    const auto inner_bytes = [&] { return type.inner >= 0 ? out_.types[size_t(type.inner)].bytes : 0u; };
    switch (entry.tag) {
      case tag_base:
        type.kind = Kind::base;
        switch (entry.number(at_encoding)) {
          case 2: type.encoding = DebugType::Encoding::boolean; break;
          case 4: type.encoding = DebugType::Encoding::real; break;
          case 5:
          case 6: type.encoding = DebugType::Encoding::integer; break;
          case 7:
          case 8: type.encoding = DebugType::Encoding::natural; break;
          default: break;
        }
        break;
      case tag_pointer:
        type.kind = Kind::pointer;
        type.bytes = 8;
        break;
      case tag_reference:
        type.kind = Kind::reference;
        type.bytes = 8;
        break;
      case tag_typedef:
      case tag_const:
      case tag_volatile:
        type.kind = Kind::alias;
        type.bytes = inner_bytes();
        break;
      case tag_structure:
      case tag_class:
      case tag_union: type.kind = Kind::structure; break;
      case tag_enumeration: type.kind = Kind::enumeration; break;
      case tag_array: type.kind = Kind::array; break;
      default: break;
    }
    uint64_t elements = 1;
    for (const uint32_t offset : entry.children) {
      const Entry& child = entries_[offset];
      if (child.tag == tag_member || child.tag == tag_inheritance) {
        DebugType::Member member;
        member.name = child.text(at_name);
        if (const Value* inner = child.find(at_type)) member.type = type_at(uint32_t(inner->number));
        member.bits = uint32_t(child.number(at_bit_size));
        if (const Value* place = child.find(at_member_location)) {
          member.offset = uint32_t(expression(info_, place->begin, uint32_t(place->number)).offset);
        }
        type.members.push_back(std::move(member));
      } else if (child.tag == tag_subrange) {
        const uint32_t count = child.find(at_upper_bound) ? uint32_t(child.number(at_upper_bound) + 1)
                                                          : uint32_t(child.number(at_count));
        type.dimensions.push_back(count);
        elements *= count;
      } else if (child.tag == tag_enumerator) {
        type.values.emplace_back(child.text(at_name), int64_t(child.number(at_const_value)));
      }
    }
    if (type.kind == Kind::array) type.bytes = uint32_t(elements * inner_bytes());
    return type;
  }

  DebugSection info_, abbreviations_section_, lists_;
  std::map<uint64_t, Abbreviation> abbreviations_;
  std::map<uint32_t, Entry> entries_;
  std::map<uint32_t, int> type_index_;
  DebugInfo out_;
};

}  // namespace

const DebugFunction* DebugInfo::function(std::string_view linkage) const {
  for (const DebugFunction& f : functions) {
    if (f.linkage == linkage) return &f;
  }
  return nullptr;
}

const DebugType* DebugInfo::plain(int type) const {
  for (int depth = 0; type >= 0 && size_t(type) < types.size() && depth < 64; ++depth) {
    const DebugType& t = types[size_t(type)];
    if (t.kind != DebugType::Kind::alias) return &t;
    type = t.inner;
  }
  return nullptr;
}

Result<DebugInfo> read_debug_info(std::string_view ptx) { return Reader(ptx).run(); }

}  // namespace warpbook
