// Write it: the sum of a[0] to a[n - 1] on the GPU, where a[i] is i * 7 % 13. Usage: sum N
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::vector<int> a(n);
  for (int i = 0; i < n; ++i) a[i] = i * 7 % 13;

  int total = 0;
  std::printf("sum = %d\n", total);
}
