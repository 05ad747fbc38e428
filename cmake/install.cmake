# `cmake --install`, and a .deb by CPack. Man page and completions are printed by the program itself, so that they
# cannot differ from --help.

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
add_custom_target(texts ALL DEPENDS ${outputs})

install(TARGETS bowerbird RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${texts}/bowerbird.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${texts}/bowerbird.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME bowerbird)
install(FILES ${texts}/_bowerbird DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${texts}/bowerbird.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES packaging/prometheus/alerts.yml DESTINATION ${CMAKE_INSTALL_DATADIR}/bowerbird/prometheus)
install(FILES packaging/grafana/bowerbird.json DESTINATION ${CMAKE_INSTALL_DATADIR}/bowerbird/grafana)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Bowerbird maintainers <maintainers@bowerbird.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS publicsuffix)
set(CPACK_STRIP_FILES ON)
include(CPack)
