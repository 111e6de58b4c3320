# shellcheck shell=bash
# ./dev test: the release build with every test, then the unit tests and fuzzers under the sanitizers.

testHelp() {
  cat <<'HELP'
usage: ./dev test [--preset PRESET] [FILTER]

Without arguments: builds everything, runs every test (layout of the sources included), then builds and runs the
unit tests and short fuzzer runs with the address and undefined-behaviour sanitizers, and the unit tests with the
thread sanitizer (both with assertions on).

  FILTER           only the tests whose name matches this regular expression or, with a slash in it, the lit tests
                   of this file or folder; builds only what these need
  --preset PRESET  run this preset only: release (the default with a filter), debug, asan or tsan

GTEST_FILTER in the environment selects single cases of the unit tests.
HELP
}

testCommand() {
  local preset='' filter=''
  while [[ $# -gt 0 ]]; do
    case $1 in
    --preset)
      requirePreset "${2:-}"
      preset=$2
      shift
      ;;
    -*) usageError "unknown option '$1' of test" ;;
    *)
      [[ -z $filter ]] || usageError "test takes one filter, got: $filter $1"
      filter=$1
      ;;
    esac
    shift
  done
  step "packages" needPackages build format
  if [[ -n $filter ]]; then
    testSome "${preset:-release}" "$filter"
  elif [[ -n $preset ]]; then
    testPresets "$preset"
  else
    testPresets release asan tsan
  fi
}

# testPresets PRESET...: a failing test does not keep the later presets from running.
testPresets() {
  local preset failed=0
  for preset in "$@"; do
    step "configure $preset" configure "$preset"
    step "build $preset" build "$preset"
    tryStep "test $preset" runTests "$preset" || failed=1
  done
  printStepTimes
  countTests "$@"
  return "$failed"
}

# testSome PRESET FILTER
testSome() {
  local preset=$1 filter=$2 names failed=0
  step "configure $preset" configure "$preset"
  if [[ $filter == */* ]]; then
    LIT_FILTER=$(fromRoot "$filter")
    export LIT_FILTER
    filter='^lit$'
  fi
  mapfile -t names < <(ctest --test-dir "build/$preset" -N -R "$filter" | sed -n 's/^ *Test *#[0-9]*: //p')
  [[ ${#names[@]} -gt 0 ]] || fail "no test of preset $preset matches '$filter'"
  buildTests "$preset" "${names[@]}"
  runTests "$preset" -R "$filter" || failed=1
  countTests "$preset"
  return "$failed"
}

# buildTests PRESET TEST...: a test that is not built by a target of its name needs the whole build.
buildTests() {
  local preset=$1 name
  shift
  for name in "$@"; do
    if ! ninja -C "build/$preset" -t query "$name" >/dev/null 2>&1; then
      step "build $preset" build "$preset"
      return
    fi
  done
  step "build $*" build "$preset" "$@"
}

# runTests PRESET [CTEST ARGUMENTS]
runTests() {
  local preset=$1
  shift
  ctest --preset "$preset" --parallel "$(nproc)" --no-tests=error "$@"
}

# countTests PRESET...: the closing line. GoogleTest and lit say how many cases they ran, any other test is one case.
countTests() {
  local preset logs=()
  for preset in "$@"; do
    logs+=("build/$preset/Testing/Temporary/LastTest.log")
  done
  awk -f scripts/count_tests.awk "${logs[@]}"
}
