#pragma once
// Whether this build has a sanitizer in it: those reserve terabytes of addresses, which limits of memory
// would refuse.

namespace warpbook {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace warpbook
