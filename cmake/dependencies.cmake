# Every library comes from a Debian package named in tools/packages.txt.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PSL REQUIRED IMPORTED_TARGET libpsl)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(BROTLI REQUIRED IMPORTED_TARGET libbrotlienc libbrotlidec)
pkg_check_modules(NGHTTP2 REQUIRED IMPORTED_TARGET libnghttp2)
pkg_check_modules(CARES REQUIRED IMPORTED_TARGET libcares)
pkg_check_modules(NATS REQUIRED IMPORTED_TARGET libnats)
find_package(CURL REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(EXPAT REQUIRED)
pkg_check_modules(ICU REQUIRED IMPORTED_TARGET icu-uc)
pkg_check_modules(RE2 REQUIRED re2)
find_library(CLD2_LIBRARY cld2 REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(TOMLPLUSPLUS REQUIRED tomlplusplus)  # used as headers alone

add_library(bowerbird_deps INTERFACE)
target_link_libraries(bowerbird_deps INTERFACE
  Threads::Threads fmt::fmt PkgConfig::PSL PkgConfig::ZSTD PkgConfig::DEFLATE PkgConfig::BROTLI PkgConfig::NGHTTP2 PkgConfig::ICU
  PkgConfig::CARES PkgConfig::NATS CURL::libcurl
  OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB EXPAT::EXPAT nlohmann_json::nlohmann_json
  ${CLD2_LIBRARY} ${RE2_LINK_LIBRARIES})
