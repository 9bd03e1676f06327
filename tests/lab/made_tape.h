#pragma once
// Tapes made by hand: rows as the runtime library writes them, without a program.
#include <string>

#include "result/host_program.h"

namespace warpbook {

class MadeTape {
 public:
  MadeTape() { program.exit = 0; }

  TapeRow& add(const std::string& call, int line) {
    TapeRow row;
    row.sequence = program.tape.rows.size() + 1;
    row.call = call;
    program.tape.rows.push_back(row);
    RowPlace place;
    place.place = {"main.cu", line};
    place.function = "main()";
    program.places.push_back(place);
    return program.tape.rows.back();
  }
  /// cudaMalloc; its sequence.
  uint64_t allocate(const std::string& name, uint64_t bytes, int line) {
    TapeRow& row = add("cudaMalloc", line);
    row.bytes = bytes;
    row.places.push_back({"devPtr", MemoryKind::device, 0x1000 * row.sequence, row.sequence, {}, 0, bytes});
    program.names[row.sequence] = name;
    sizes_[row.sequence] = bytes;
    return row.sequence;
  }
  static TapePlace host(const std::string& argument) {
    return {argument, MemoryKind::host, 0x7f0000000000, 0, {}, 0, 0};
  }
  TapePlace device(const std::string& argument, uint64_t allocation) const {
    return {argument, MemoryKind::device, 0x1000 * allocation, allocation, {}, 0, sizes_.at(allocation)};
  }
  TapeRow& copy(TapePlace to, TapePlace from, uint64_t bytes, CopyDirection direction, int line,
                int code = 0) {
    TapeRow& row = add("cudaMemcpy", line);
    to.argument = "dst";
    from.argument = "src";
    row.places = {to, from};
    row.bytes = bytes;
    row.direction = direction;
    row.waits = direction == CopyDirection::device_to_host;
    fail(row, code);
    return row;
  }
  TapeRow& copy_in(uint64_t allocation, uint64_t bytes, int line) {
    return copy(device("dst", allocation), host("src"), bytes, CopyDirection::host_to_device, line);
  }
  TapeRow& copy_out(uint64_t allocation, uint64_t bytes, int line) {
    return copy(host("dst"), device("src", allocation), bytes, CopyDirection::device_to_host, line);
  }
  TapeRow& launch(const std::string& kernel, int line) {
    TapeRow& row = add(kernel, line);
    row.kind = TapeKind::launch;
    row.stream = 0;
    row.launch.emplace();
    row.launch->kernel = kernel;
    row.launch->launch = {{4, 1, 1}, {256, 1, 1}, 0, false};
    return row;
  }
  TapeRow& free(uint64_t allocation, int line) {
    TapeRow& row = add("cudaFree", line);
    row.places = {device("devPtr", allocation)};
    return row;
  }
  TapeEnd& end() {
    TapeRow& row = add("", 0);
    row.kind = TapeKind::end;
    row.end.emplace();
    program.tape.ended = true;
    return *row.end;
  }
  static void fail(TapeRow& row, int code) {
    row.code = code;
    if (code != 0) row.code_name = code == 1 ? "cudaErrorInvalidValue" : "cudaError" + std::to_string(code);
  }

  HostProgram program;

 private:
  std::map<uint64_t, uint64_t> sizes_;
};

}  // namespace warpbook
