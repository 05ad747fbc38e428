// The version of Bowerbird and of this interface.
//
// BOWERBIRD_INTERFACE is raised with each incompatible change of the headers in bowerbird/. A program or
// plug-in built for one number works with every library of that number; other libraries refuse it. The
// number is part of every name in the library (namespace bowerbird::v1), and of its file name
// (libbowerbird.so.1).
#pragma once

#define BOWERBIRD_INTERFACE 1

#if defined(BOWERBIRD_BUILDS_LIBRARY)
#define BOWERBIRD_API __attribute__((visibility("default")))
// The library's own sources use other names in namespace bowerbird.
#define BOWERBIRD_BEGIN \
  namespace bowerbird { \
  namespace v1 {
#else
#define BOWERBIRD_API __attribute__((visibility("default")))
#define BOWERBIRD_BEGIN \
  namespace bowerbird { \
  inline namespace v1 {
#endif
#define BOWERBIRD_END \
  }                   \
  }

BOWERBIRD_BEGIN

// "0.1.0", as `bowerbird --version` prints it.
BOWERBIRD_API const char* version();

BOWERBIRD_END
