# The one library users link: every component, against the shared MLIR and LLVM (never a component archive beside them).
foreach(component ${TESSERA_COMPONENTS})
  list(APPEND objects $<TARGET_OBJECTS:${component}>)
endforeach()
add_library(tessera SHARED ${objects})
set_target_properties(tessera PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0 LINKER_LANGUAGE CXX)
target_link_libraries(tessera
  PRIVATE MLIR LLVM ${SLEEF_LIBRARY} ${XXHASH_LIBRARY} Threads::Threads
  PUBLIC $<BUILD_INTERFACE:fmt::fmt>)
# The identifier of the build is part of the keys of the kernel cache.
target_link_options(tessera PRIVATE LINKER:--build-id=fast)
target_include_directories(tessera PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tessera>)
target_compile_features(tessera PUBLIC cxx_std_20)
add_library(Tessera::tessera ALIAS tessera)
if(TESSERA_SANITIZE)
  target_link_libraries(tessera INTERFACE $<BUILD_INTERFACE:$<TARGET_OBJECTS:sanitizer_options>>)
endif()
