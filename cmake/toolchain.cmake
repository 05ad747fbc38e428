# Warnings, sanitizers, and tools for faster builds.
add_library(bowerbird_flags INTERFACE)
target_compile_options(bowerbird_flags INTERFACE
  -Wall -Wextra -Wpedantic -Werror $<$<NOT:$<BOOL:${BOWERBIRD_BY_FOLDER}>>:-Wshadow> -Wnon-virtual-dtor -Woverloaded-virtual
  -Wcast-align -Wunused -fno-omit-frame-pointer
  # Messages name files relative to the checkout, and checkouts share a compiler cache.
  -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc 12 reports these on its own library's inlined code.
  target_compile_options(bowerbird_flags INTERFACE -Wno-maybe-uninitialized -Wno-stringop-overflow
                         -Wno-array-bounds -Wno-restrict -Wno-dangling-pointer -Wno-stringop-overread)
  if(BOWERBIRD_BY_FOLDER)
    # Sources that are included into one unit look like headers to it.
    target_compile_options(bowerbird_flags INTERFACE -Wno-subobject-linkage)
  endif()
else()
  # base/thread_annotations.h: which mutex guards what.
  target_compile_options(bowerbird_flags INTERFACE -Wthread-safety)
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

# bowerbird_by_folder(TARGET SOURCE...): with BOWERBIRD_BY_FOLDER, up to 16 sources of one folder are one translation unit.
# All presets but clang do so, because parsing the headers of libraries takes most of the time, and many sources include
# the same. Names in the unnamed namespaces of a folder must differ. The clang preset compiles file by file and so checks
# that each file includes what it uses, and that no name hides another.
function(bowerbird_by_folder target)
  if(NOT BOWERBIRD_BY_FOLDER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source ${ARGN})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    string(REPLACE "/" "_" group ${folder})
    if(NOT DEFINED sources_of_${group})
      set(sources_of_${group} 0)
    endif()
    math(EXPR unit "${sources_of_${group}} / 16")
    math(EXPR sources_of_${group} "${sources_of_${group}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${unit})
  endforeach()
endfunction()
