# TESSERA_SANITIZE turns sanitizers on for all of our code; MLIR and LLVM come from the distribution without them.
# TESSERA_TEST_ENVIRONMENT is what every test needs in its environment.
set(TESSERA_SANITIZE "" CACHE STRING "sanitizers to build with, such as address,undefined or thread")
set(symbolizer external_symbolizer_path=/usr/lib/llvm-22/bin/llvm-symbolizer)
set(TESSERA_TEST_ENVIRONMENT "")

if(TESSERA_SANITIZE)
  add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # These two look at type information of classes that live in the MLIR libraries, which hide it.
  add_compile_options(-fno-sanitize=vptr,function)
  add_link_options(-fsanitize=${TESSERA_SANITIZE})
endif()

if(TESSERA_SANITIZE MATCHES "address")
  # Coverage counters everywhere, so that the fuzzers of this build find their way into the library.
  add_compile_options(-fsanitize=fuzzer-no-link)
  list(APPEND TESSERA_TEST_ENVIRONMENT
       ASAN_OPTIONS=${symbolizer}:strict_string_checks=1:check_initialization_order=1
       UBSAN_OPTIONS=${symbolizer}:print_stacktrace=1)
elseif(TESSERA_SANITIZE MATCHES "thread")
  # What the MLIR and LLVM libraries do to their own memory goes through atomics that cannot be seen.
  list(APPEND TESSERA_TEST_ENVIRONMENT
       TSAN_OPTIONS=${symbolizer}:ignore_noninstrumented_modules=1:second_deadlock_stack=1)
endif()
