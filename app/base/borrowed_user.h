#pragma once
// A user number that nobody is, for a program that root does not want to run as itself. The limit on
// processes counts a user's, so two programs with one number would take each other's share: a number belongs
// to one holder at a time, and only those without a living process are given.
#include <cstdint>
#include <memory>

namespace warpbook {

/// Outside the ranges that distributions and systemd give away.
inline constexpr unsigned first_borrowed_user = 59000;
inline constexpr unsigned borrowed_users = 1000;

class BorrowedUser {
 public:
  /// Freed with the last copy, also when we die.
  static std::shared_ptr<const BorrowedUser> take();
  ~BorrowedUser();
  BorrowedUser(const BorrowedUser&) = delete;
  BorrowedUser& operator=(const BorrowedUser&) = delete;
  unsigned number() const { return number_; }

 private:
  BorrowedUser(unsigned number, int held) : number_(number), held_(held) {}
  unsigned number_;
  int held_;  ///< the socket whose name nobody else can have meanwhile; -1 = none was to be had
};

/// Threads of all processes of a user; 0 when there are none.
uint64_t threads_of_user(unsigned user);

}  // namespace warpbook
