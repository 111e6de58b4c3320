# Compiler flags shared by every target: warnings, linker, sanitizers, compiler cache.
option(TESSERA_WERROR "treat warnings as errors" ON)

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 22)
  message(FATAL_ERROR "Tessera is built with clang 22, found ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}; use a preset (cmake --preset release)")
endif()

# -fPIC everywhere, executables too: one precompiled header serves both.
add_compile_options(-fPIC)
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers
  # libstdc++ 12's stable_sort uses what it declares deprecated itself.
  -Wno-deprecated-declarations -fdiagnostics-color=always)
if(TESSERA_WERROR)
  add_compile_options(-Werror)
endif()
add_link_options(-fuse-ld=lld)

include(TesseraSanitizers)

find_program(TESSERA_CCACHE ccache)
if(TESSERA_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${TESSERA_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TESSERA_CCACHE})
endif()
