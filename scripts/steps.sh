# shellcheck shell=bash
# Steps with their times, configure and build; sourced by ./dev, which has made the repository root the current folder.

readonly presets=(release debug asan tsan)
stepTimes=()

# fail MESSAGE: the work cannot go on.
fail() {
  printf 'dev: %s\n' "$1" >&2
  exit 1
}

# usageError MESSAGE: the command line is wrong.
usageError() {
  printf 'dev: %s (see ./dev --help)\n' "$1" >&2
  exit 2
}

requirePreset() {
  local known
  for known in "${presets[@]}"; do
    [[ $1 != "$known" ]] || return 0
  done
  usageError "unknown preset '$1', expected one of: ${presets[*]}"
}

# fromRoot FILE: a file argument, which the caller gave relative to their folder, seen from the repository root.
fromRoot() {
  [[ $1 == /* ]] && realpath -m --relative-to="$root" -- "$1" && return
  realpath -m --relative-to="$root" -- "$caller/$1"
}

# tryStep NAME COMMAND...: runs one step, notes its time and returns its status.
tryStep() {
  local name=$1 began=$SECONDS status=0
  shift
  printf '\n==> %s\n' "$name"
  "$@" || status=$?
  stepTimes+=("$((SECONDS - began)) s|$name")
  return "$status"
}

# step NAME COMMAND...: the same, and ends the whole command when the step fails.
step() {
  tryStep "$@" || fail "step failed: $1"
}

printStepTimes() {
  local entry
  printf '\ntime per step:\n'
  for entry in "${stepTimes[@]}"; do
    printf '%8s  %s\n' "${entry%%|*}" "${entry#*|}"
  done
}

# configure PRESET: runs CMake where its input has changed. Only the presets are not among what ninja watches.
configure() {
  local folder=build/$1
  if [[ -f $folder/configured && ! CMakePresets.json -nt $folder/configured ]]; then
    ninja -C "$folder" --quiet build.ninja
  else
    cmake --preset "$1" && touch "$folder/configured"
  fi
}

# build PRESET [TARGET...]: without targets, those that the preset names.
build() {
  local preset=$1
  shift
  local targets=()
  [[ $# -eq 0 ]] || targets=(--target "$@")
  useWritableCompilerCache
  NINJA_STATUS='[%f/%t %es] ' cmake --build --preset "$preset" --parallel "$(nproc)" "${targets[@]}"
}

# ccache keeps its files in the home folder; where there is none, in the build folder.
useWritableCompilerCache() {
  [[ -z ${CCACHE_DIR:-} ]] || return 0
  [[ -n ${HOME:-} && -w ${HOME:-} ]] || export CCACHE_DIR=$root/build/ccache
}
