# TESSERA_SANITIZE turns sanitizers on for all of our code; MLIR and LLVM come from the distribution without them.
# Every program that links the library gets the options in sanitizer_options.cpp (see TesseraLibrary.cmake).
set(TESSERA_SANITIZE "" CACHE STRING "sanitizers to build with, such as address,undefined or thread")
if(NOT TESSERA_SANITIZE)
  return()
endif()

add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
# These two look at type information of classes that live in the MLIR libraries, which hide it.
add_compile_options(-fno-sanitize=vptr,function)
add_link_options(-fsanitize=${TESSERA_SANITIZE})
if(TESSERA_SANITIZE MATCHES "address")
  # Coverage counters everywhere, so that the fuzzers of this build find their way into the library.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Runs before the run time it configures is ready, so without instrumentation.
add_library(sanitizer_options OBJECT ${PROJECT_SOURCE_DIR}/cmake/sanitizer_options.cpp)
target_compile_options(sanitizer_options PRIVATE -fno-sanitize=all -fno-sanitize=fuzzer-no-link)
target_compile_definitions(sanitizer_options PRIVATE TESSERA_SYMBOLIZER="/usr/lib/llvm-22/bin/llvm-symbolizer")
