# One program per question in bench/: `ninja benches` builds them all.
find_package(benchmark REQUIRED)
add_custom_target(benches)
file(GLOB benches CONFIGURE_DEPENDS bench/*_bench.cc)
foreach(source ${benches})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE bowerbird_core benchmark::benchmark)
  target_compile_definitions(${name} PRIVATE BOWERBIRD_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_dependencies(benches ${name})
endforeach()

# Somebody else's URL parser, for comparison, where it is installed.
find_package(CURL QUIET)
if(CURL_FOUND)
  target_link_libraries(url_bench PRIVATE CURL::libcurl)
  target_compile_definitions(url_bench PRIVATE BOWERBIRD_HAS_CURL)
endif()
