# tessera_test(NAME SOURCES...) is one GoogleTest program; lit files lie beside what they test and run as the test `lit`.
function(tessera_test name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE tessera GTest::gtest_main nlohmann_json::nlohmann_json)
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# A test that includes MLIR headers.
function(tessera_mlir_test name)
  tessera_test(${name} ${ARGN})
  target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_link_libraries(${name} PRIVATE MLIR LLVM)
  target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  target_precompile_headers(${name} REUSE_FROM tessera_ir)
  add_dependencies(${name} TesseraTileIncGen)
endfunction()

file(GLOB test_lists CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/*/test/CMakeLists.txt"
     "${PROJECT_SOURCE_DIR}/tilelang/*/test/CMakeLists.txt")
foreach(list ${test_lists})
  get_filename_component(folder ${list} DIRECTORY)
  add_subdirectory(${folder})
endforeach()

configure_file(${PROJECT_SOURCE_DIR}/cmake/lit.site.cfg.py.in ${PROJECT_BINARY_DIR}/lit/lit.site.cfg.py @ONLY)
add_test(NAME lit COMMAND ${LLVM_TOOLS_BINARY_DIR}/lit -sv --timeout 120 ${PROJECT_BINARY_DIR}/lit)
