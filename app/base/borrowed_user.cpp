// See borrowed_user.h. Who holds a number is told by an abstract socket (unix(7)) of that name: it needs no
// file, exists once, and is gone with its process.
#include "base/borrowed_user.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "base/files.h"
#include "base/text.h"

namespace warpbook {

namespace {

/// -1 when somebody else has the name.
int hold(unsigned number) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  const std::string name = fmt::format("warpbook-user-{}", number);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // a first byte of zero: no file
  const auto bytes = socklen_t(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), bytes) == 0) return socket;
  ::close(socket);
  return -1;
}

}  // namespace

std::shared_ptr<const BorrowedUser> BorrowedUser::take() {
  const unsigned start = unsigned(::getpid());
  for (unsigned i = 0; i < borrowed_users; ++i) {
    const unsigned number = first_borrowed_user + (start + i) % borrowed_users;
    const int held = hold(number);
    if (held < 0) continue;
    std::shared_ptr<const BorrowedUser> user(new BorrowedUser(number, held));
    if (threads_of_user(number) == 0) return user;
  }
  // Where there are no such sockets, a number by chance.
  return std::shared_ptr<const BorrowedUser>(
      new BorrowedUser(first_borrowed_user + start % borrowed_users, -1));
}

BorrowedUser::~BorrowedUser() {
  if (held_ >= 0) ::close(held_);
}

uint64_t threads_of_user(unsigned user) {
  uint64_t threads = 0;
  for (const std::string& name : list_folder("/proc")) {
    if (!parse_uint(name)) continue;
    const auto status = read_file("/proc/" + name + "/status");
    if (!status) continue;
    bool same_user = false;
    for (const std::string_view line : lines_of(*status)) {
      if (starts_with(line, "Uid:"))
        same_user = parse_uint(split(trim(line.substr(4)), '\t')[0]) == uint64_t(user);
      if (same_user && starts_with(line, "Threads:")) threads += parse_uint(trim(line.substr(8))).value_or(1);
    }
  }
  return threads;
}

}  // namespace warpbook
