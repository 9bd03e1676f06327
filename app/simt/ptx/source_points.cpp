// See source_points.h.
#include "simt/ptx/source_points.h"

#include "simt/ptx/names.h"

namespace warpbook::ptx {

bool SourcePoints::read_place(Scanner& scanner, Place& place) {
  for (uint32_t* number : {&place.file, &place.line, &place.column}) {
    const auto n = scanner.integer();
    if (!n) return scanner.fail("a source place needs a file, a line and a column");
    *number = uint32_t(*n);
  }
  return true;
}

int32_t SourcePoints::point(const Key& key) {
  const auto [entry, is_new] = known_.try_emplace(key, int32_t(keys_.size()));
  if (is_new) {
    keys_.push_back(key);
    SourcePoint& added = module_.points.emplace_back();
    added.file = key.place.file;
    added.line = key.place.line;
    added.column = key.place.column;
    added.inlined_at = key.inlined_at;
  }
  return entry->second;
}

int32_t SourcePoints::read_location(Scanner& scanner) {
  Key key;
  if (!read_place(scanner, key.place)) return -1;
  while (scanner.accept(',')) {
    const std::string_view what = scanner.word();
    if (what == "function_name") {
      // `label`, `label+offset` or `.debug_str+offset`.
      key.label = scanner.word();
      if (key.label.empty()) key.label = scanner.dotted();
      if (scanner.peek() == '+') key.label_offset = scanner.integer().value_or(0);
    } else if (what == "inlined_at") {
      Place caller;
      if (!read_place(scanner, caller)) return -1;
      // The place of the call has had a `.loc` of its own before; that one carries the rest of the chain.
      const auto found = latest_.find(caller);
      key.inlined_at = found != latest_.end() ? found->second : point(Key{caller, -1, {}, 0});
    } else {
      scanner.fail("a source place cannot be read");
      return -1;
    }
  }
  const int32_t index = point(key);
  latest_[key.place] = index;
  return index;
}

bool SourcePoints::read_file(Scanner& scanner) {
  const auto number = scanner.integer();
  const auto path = scanner.quoted();
  if (!number || !path || *number > 100000) return scanner.fail("a .file directive cannot be read");
  if (module_.files.size() <= *number) module_.files.resize(*number + 1);
  module_.files[*number] = *path;
  while (scanner.accept(',')) {
    if (!scanner.integer()) return scanner.fail("a .file directive cannot be read");
  }
  return !scanner.failed();
}

bool SourcePoints::read_strings(Scanner& scanner) {
  while (!scanner.accept('}')) {
    if (scanner.failed()) return false;
    if (const std::string_view label = scanner.word(); !label.empty()) {
      string_labels_[label] = strings_.size();
      if (!scanner.expect(':', "after a label")) return false;
    } else if (const std::string_view type = scanner.dotted(); !type.empty()) {
      // Bytes; anything wider would be an offset and is no text.
      do {
        const auto byte = scanner.integer();
        if (!byte) return scanner.fail("a debug string cannot be read");
        if (type == "b8") strings_ += char(*byte);
      } while (scanner.accept(','));
    } else {
      return scanner.fail("a debug string cannot be read");
    }
  }
  return true;
}

void SourcePoints::name_functions() {
  std::unordered_map<size_t, std::string> names;  // by offset in strings_: many points share few functions
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i].label.empty()) continue;
    size_t start = keys_[i].label_offset;
    if (const auto label = string_labels_.find(keys_[i].label); label != string_labels_.end()) {
      start += label->second;
    } else if (keys_[i].label != "debug_str") {
      continue;
    }
    if (start >= strings_.size()) continue;
    std::string& name = names[start];
    if (name.empty())
      name = display_function_name(strings_.substr(start, strings_.find('\0', start) - start));
    module_.points[i].function = name;
  }
}

}  // namespace warpbook::ptx
