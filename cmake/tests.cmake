# One test program per folder of src/ (from its *_test.cc), one for tests/. Tests whose name or suite ends in Full take
# minutes: they get the label full, and only ./test --full runs them.
enable_testing()
find_package(GTest REQUIRED)
include(GoogleTest)

# Folders that read untrusted bytes: ./test also runs these under ASan and UBSan.
add_custom_target(readers)

# Paths, only for the few sources that need them: with paths in all of them, checkouts could not share a compiler cache.
function(bowerbird_folders)
  foreach(source ${ARGN})
    file(STRINGS ${source} asks REGEX "BOWERBIRD_SOURCE_DIR|BOWERBIRD_BINARY|io_test_data\\.h|fleet_testing\\.h" LIMIT_COUNT 1)
    if(asks)
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS
        BOWERBIRD_SOURCE_DIR="${CMAKE_SOURCE_DIR}" BOWERBIRD_BINARY="${CMAKE_BINARY_DIR}/bowerbird")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    endif()
  endforeach()
endfunction()

function(bowerbird_test name library)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE ${library} GTest::gtest GTest::gmock GTest::gtest_main)
  # Tests run once and compile often: only those that compute much themselves, with naive versions, are optimised more.
  if(name MATCHES "^(frontier|graph|lab)_test$")
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  else()
    target_compile_options(${name} PRIVATE $<IF:$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>,-O1,-O0>)
  endif()
  bowerbird_folders(${ARGN})
  gtest_discover_tests(${name} TEST_FILTER "-*Full:*Full.*:*Full/*" TEST_LIST ${name}_quick DISCOVERY_MODE PRE_TEST
                       DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600 LABELS ${name})
  gtest_discover_tests(${name} TEST_FILTER "*Full:*Full.*:*Full/*" TEST_LIST ${name}_full DISCOVERY_MODE PRE_TEST
                       DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 1800 LABELS "${name}_full")
endfunction()

file(GLOB BOWERBIRD_FOLDERS LIST_DIRECTORIES true RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS src/*)
foreach(folder ${BOWERBIRD_FOLDERS})
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS src/${folder}/*_test.cc)
  if(tests)
    if(folder IN_LIST BOWERBIRD_READERS)
      bowerbird_test(${folder}_test bowerbird_readers ${tests})
      add_dependencies(readers ${folder}_test)
    else()
      bowerbird_test(${folder}_test bowerbird_core ${tests})
      bowerbird_by_folder(${folder}_test ${tests})
    endif()
  endif()
endforeach()
file(GLOB tests CONFIGURE_DEPENDS tests/*.cc)
if(tests)
  bowerbird_test(across_test bowerbird_core ${tests})
  target_include_directories(across_test PRIVATE tests)
  bowerbird_by_folder(across_test ${tests})
  add_dependencies(across_test bowerbird)
endif()

# Used by tools/chaos.
add_executable(fleet_accounts tools/fleet_accounts.cc)
target_link_libraries(fleet_accounts PRIVATE bowerbird_core)
