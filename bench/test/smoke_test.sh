#!/usr/bin/env bash
# Runs a command until it succeeds or has nothing to judge (77), at most three times.
set -euo pipefail
for turn in 1 2 3; do
  status=0
  "$@" || status=$?
  [[ $status == 1 ]] || exit "$status"
  echo "turn $turn failed" >&2
done
exit 1
