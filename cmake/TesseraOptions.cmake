# Compiler flags shared by every target: warnings, sanitizers, linker, compiler cache.
option(TESSERA_WERROR "treat warnings as errors" ON)
set(TESSERA_SANITIZE "" CACHE STRING "sanitizers to build with, such as address,undefined or thread")

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 22)
  message(FATAL_ERROR "Tessera is built with clang 22, found ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}; use a preset (cmake --preset release)")
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -fdiagnostics-color=always)
if(TESSERA_WERROR)
  add_compile_options(-Werror)
endif()
add_link_options(-fuse-ld=lld)

if(TESSERA_SANITIZE)
  add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # vptr checks need RTTI of classes that live in the MLIR libraries, which hide it.
  add_compile_options(-fno-sanitize=vptr,function)
  add_link_options(-fsanitize=${TESSERA_SANITIZE})
endif()

find_program(TESSERA_CCACHE ccache)
if(TESSERA_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${TESSERA_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TESSERA_CCACHE})
endif()
