# bowerbird-frontier, the program behind `bowerbird frontier serve`: only if gRPC is installed (libgrpc++-dev,
# libprotobuf-dev, protobuf-compiler-grpc), and on request: `ninja bowerbird_frontier`. gRPC brings dozens of libraries, so
# `bowerbird` itself does not use it.
pkg_check_modules(GRPC IMPORTED_TARGET grpc++ protobuf)
find_program(PROTOC protoc)
find_program(GRPC_PLUGIN grpc_cpp_plugin)
if(NOT (GRPC_FOUND AND PROTOC AND GRPC_PLUGIN))
  message(STATUS "bowerbird-frontier is left out: libgrpc++-dev or protobuf-compiler-grpc is not installed")
  return()
endif()

set(protos ${CMAKE_SOURCE_DIR}/bindings/urlfrontier)
set(made ${CMAKE_BINARY_DIR}/generated/urlfrontier_grpc)
file(MAKE_DIRECTORY ${made})
add_custom_command(
  OUTPUT ${made}/urlfrontier.pb.cc ${made}/urlfrontier.pb.h ${made}/urlfrontier.grpc.pb.cc ${made}/urlfrontier.grpc.pb.h
         ${made}/stored.pb.cc ${made}/stored.pb.h
  COMMAND ${PROTOC} -I ${protos} --cpp_out=${made}
          --grpc_out=additional_header_includes=broken_messages.h:${made} --plugin=protoc-gen-grpc=${GRPC_PLUGIN}
          ${protos}/urlfrontier.proto
  COMMAND ${PROTOC} -I ${protos} --cpp_out=${made} ${protos}/stored.proto
  DEPENDS ${protos}/urlfrontier.proto ${protos}/stored.proto VERBATIM)
# Without our warnings: the generated sources are not ours.
add_library(bowerbird_protos STATIC EXCLUDE_FROM_ALL ${made}/urlfrontier.pb.cc ${made}/urlfrontier.grpc.pb.cc ${made}/stored.pb.cc)
target_include_directories(bowerbird_protos SYSTEM PUBLIC ${made} PUBLIC ${protos})
target_link_libraries(bowerbird_protos PUBLIC PkgConfig::GRPC)

file(GLOB frontier_sources CONFIGURE_DEPENDS bindings/urlfrontier/*.cc)
add_executable(bowerbird_frontier EXCLUDE_FROM_ALL ${frontier_sources})
set_target_properties(bowerbird_frontier PROPERTIES OUTPUT_NAME bowerbird-frontier)
target_link_libraries(bowerbird_frontier PRIVATE bowerbird_core bowerbird_protos)
