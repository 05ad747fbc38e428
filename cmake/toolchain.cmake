# Warnings, sanitizers, and the tools that make the daily loop faster.
add_library(bowerbird_flags INTERFACE)
target_compile_options(bowerbird_flags INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -Wcast-align -Wunused -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc 12 reports these on its own library's inlined code.
  target_compile_options(bowerbird_flags INTERFACE -Wno-maybe-uninitialized -Wno-stringop-overflow
                         -Wno-array-bounds -Wno-restrict -Wno-dangling-pointer -Wno-stringop-overread)
endif()

if(BOWERBIRD_SANITIZE)
  target_compile_options(bowerbird_flags INTERFACE -fsanitize=${BOWERBIRD_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(bowerbird_flags INTERFACE -fsanitize=${BOWERBIRD_SANITIZE})
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths are made relative to this folder, so that two checkouts share the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  target_link_options(bowerbird_flags INTERFACE -fuse-ld=mold)
endif()
