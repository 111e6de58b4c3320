# shellcheck shell=bash
# ./dev format and ./dev lint.

formatHelp() {
  cat <<'HELP'
usage: ./dev format [--check]

Lays out every tracked C++ file with clang-format-22. With --check changes nothing and fails if a file would change.
HELP
}

format() {
  [[ $# -eq 0 || ($# -eq 1 && $1 == --check) ]] || usageError "format takes only --check, got: $*"
  step "packages" needPackages format
  if [[ $# -eq 0 ]]; then
    step "clang-format" clangFormat -i
  else
    step "layout of the sources" checkLayout
  fi
}

# clangFormat OPTIONS...
clangFormat() {
  listFiles '*.cpp' '*.h' | xargs -0 -r -n 32 -P "$(nproc)" clang-format-22 "$@"
}

# checkLayout: names the files that clang-format would change.
checkLayout() {
  local output files
  output=$(clangFormat --dry-run 2>&1) || { printf '%s\n' "$output" >&2 && return 1; }
  files=$(sed -n 's/:[0-9]*:[0-9]*: .*\[-Wclang-format-violations\]$//p' <<<"$output" | sort -u)
  [[ -n $files ]] || return 0
  printf 'these files are not laid out by clang-format, run ./dev format:\n%s\n' "$files" >&2
  return 1
}

# listFiles PATTERN...: the repository's files, zero-terminated: tracked or new, not ignored, not deleted.
listFiles() {
  local file
  git ls-files -z --cached --others --exclude-standard -- "$@" |
    while IFS= read -r -d '' file; do
      [[ ! -f $file ]] || printf '%s\0' "$file"
    done
}

lintHelp() {
  cat <<'HELP'
usage: ./dev lint [FILE...]

Checks that MLIR headers stay inside the compiler and out of the public headers, the shell scripts with shellcheck,
and the C++ sources with clang-tidy-22: all of them (some minutes) or those named.
HELP
}

lint() {
  local files=() file
  for file in "$@"; do
    files+=("$(fromRoot "$file")")
    [[ -f ${files[-1]} ]] || usageError "no such file: $file"
  done
  step "packages" needPackages build lint
  step "include rules" scripts/check_includes.sh
  step "shellcheck" checkShell
  step "configure release" configure release
  step "build release" build release
  step "clang-tidy" clangTidy "${files[@]}"
}

checkShell() {
  # The other scripts are sourced by dev and checked with it.
  shellcheck --external-sources --check-sourced dev .ci/run scripts/check_includes.sh scripts/test/*.sh
}

# clangTidy [FILE...]: only files of the compile database have the flags that clang-tidy needs.
clangTidy() {
  local files=("$@") compiled=() file
  [[ $# -gt 0 ]] || mapfile -d '' -t files < <(listFiles '*.cpp')
  for file in "${files[@]}"; do
    if grep -qF "\"file\": \"$root/$file\"" build/release/compile_commands.json; then compiled+=("$file"); fi
  done
  [[ ${#compiled[@]} -gt 0 ]] || fail "none of the files is part of the release build"
  printf '%s\0' "${compiled[@]}" | xargs -0 -n 1 -P "$(nproc)" -t clang-tidy-22 -p build/release --quiet
}
