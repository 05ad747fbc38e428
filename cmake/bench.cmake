# One program per question in bench/: `ninja benches` builds them all.
find_package(benchmark REQUIRED)
add_custom_target(benches)
# The reference of the HTML benches; without it they are not built.
pkg_check_modules(GUMBO IMPORTED_TARGET gumbo)
# storage_bench compares our storage with it; without it that bench is not built.
pkg_check_modules(ROCKSDB IMPORTED_TARGET rocksdb)
file(GLOB benches CONFIGURE_DEPENDS bench/*_bench.cc)
foreach(source ${benches})
  get_filename_component(name ${source} NAME_WE)
  if((name MATCHES "^html_" AND NOT GUMBO_FOUND) OR (name STREQUAL storage_bench AND NOT ROCKSDB_FOUND))
    continue()
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE bowerbird_core benchmark::benchmark)
  if(name MATCHES "^html_")
    target_link_libraries(${name} PRIVATE PkgConfig::GUMBO)
  elseif(name STREQUAL storage_bench)
    target_link_libraries(${name} PRIVATE PkgConfig::ROCKSDB)
  endif()
  target_compile_definitions(${name} PRIVATE BOWERBIRD_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_dependencies(benches ${name})
endforeach()

# Used by tools/train_main_text.
add_executable(main_text_features EXCLUDE_FROM_ALL bench/main_text_features.cc)
target_link_libraries(main_text_features PRIVATE bowerbird_readers)

# Another URL parser, for comparison, if it is installed.
find_package(CURL QUIET)
if(CURL_FOUND)
  target_link_libraries(url_bench PRIVATE CURL::libcurl)
  target_compile_definitions(url_bench PRIVATE BOWERBIRD_HAS_CURL)
endif()
