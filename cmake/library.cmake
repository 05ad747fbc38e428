# libbowerbird.so, the public interface of include/bowerbird/, and the Python module on top of it. Both are built on
# request only: `ninja bowerbird_library`, `ninja bowerbird_python`. The library needs position-independent code, which
# the program does not, so its sources are compiled a second time; only those that it uses.
set(library_sources ${readers_sources})
foreach(folder policy frontier urlfrontier plugin lab library)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(APPEND library_sources ${sources})
endforeach()
file(STRINGS include/bowerbird/version.h interface REGEX "^#define BOWERBIRD_INTERFACE ")
string(REGEX REPLACE "[^0-9]" "" BOWERBIRD_INTERFACE "${interface}")
add_library(bowerbird_library SHARED EXCLUDE_FROM_ALL ${library_sources})
set_target_properties(bowerbird_library PROPERTIES OUTPUT_NAME bowerbird EXPORT_NAME bowerbird
  VERSION ${BOWERBIRD_INTERFACE}.${PROJECT_VERSION} SOVERSION ${BOWERBIRD_INTERFACE}
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_compile_definitions(bowerbird_library PRIVATE BOWERBIRD_BUILDS_LIBRARY)
target_include_directories(bowerbird_library PRIVATE src ${CMAKE_BINARY_DIR}/generated
  PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(bowerbird_library PUBLIC cxx_std_20)
target_link_libraries(bowerbird_library PRIVATE $<BUILD_INTERFACE:bowerbird_flags> $<BUILD_INTERFACE:bowerbird_deps>)
target_link_options(bowerbird_library PRIVATE -Wl,--as-needed -Wl,--no-undefined)
bowerbird_by_folder(bowerbird_library ${library_sources})

# The Python module, for Debian's interpreter.
set(PYTHON_EXECUTABLE /usr/bin/python3)
find_package(pybind11 CONFIG QUIET)
if(pybind11_FOUND)
  file(GLOB python_sources CONFIGURE_DEPENDS bindings/python/*.cc)
  pybind11_add_module(bowerbird_python MODULE EXCLUDE_FROM_ALL ${python_sources})
  set_target_properties(bowerbird_python PROPERTIES OUTPUT_NAME _core BUILD_RPATH ${CMAKE_BINARY_DIR}
    INSTALL_RPATH "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/bowerbird)
  target_link_libraries(bowerbird_python PRIVATE bowerbird_library)
  if(BOWERBIRD_SANITIZE)
    target_compile_options(bowerbird_python PRIVATE -fsanitize=${BOWERBIRD_SANITIZE} -fno-sanitize-recover=all)
    target_link_options(bowerbird_python PRIVATE -fsanitize=${BOWERBIRD_SANITIZE})
  endif()
  # The package of the build tree refers to the sources.
  file(GLOB python_files CONFIGURE_DEPENDS bindings/python/bowerbird/*)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/python/bowerbird)
  foreach(file ${python_files})
    get_filename_component(name ${file} NAME)
    file(CREATE_LINK ${file} ${CMAKE_BINARY_DIR}/python/bowerbird/${name} SYMBOLIC)
  endforeach()
endif()
