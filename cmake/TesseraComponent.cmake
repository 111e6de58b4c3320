# tessera_component(NAME SOURCES...) declares one component as an object library.
# tessera_mlir_component(NAME SOURCES...) does the same for one that includes MLIR headers: they share one precompiled
# header, which `tessera_ir` owns (specifics in tilelang/ir/pch.h).
# tessera_public_headers(HEADERS...) names those of the current folder that are installed. They include no MLIR and,
# from the project, only other public headers (scripts/check_includes.sh).
set(TESSERA_COMPONENTS "" CACHE INTERNAL "object libraries that make up libtessera")

function(tessera_component name)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  target_include_directories(${name} SYSTEM PRIVATE ${XXHASH_INCLUDE})
  target_link_libraries(${name} PUBLIC fmt::fmt nlohmann_json::nlohmann_json Threads::Threads)
  set(TESSERA_COMPONENTS ${TESSERA_COMPONENTS} ${name} CACHE INTERNAL "")
endfunction()

function(tessera_mlir_component name)
  tessera_component(${name} ${ARGN})
  target_include_directories(${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  if(name STREQUAL tessera_ir)
    target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tilelang/ir/pch.h)
  else()
    target_precompile_headers(${name} REUSE_FROM tessera_ir)
    add_dependencies(${name} TesseraTileIncGen)
  endif()
endfunction()

function(tessera_public_headers)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  list(TRANSFORM ARGN PREPEND ${folder}/)
  set_property(GLOBAL APPEND PROPERTY TESSERA_PUBLIC_HEADERS ${ARGN})
endfunction()
