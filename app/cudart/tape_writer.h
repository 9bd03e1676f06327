#pragma once
// The end of the tape that the program holds: rows into an inherited file descriptor, each in one piece, and
// the places in the program that they come from.
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "result/captured_launch.h"
#include "result/tape.h"

namespace warpbook::cudart {

class TapeWriter {
 public:
  /// -1: no tape; everything below then does nothing.
  void open(int file);
  /// In a forked child: its parent goes on with the tape.
  void close() { file_ = -1; }
  bool recording() const { return file_ >= 0; }

  void write(const TapeRow& row);
  void write_captured(const CapturedLaunch& launch);
  void write_ptx(uint32_t module, const std::string& text);
  /// Who called into this library, innermost first.
  std::vector<TapeFrame> callers();
  /// Likewise, of the code that a signal interrupted at `instruction`.
  std::vector<TapeFrame> callers_at(const void* instruction);

 private:
  struct Object {
    uint64_t begin = 0, end = 0, base = 0;
    uint32_t number = 0;  ///< on the tape
    bool own = false;     ///< this library
  };
  const Object* object_at(uint64_t address);
  void find_objects();
  std::vector<TapeFrame> frames_of(void* const* addresses, int count, int first);
  void put(const std::string& record);
  void put_whole(const std::string& record);

  int file_ = -1;
  std::mutex mutex_;  ///< objects and the file
  std::vector<Object> objects_;
  std::vector<std::string> paths_;  ///< by number
};

}  // namespace warpbook::cudart
