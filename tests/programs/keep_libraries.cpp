// Keeps unloaded libraries mapped in builds with AddressSanitizer, which then names the library of a leak:
// Mesa's drivers leave some memory at exit, and tests/leaks-of-others.txt knows them by name. Linked into
// those builds alone.
extern "C" int dlclose(void*) { return 0; }
