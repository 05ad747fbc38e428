# `cmake --install`, and a .deb by CPack (docs/install.md). Manual page and completions are printed by the program
# itself, so that they cannot differ from --help. Both use what the release preset has built.
set(texts ${CMAKE_BINARY_DIR}/texts)
set(outputs)
function(bowerbird_text file)
  add_custom_command(OUTPUT ${texts}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${texts}
    COMMAND bowerbird ${ARGN} > ${texts}/${file}
    DEPENDS bowerbird VERBATIM)
  set(outputs ${outputs} ${texts}/${file} PARENT_SCOPE)
endfunction()
bowerbird_text(bowerbird.1 man)
bowerbird_text(bowerbird.bash completion bash)
bowerbird_text(_bowerbird completion zsh)
bowerbird_text(bowerbird.fish completion fish)
add_custom_command(OUTPUT ${texts}/bowerbird.1.gz
  COMMAND gzip -9nc ${texts}/bowerbird.1 > ${texts}/bowerbird.1.gz DEPENDS ${texts}/bowerbird.1 VERBATIM)
# The changelog that Debian's tools expect; dated by SOURCE_DATE_EPOCH, if it is set.
configure_file(packaging/copyright.in ${texts}/copyright @ONLY)
string(TIMESTAMP changelog_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(packaging/changelog.in ${texts}/changelog @ONLY)
add_custom_command(OUTPUT ${texts}/changelog.gz
  COMMAND gzip -9nc ${texts}/changelog > ${texts}/changelog.gz DEPENDS ${texts}/changelog VERBATIM)
add_custom_target(texts ALL DEPENDS ${outputs} ${texts}/bowerbird.1.gz ${texts}/changelog.gz)

install(TARGETS bowerbird RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${texts}/bowerbird.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${texts}/bowerbird.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME bowerbird)
install(FILES ${texts}/_bowerbird DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${texts}/bowerbird.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES README.md CHANGELOG.md ${texts}/copyright ${texts}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES packaging/example.toml DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES packaging/bowerbird@.service packaging/bowerbird@.timer DESTINATION lib/systemd/system)
# The folder of the services' options. A tree with another prefix than /usr has none: its units say where they look.
install(CODE [[
  if(CMAKE_INSTALL_PREFIX MATCHES "/usr$")
    get_filename_component(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/.." ABSOLUTE)
    file(MAKE_DIRECTORY "${root}/etc/bowerbird")
  endif()
]])

# The library with its headers, for find_package(bowerbird) and pkg-config: component `library`, after
# `ninja bowerbird_library`; `cmake --install build/release --component library --prefix DIR`.
include(CMakePackageConfigHelpers)
install(TARGETS bowerbird_library EXPORT bowerbird LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  NAMELINK_COMPONENT library EXCLUDE_FROM_ALL)
install(DIRECTORY include/bowerbird DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN *.h)
install(EXPORT bowerbird NAMESPACE bowerbird:: FILE bowerbirdConfig.cmake COMPONENT library EXCLUDE_FROM_ALL
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bowerbird)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/bowerbirdConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH includes_from_lib /${CMAKE_INSTALL_LIBDIR} /${CMAKE_INSTALL_INCLUDEDIR})
configure_file(cmake/bowerbird.pc.in ${CMAKE_BINARY_DIR}/bowerbird.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/bowerbirdConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bowerbird
  COMPONENT library EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_BINARY_DIR}/bowerbird.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library
  EXCLUDE_FROM_ALL)
# The Python module: component `python`, after `ninja bowerbird_python`.
if(TARGET bowerbird_python)
  set(python_folder lib/python3/dist-packages/bowerbird)
  install(TARGETS bowerbird_python LIBRARY DESTINATION ${python_folder} COMPONENT python EXCLUDE_FROM_ALL)
  install(DIRECTORY bindings/python/bowerbird/ DESTINATION ${python_folder} COMPONENT python EXCLUDE_FROM_ALL
    FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed PATTERN __pycache__ EXCLUDE)
endif()
install(FILES packaging/prometheus/alerts.yml DESTINATION ${CMAKE_INSTALL_DATADIR}/bowerbird/prometheus)
install(FILES packaging/grafana/bowerbird.json DESTINATION ${CMAKE_INSTALL_DATADIR}/bowerbird/grafana)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Bowerbird maintainers <maintainers@bowerbird.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "web crawler that fetches the most important pages first")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Bowerbird crawls the Web in the order of the importance of pages, stores them\nas WARC files, and resumes after \
any interruption. It obeys robots.txt, keeps\npages fresh, shares a crawl among processes, and shows captured pages\n\
in a browser. Its lab compares crawl orderings on web graphs.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "publicsuffix, ca-certificates")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS poppler-utils)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS nats-server)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_STRIP_FILES ON)
include(CPack)
