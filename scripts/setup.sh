# shellcheck shell=bash
# Installs the Debian packages that a command needs (scripts/packages.txt); returns at once when all are there.

# packagesOf GROUP...: the names in those groups.
packagesOf() {
  awk -v groups=" $* " '!/^#/ && NF && index(groups, " " $2 " ") { print $1 }' scripts/packages.txt
}

# missingPackages GROUP...: those not installed, one a line.
missingPackages() {
  local wanted states package
  mapfile -t wanted < <(packagesOf "$@")
  # dpkg-query also fails when one package is unknown; what it lists is right all the same.
  states=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null) || true
  for package in "${wanted[@]}"; do
    [[ $'\n'$states$'\n' == *$'\n'"installed $package"$'\n'* ]] || echo "$package"
  done
}

# needPackages GROUP...: makes sure that they are installed.
needPackages() {
  command -v dpkg-query >/dev/null ||
    fail "this is no Debian system (no dpkg); install the equivalents of scripts/packages.txt and use cmake --preset"
  local missing
  mapfile -t missing < <(missingPackages "$@")
  if [[ ${#missing[@]} -eq 0 ]]; then
    echo "all packages are installed"
    return 0
  fi
  installPackages "${missing[@]}"
}

installPackages() {
  command -v apt-get >/dev/null || fail "apt-get is missing; these packages have to be installed: $*"
  local command="apt-get update && apt-get install -y --no-install-recommends $*"
  [[ $(id -u) -eq 0 ]] || fail "these packages have to be installed as root: $command"
  echo "installing: $*"
  export DEBIAN_FRONTEND=noninteractive
  local options=(-q -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300)
  apt-get "${options[@]}" update || fail "apt-get update failed; is the network reachable?"
  apt-get "${options[@]}" install -y --no-install-recommends "$@" ||
    fail "apt-get install failed; Tessera is built on Debian 12 with its security updates enabled"
}
