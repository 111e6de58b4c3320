#!/usr/bin/env bash
# The command line of tessera_bench: help, the list of cases, what it refuses, and what it writes.
set -euo pipefail
program=$1
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failures=0
passes=0

# expect NAME STATUS TEXT ARGUMENTS...: runs the program and looks for its exit status and a text in what it printed.
expect() {
  local name=$1 wanted=$2 text=$3 status=0 output
  shift 3
  output=$("$program" "$@" 2>&1) || status=$?
  if [[ $status -eq $wanted && $output == *"$text"* ]]; then
    passes=$((passes + 1))
  else
    failures=$((failures + 1))
    printf 'FAILED: %s: status %s, expected %s and "%s"\n%s\n' "$name" "$status" "$wanted" "$text" "$output"
  fi
}

expect "help" 0 "docs/benchmarks.md explains the columns" --help
expect "list" 0 "gemm_bf16_f32/4095" --list
expect "list with a filter" 0 "softmax/L2" --list softmax
expect "no such case" 2 "no case is named like 'nonsense'" nonsense
expect "no such quick case" 2 "no quick case is named like 'gemm_f32/4095'" --quick gemm_f32/4095
expect "too few samples" 2 "--samples" --samples 1
expect "negative threads" 2 "--threads" --threads -1
expect "unknown option" 2 "--fast" --fast
expect "output in no folder" 1 "cannot write $scratch/no/file" --json "$scratch/no/file" launch/1
expect "a floor out of reach" 1 "of its bar, less than 10.00" --quick --floor 10 launch/1
expect "files are written" 0 "wrote $scratch/page" --quick --json "$scratch/data" --html "$scratch/page" launch/1
if ! grep -q '"verdict"' "$scratch/data" || ! grep -q '</html>' "$scratch/page"; then
  failures=$((failures + 1))
  echo "FAILED: the files hold the report"
fi
if [[ $("$program" --list softmax) == *gemm* ]]; then
  failures=$((failures + 1))
  echo "FAILED: a filter leaves others out"
fi
printf '  Passed: %d\n  Failed: %d\n' "$passes" "$failures"
[[ $failures -eq 0 ]]
