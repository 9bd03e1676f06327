// A cubin is an ELF64 file (System V ABI, chapter 4). Of each kernel NAME it has a section .text.NAME, whose
// sh_info holds the register count in its upper eight bits, and .nv.shared.NAME, as large as the static
// shared memory. .nv.info is a list of records: a format byte, an attribute byte, 16 bits of size or value,
// the data.
#include "device/cubin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "base/text.h"

namespace warpbook {

namespace {

// Attributes of .nv.info, as cuobjdump names them.
constexpr uint8_t has_data = 4;
constexpr uint8_t attribute_frame_size = 0x11;
constexpr uint8_t attribute_register_count = 0x2f;

Error broken(const char* what) {
  return Error{
      fmt::format("The compiled file for the GPU could not be read: {}.", what), Trouble::io, {}, {}};
}

struct Section {
  std::string name;
  uint32_t type = 0, link = 0, info = 0;
  uint64_t offset = 0, size = 0;
};

struct Elf {
  std::string_view bytes;
  std::vector<Section> sections;

  template <class T>
  std::optional<T> at(uint64_t offset) const {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
  std::string text_at(uint64_t offset) const {
    if (offset >= bytes.size()) return {};
    const std::string_view rest = bytes.substr(offset);
    return std::string(rest.substr(0, rest.find('\0')));
  }
  const Section* named(std::string_view name) const {
    for (const Section& section : sections)
      if (section.name == name) return &section;
    return nullptr;
  }
  std::string_view data_of(const Section& section) const {
    if (section.offset > bytes.size() || bytes.size() - section.offset < section.size) return {};
    return bytes.substr(section.offset, section.size);
  }
};

std::optional<Elf> open_elf(std::string_view bytes) {
  Elf elf{bytes, {}};
  if (bytes.substr(0, 5) != std::string_view("\x7f"
                                             "ELF\2",
                                             5))
    return std::nullopt;
  const auto table = elf.at<uint64_t>(0x28);
  const auto entry = elf.at<uint16_t>(0x3a), count = elf.at<uint16_t>(0x3c), names = elf.at<uint16_t>(0x3e);
  if (!table || !entry || !count || !names || *entry < 64 || *names >= *count) return std::nullopt;
  std::vector<uint32_t> name_offsets;
  for (uint16_t i = 0; i < *count; ++i) {
    const uint64_t at = *table + uint64_t(i) * *entry;
    const auto last = elf.at<uint64_t>(at + 56);
    if (!last) return std::nullopt;
    Section section;
    name_offsets.push_back(*elf.at<uint32_t>(at));
    section.type = *elf.at<uint32_t>(at + 4);
    section.offset = *elf.at<uint64_t>(at + 24);
    section.size = *elf.at<uint64_t>(at + 32);
    section.link = *elf.at<uint32_t>(at + 40);
    section.info = *elf.at<uint32_t>(at + 44);
    elf.sections.push_back(std::move(section));
  }
  for (uint16_t i = 0; i < *count; ++i)
    elf.sections[i].name = elf.text_at(elf.sections[*names].offset + name_offsets[i]);
  return elf;
}

/// Stack bytes by symbol index, from .nv.info.
std::map<uint32_t, uint32_t> frame_sizes(const Elf& elf, std::map<uint32_t, uint32_t>& registers) {
  std::map<uint32_t, uint32_t> frames;
  const Section* info = elf.named(".nv.info");
  if (!info) return frames;
  const uint64_t end = info->offset + info->size;
  for (uint64_t at = info->offset; at + 4 <= end;) {
    const auto format = elf.at<uint8_t>(at), attribute = elf.at<uint8_t>(at + 1);
    const auto size = elf.at<uint16_t>(at + 2);
    if (!format || !attribute || !size) break;
    at += 4;
    if (*format != has_data) continue;  // the 16 bits are the value itself
    if (*size == 8 && (*attribute == attribute_frame_size || *attribute == attribute_register_count)) {
      const auto symbol = elf.at<uint32_t>(at), value = elf.at<uint32_t>(at + 4);
      if (!symbol || !value) break;
      (*attribute == attribute_frame_size ? frames : registers)[*symbol] = *value;
    }
    at += *size;
  }
  return frames;
}

/// The number in front of `words`, or nothing.
std::optional<uint32_t> number_before(std::string_view line, std::string_view words) {
  const size_t place = line.find(words);
  if (place == std::string_view::npos || place == 0) return std::nullopt;
  size_t end = place;
  while (end > 0 && line[end - 1] == ' ') --end;
  size_t first = end;
  while (first > 0 && line[first - 1] >= '0' && line[first - 1] <= '9') --first;
  const auto number = parse_uint(line.substr(first, end - first));
  return number ? std::optional<uint32_t>(uint32_t(*number)) : std::nullopt;
}

bool is_report(std::string_view line) {
  return starts_with(line, "ptxas info") || starts_with(line, "ptxas         .");
}

}  // namespace

Result<std::vector<KernelResources>> read_cubin(std::string_view bytes) {
  const auto elf = open_elf(bytes);
  if (!elf) return broken("it is no ELF file, or it is cut off");
  std::map<uint32_t, uint32_t> registers;
  const std::map<uint32_t, uint32_t> frames = frame_sizes(*elf, registers);
  std::vector<KernelResources> kernels;
  constexpr std::string_view prefix = ".text.";
  for (const Section& section : elf->sections) {
    if (!starts_with(section.name, prefix)) continue;
    KernelResources kernel;
    kernel.name = section.name.substr(prefix.size());
    // Device functions that are called have a text section, but no parameters of a kernel.
    if (!elf->named(".nv.info." + kernel.name)) continue;
    const uint32_t symbol = section.info & 0xffffff;
    kernel.registers = int(section.info >> 24);
    if (const auto counted = registers.find(symbol); counted != registers.end())
      kernel.registers = int(counted->second);
    if (const auto frame = frames.find(symbol); frame != frames.end()) kernel.stack_bytes = frame->second;
    if (const Section* shared = elf->named(".nv.shared." + kernel.name))
      kernel.static_shared_bytes = uint32_t(shared->size);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

void read_ptxas_log(std::string_view log, std::vector<KernelResources>& kernels) {
  KernelResources* current = nullptr;
  for (const std::string_view line : lines_of(log)) {
    constexpr std::string_view head = "Function properties for ";
    if (const size_t at = line.find(head); at != std::string_view::npos) {
      const std::string_view name = trim(line.substr(at + head.size()));
      const auto found = std::find_if(kernels.begin(), kernels.end(),
                                      [&](const KernelResources& kernel) { return kernel.name == name; });
      current = found == kernels.end() ? nullptr : &*found;
    }
    if (!current) continue;
    if (const auto stores = number_before(line, "bytes spill stores")) current->spill_store_bytes = *stores;
    if (const auto loads = number_before(line, "bytes spill loads")) current->spill_load_bytes = *loads;
    if (const auto barriers = number_before(line, "barriers")) current->barriers = int(*barriers);
  }
}

std::string without_ptxas_reports(std::string_view log) {
  std::string kept;
  for (const std::string_view line : lines_of(log))
    if (!is_report(line)) kept.append(line).append("\n");
  if (!kept.empty() && (log.empty() || log.back() != '\n')) kept.pop_back();
  return kept;
}

}  // namespace warpbook
