# Installs the build tree BUILD into a fresh prefix below SCRATCH; with that a project outside the tree builds and runs
# the kernel of the README, which has to print what its last comment says. The installed tools have to start.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed (${status}): ${ARGN}\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(READ ${README} readme)
# Matches are as long as possible, so the first program is cut out by hand.
string(FIND "${readme}" "```cpp\n" start)
if(start EQUAL -1)
  message(FATAL_ERROR "${README} holds no C++ program")
endif()
math(EXPR start "${start} + 7")
string(SUBSTRING "${readme}" ${start} -1 kernel)
string(FIND "${kernel}" "\n```" end)
string(SUBSTRING "${kernel}" 0 ${end} kernel)
if(NOT kernel MATCHES "printf[^\n]*// ([^\n]*)\n}")
  message(FATAL_ERROR "the program of ${README} does not say what it prints")
endif()
set(expected "${CMAKE_MATCH_1}\n")

file(REMOVE_RECURSE ${SCRATCH})
file(WRITE ${SCRATCH}/kernel.cpp "${kernel}\n")
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
# Moved, to show that nothing in it holds the place it was installed to.
file(RENAME ${SCRATCH}/prefix ${SCRATCH}/moved)
run(${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${SCRATCH}/build
    -DKERNEL_SOURCE=${SCRATCH}/kernel.cpp -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${SCRATCH}/moved
    -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)

set(ENV{TESSERA_CACHE_DIR} ${SCRATCH}/cache)
run(${SCRATCH}/build/consumer)
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "the program printed\n${output}instead of\n${expected}")
endif()
file(GLOB tools ${SCRATCH}/moved/bin/*)
foreach(tool ${tools})
  run(${tool} --help)
endforeach()
