# `cmake --install`: public headers, library, tools and chip files, found again with find_package(Tessera).
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)
install(TARGETS tessera EXPORT TesseraTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT TesseraTargets NAMESPACE Tessera:: DESTINATION ${package_folder})

install(TARGETS ${TESSERA_TOOLS} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

get_property(public_headers GLOBAL PROPERTY TESSERA_PUBLIC_HEADERS)
foreach(header ${public_headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera/${folder})
endforeach()

if(EXISTS ${PROJECT_SOURCE_DIR}/chips)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/chips DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/TesseraConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/TesseraConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TesseraConfig.cmake ${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
        DESTINATION ${package_folder})
