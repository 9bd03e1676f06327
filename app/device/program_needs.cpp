// A reader of ELF's section table (System V ABI, chapters 4 and 5): section names and the dynamic section.
#include "device/program_needs.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/text.h"

namespace warpbook {

namespace {

constexpr std::string_view our_library = "libcudart.so.13";

template <class T>
bool read_at(const std::string& bytes, uint64_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return true;
}

std::string text_at(const std::string& bytes, uint64_t offset) {
  if (offset >= bytes.size()) return {};
  return std::string(bytes.c_str() + offset);
}

}  // namespace

Result<ProgramNeeds> needs_of(const Path& program) {
  const auto bytes = read_file(program, 1u << 30);
  if (!bytes) return bytes.error();
  const auto no_program = [&] {
    return Error{fmt::format("{} is no program that this machine can start.", program.string()),
                 Trouble::bad_input,
                 {program.string(), 0, 0},
                 "name a .cu file, or a program that nvcc or g++ linked"};
  };
  Elf64_Ehdr head;
  if (!read_at(*bytes, 0, head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_ident[EI_CLASS] != ELFCLASS64 || (head.e_type != ET_EXEC && head.e_type != ET_DYN))
    return no_program();
  std::vector<Elf64_Shdr> sections(head.e_shnum);
  for (size_t i = 0; i < sections.size(); ++i)
    if (!read_at(*bytes, head.e_shoff + i * sizeof(Elf64_Shdr), sections[i])) return no_program();
  ProgramNeeds needs;
  const uint64_t names =
      head.e_shstrndx < sections.size() ? sections[head.e_shstrndx].sh_offset : bytes->size();
  for (const Elf64_Shdr& section : sections) {
    if (text_at(*bytes, names + section.sh_name) == ".nv_fatbin") needs.has_device_code = true;
    if (section.sh_type != SHT_DYNAMIC || section.sh_link >= sections.size()) continue;
    const uint64_t texts = sections[section.sh_link].sh_offset;
    for (uint64_t at = section.sh_offset; at < section.sh_offset + section.sh_size; at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;
      if (!read_at(*bytes, at, entry) || entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) needs.libraries.push_back(text_at(*bytes, texts + entry.d_un.d_val));
    }
  }
  return needs;
}

Result<Done> runs_on_our_runtime(const Path& program) {
  const auto needs = needs_of(program);
  if (!needs) return needs.error();
  const auto& libraries = needs->libraries;
  if (std::find(libraries.begin(), libraries.end(), our_library) != libraries.end()) return Done{};
  const auto other = std::find_if(libraries.begin(), libraries.end(),
                                  [](const std::string& name) { return starts_with(name, "libcudart.so"); });
  if (other != libraries.end())
    return Error{fmt::format("{} was built for {}, and programs here run on the runtime of CUDA 13.",
                             program.string(), *other),
                 Trouble::unsupported,
                 {},
                 "build it with a CUDA Toolkit 13"};
  if (!needs->has_device_code)
    return Error{
        fmt::format("{} has no CUDA code in it and does not use the CUDA runtime.", program.string()),
        Trouble::bad_input,
        {},
        "name a program that nvcc built, or a .cu file"};
  return Error{
      fmt::format("{} carries NVIDIA's runtime inside (nvcc links it statically), so it cannot be run here.",
                  program.string()),
      Trouble::unsupported,
      {},
      "build it again with: nvcc -cudart shared -gencode arch=compute_80,code=compute_80 -g ..."};
}

}  // namespace warpbook
