# tessera_test(NAME SOURCES...) is one GoogleTest program; lit files lie beside what they test and run as the test `lit`.
# Tests bear one of these labels: unit (also run under the sanitizers), lit, fuzz, install, tool. A test that is too
# slow for the sanitizers takes another label with set_tests_properties(NAME PROPERTIES LABELS ...). A target of a test's
# name builds what it needs.
add_custom_target(tessera_unit_tests COMMENT "programs of the unit tests")

function(tessera_test name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE tessera GTest::gtest_main nlohmann_json::nlohmann_json)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 600 ENVIRONMENT TESSERA_CACHE_DIR=)
  add_dependencies(tessera_unit_tests ${name})
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

include(TesseraFuzz)

# Test and fuzz folders are found, not listed: a new one needs no other change.
file(GLOB test_lists CONFIGURE_DEPENDS
     "${PROJECT_SOURCE_DIR}/*/test/CMakeLists.txt" "${PROJECT_SOURCE_DIR}/*/fuzz/CMakeLists.txt"
     "${PROJECT_SOURCE_DIR}/tilelang/*/test/CMakeLists.txt" "${PROJECT_SOURCE_DIR}/tilelang/*/fuzz/CMakeLists.txt")
foreach(list ${test_lists})
  get_filename_component(folder ${list} DIRECTORY)
  add_subdirectory(${folder})
endforeach()

configure_file(${PROJECT_SOURCE_DIR}/cmake/lit.site.cfg.py.in ${PROJECT_BINARY_DIR}/lit/lit.site.cfg.py @ONLY)
add_custom_target(lit DEPENDS ${TESSERA_TOOLS})
add_test(NAME lit COMMAND ${LLVM_TOOLS_BINARY_DIR}/lit -sv --timeout 120 ${PROJECT_BINARY_DIR}/lit)
set_tests_properties(lit PROPERTIES LABELS lit TIMEOUT 1200)
