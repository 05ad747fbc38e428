#include <cstdio>
#include "version.h"
int main() {
  std::puts("bowerbird " BOWERBIRD_VERSION);
}
