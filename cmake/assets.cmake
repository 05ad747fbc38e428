# src/dash/assets/* as arrays in the program: asset("page.css"), asset("live/app.js") (dash/assets.h). The build needs
# no npm; plot.js is a bundle that is checked in (tools/charts updates it).
file(GLOB BOWERBIRD_ASSETS CONFIGURE_DEPENDS LIST_DIRECTORIES false src/dash/assets/* src/dash/assets/live/*)
set(assets_source ${CMAKE_BINARY_DIR}/generated/assets.cc)
add_custom_command(OUTPUT ${assets_source}
  COMMAND ${CMAKE_COMMAND} -DOUT=${assets_source} -DROOT=${CMAKE_SOURCE_DIR}/src/dash/assets "-DFILES=${BOWERBIRD_ASSETS}" -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${BOWERBIRD_ASSETS} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
target_sources(bowerbird_core PRIVATE ${assets_source})
