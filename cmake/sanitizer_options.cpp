// What the sanitizer run times must know about this project, in every program of a sanitizer build; each runtime asks
// for its own. The environment (ASAN_OPTIONS, TSAN_OPTIONS, UBSAN_OPTIONS) can still override all of it.

#define SYMBOLIZER "external_symbolizer_path=" TESSERA_SYMBOLIZER

// allow_user_poisoning: LLVM's bump allocator poisons what is free, but the half of it that is inlined into our code
// does and the half inside libMLIR does not, which comes out as wrong reports. detect_stack_use_after_return stays at
// its default; strings and initialisation order are checked beyond it.
extern "C" const char *__asan_default_options() {
  return SYMBOLIZER ":allow_user_poisoning=0:strict_string_checks=1:check_initialization_order=1";
}

extern "C" const char *__ubsan_default_options() { return SYMBOLIZER ":print_stacktrace=1"; }

// ignore_noninstrumented_modules: what libMLIR and libLLVM do to their own memory goes through atomics that the run
// time cannot see.
extern "C" const char *__tsan_default_options() {
  return SYMBOLIZER ":ignore_noninstrumented_modules=1:second_deadlock_stack=1";
}
