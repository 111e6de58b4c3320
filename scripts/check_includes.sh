#!/usr/bin/env bash
# The include rules: MLIR and LLVM headers only inside tilelang/, and in no public header, nor in anything that one
# includes. Public are the headers that a component's CMakeLists.txt names in tessera_public_headers(...).
set -euo pipefail
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."

mlirInclude='#[[:space:]]*include[[:space:]]*["<](mlir|llvm|mlir-c|llvm-c)/'
status=0

complain() {
  printf '%s\n' "$1" >&2
  status=1
}

# publicHeaders: the paths from the repository root, one a line.
publicHeaders() {
  local list folder
  while IFS= read -r -d '' list; do
    folder=$(dirname -- "$list")
    sed -n '/tessera_public_headers(/,/)/p' "$list" | tr -s '()[:space:]' '\n' | sed -n "s|^.*\.h\$|$folder/&|p"
  done < <(find . -name CMakeLists.txt -not -path './build/*' -printf '%P\0')
}

# Outside the compiler.
while IFS= read -r -d '' file; do
  if line=$(grep -nE "$mlirInclude" -- "$file"); then
    complain "$file: MLIR and LLVM headers belong inside tilelang/: $line"
  fi
done < <(find . \( -path ./build -o -path ./tilelang -o -path ./.git \) -prune -o \
  \( -name '*.h' -o -name '*.cpp' \) -printf '%P\0')

# Public headers; what they include from the project has to be public too, which closes the set.
public=$(publicHeaders)
[[ -n $public ]] || complain "no public header found; tessera_public_headers(...) names them"
while IFS= read -r header; do
  [[ -f $header ]] || { complain "$header: named as a public header, but there is no such file" && continue; }
  if line=$(grep -nE "$mlirInclude" -- "$header"); then
    complain "$header: a public header must not include MLIR or LLVM: $line"
  fi
  while IFS= read -r included; do
    grep -qxF -- "$included" <<<"$public" || complain "$header: includes $included, which is not a public header"
  done < <(sed -nE 's|^[[:space:]]*#[[:space:]]*include[[:space:]]*"([^"]+)".*|\1|p' "$header")
done <<<"$public"

exit "$status"
