# tessera_fuzzer(NAME CORPUS PATTERN... RUNS N MAX_LENGTH BYTES SOURCES FILE...) is one libFuzzer program, built where the
# address sanitizer is on (preset asan). Its test runs a fixed sequence of N inputs grown from the files that the
# patterns match and writes nothing but the input that failed. CONTRIBUTING.md shows how to run it for longer.
add_custom_target(tessera_fuzzers COMMENT "fuzzers")

function(tessera_fuzzer name)
  cmake_parse_arguments(PARSE_ARGV 1 fuzzer "" "RUNS;MAX_LENGTH" "CORPUS;SOURCES")
  if(NOT TESSERA_SANITIZE MATCHES "address")
    return()
  endif()
  add_executable(${name} ${fuzzer_SOURCES})
  target_link_libraries(${name} PRIVATE tessera)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(tessera_fuzzers ${name})

  file(GLOB inputs CONFIGURE_DEPENDS ${fuzzer_CORPUS})
  list(JOIN inputs "," inputs)
  set(input_list ${CMAKE_CURRENT_BINARY_DIR}/${name}.inputs)
  file(CONFIGURE OUTPUT ${input_list} CONTENT "${inputs}")
  add_test(NAME ${name}
           COMMAND ${name} -seed=1 -runs=${fuzzer_RUNS} -max_len=${fuzzer_MAX_LENGTH} -timeout=30 -rss_limit_mb=4096
                   -seed_inputs=@${input_list} -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/)
  set_tests_properties(${name} PROPERTIES LABELS fuzz TIMEOUT 600)
endfunction()
