#!/usr/bin/env bash
# Tests of ./dev that need no build: usage errors, help, and the package logic against stand-ins for dpkg, apt and id.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failures=0
passes=0

# check NAME CONDITION...: counts one case.
check() {
  local name=$1
  shift
  if "$@"; then
    passes=$((passes + 1))
  else
    failures=$((failures + 1))
    printf 'FAILED: %s\n--- stdout\n%s\n--- stderr\n%s\n--- status %s\n' "$name" "$out" "$err" "$status"
  fi
}

# capture COMMAND...: sets out, err and status.
capture() {
  status=0
  "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  out=$(<"$scratch/out")
  err=$(<"$scratch/err")
}

# standIn NAME: a command of that name in the stand-in folder; standard input is its script.
standIn() {
  local path=$scratch/bin/$1
  { echo '#!/bin/bash' && cat; } >"$path"
  chmod +x "$path"
}

# withStandIns COMMAND...: runs with only the stand-ins and the plain tools that ./dev uses.
withStandIns() {
  env -i PATH="$scratch/bin" "$@"
}

oneLine() { [[ -n $1 && $(wc -l <<<"$1") -eq 1 ]]; }
usageErrorSays() { [[ $status -eq 2 && -z $out && $err == *"$1"* ]] && oneLine "$err"; }
failureSays() { [[ $status -eq 1 && $err == *"$1"* ]]; }

testUsage() {
  capture "$root/dev" nonsense
  check "unknown command" usageErrorSays "unknown command 'nonsense'"
  capture "$root/dev"
  check "no command" usageErrorSays "no command given"
  capture "$root/dev" build fast
  check "unknown preset" usageErrorSays "unknown preset 'fast', expected one of: release debug asan tsan"
  capture "$root/dev" build release debug
  check "two presets" usageErrorSays "build takes one preset"
  capture "$root/dev" test --preset
  check "preset without value" usageErrorSays "unknown preset ''"
  capture "$root/dev" test --fast
  check "unknown option of test" usageErrorSays "unknown option '--fast' of test"
  capture "$root/dev" test one two
  check "two filters" usageErrorSays "test takes one filter"
  capture "$root/dev" format all
  check "unknown argument of format" usageErrorSays "format takes only --check, got: all"
  capture "$root/dev" lint no/such/file.cpp
  check "missing file of lint" usageErrorSays "no such file: no/such/file.cpp"
  capture "$root/dev" clean release
  check "argument of clean" usageErrorSays "clean takes no argument"
}

helpIsPrinted() { [[ $status -eq 0 && -z $err && $out == "usage: ./dev $1"* ]]; }

testHelp() {
  local command
  capture "$root/dev" --help
  check "main help" helpIsPrinted COMMAND
  for command in demo test build bench format lint clean; do
    capture "$root/dev" "$command" --help
    check "help of $command" helpIsPrinted "$command"
  done
  ln -s "$root/dev" "$scratch/a link"
  capture env -C / -u HOME -u TERM "$scratch/a link" clean --help
  check "through a link, from another folder, without HOME and TERM" helpIsPrinted clean
}

# prepareStandIns: a machine that has every package but two, and an apt-get that records how it was called.
prepareStandIns() {
  local tool
  mkdir "$scratch/bin"
  for tool in bash env dirname readlink cat awk realpath; do
    ln -s "$(command -v "$tool")" "$scratch/bin/$tool"
  done
  standIn dpkg-query <<'SH'
shift 2
for name; do
  case $name in
  libfmt-dev) echo "config-files $name" ;;
  lld-22) ;;
  *) echo "installed $name" ;;
  esac
done
exit 1
SH
  standIn apt-get <<SH
echo "\$*" >>'$scratch/apt.log'
SH
  standIn id <<<'echo 0'
  # The build stops here: what comes after the packages is not the subject.
  standIn cmake <<<'exit 1'
}

installsOnlyMissing() {
  [[ $(wc -l <"$scratch/apt.log") -eq 2 ]] &&
    [[ $(sed -n 1p "$scratch/apt.log") == *" update" ]] &&
    [[ $(sed -n 2p "$scratch/apt.log") == *" install -y --no-install-recommends lld-22 libfmt-dev" ]]
}
calledNoApt() { [[ ! -e $scratch/apt.log && $out == *"all packages are installed"* ]]; }

testPackages() {
  prepareStandIns
  capture withStandIns "$root/dev" build
  check "installs only what is missing, after one update" installsOnlyMissing
  rm "$scratch/apt.log"

  standIn id <<<'echo 1000'
  capture withStandIns "$root/dev" build
  check "not root" failureSays "as root: apt-get update && apt-get install -y --no-install-recommends lld-22 libfmt-dev"
  check "not root calls no apt" test ! -e "$scratch/apt.log"
  standIn id <<<'echo 0'

  standIn apt-get <<<'exit 100'
  capture withStandIns "$root/dev" build
  check "no network" failureSays "apt-get update failed"

  rm "$scratch/bin/apt-get"
  capture withStandIns "$root/dev" build
  check "no apt" failureSays "apt-get is missing; these packages have to be installed: lld-22 libfmt-dev"

  standIn dpkg-query <<<'exit 1'
  capture withStandIns "$root/dev" build
  check "everything missing" failureSays "have to be installed: clang-22 lld-22 "

  standIn dpkg-query <<'SH'
shift 2
printf 'installed %s\n' "$@"
SH
  capture withStandIns "$root/dev" build
  check "nothing missing" calledNoApt

  rm "$scratch/bin/dpkg-query"
  capture withStandIns "$root/dev" build
  check "no Debian" failureSays "this is no Debian system"
}

countsTo() { [[ $out == $'\n'"$1" ]]; }

testCounting() {
  cat >"$scratch/LastTest.log" <<'LOG'
1/4 Test: unit
[  PASSED  ] 12 tests.
Test Passed.
2/4 Test: lit
  Passed: 201 (99.50%)
  Failed:   1 (0.50%)
Test Failed.
3/4 Test: crashing
Test Failed.
4/4 Test: plain
Test Passed.
LOG
  capture awk -f "$root/scripts/count_tests.awk" "$scratch/LastTest.log"
  check "closing line" countsTo "214 passed, 2 failed"
}

testUsage
testHelp
testPackages
testCounting
printf '  Passed: %d\n  Failed: %d\n' "$passes" "$failures"
[[ $failures -eq 0 ]]
