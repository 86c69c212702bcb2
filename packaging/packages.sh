#!/bin/sh
# Installs missing packages of the groups in packages.txt, and lists them first. On Debian and its derivatives it uses
# apt, with sudo unless run by root, and only if something is missing, so that a machine without a network can build
# again. Elsewhere it prints the command to run.
# usage: packaging/packages.sh [--list | --unpack FOLDER] GROUP…
#   --list    prints this distribution's names of the packages, and installs nothing
#   --unpack  installs nothing, but unpacks each missing package into its own folder below FOLDER (apt only)
set -eu
table=$(dirname "$0")/packages.txt
list=
unpack=
if [ "${1:-}" = --list ]; then list=1; shift; fi
if [ "${1:-}" = --unpack ]; then unpack=$2; shift 2; fi
groups=$*

# Prints column $1 of the groups' lines, without duplicates.
names() {
  awk -v groups=" $groups " -v column="$1" \
    '!/^#/ && index(groups, " " $1 " ") && $column != "-" && !seen[$column]++ { print $column }' "$table"
}

# Prints the first of `a|b` that is installed or available. A name that other packages only provide has no version.
apt_name() {
  for name in $(echo "$1" | tr '|' ' '); do
    if dpkg-query -s "$name" > /dev/null 2>&1 || apt-cache show "$name" 2> /dev/null | grep -q .; then
      echo "$name"
      return
    fi
  done
  echo "${1%%|*}"
}

by_apt() {
  [ -z "$list" ] || { for name in $(names 2); do apt_name "$name"; done; return; }
  have=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' | sed -n 's/^ii *//p')
  # Of `a|b`, either is enough.
  missing=$(names 2 | while read -r name; do echo "$have" | grep -qxE "$name" || echo "$name"; done)
  [ -n "$missing" ] || return 0
  if [ -n "$unpack" ]; then
    for name in $missing; do
      name=$(apt_name "$name")
      [ -d "$unpack/$name" ] || by_unpacking "$name"
    done
    return
  fi
  sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  missing=$(for name in $missing; do apt_name "$name"; done)
  echo "Installing with apt:" $missing
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing > /dev/null
}

# Without a network, this prints a message and succeeds.
by_unpacking() {
  rm -rf "$unpack/$1.new"
  mkdir -p "$unpack/$1.new"
  (cd "$unpack/$1.new" && apt-get download -qq "$1" > /dev/null 2>&1 && dpkg-deb -x "$1"_*.deb . && rm "$1"_*.deb) \
    && mv "$unpack/$1.new" "$unpack/$1" || echo "Not unpacked, and its tests are left out: $1"
}

# usage: by_others COLUMN ASK INSTALL: the commands to query one package, and to install several
by_others() {
  [ -z "$unpack" ] || return 0
  [ -z "$list" ] || { names "$1"; return; }
  missing=$(for name in $(names "$1"); do $2 "$name" > /dev/null 2>&1 || echo "$name"; done)
  [ -z "$missing" ] || echo "Not here, unless by another name; install with:" "$3" $missing
}

if command -v apt-get > /dev/null; then
  by_apt
elif command -v dnf > /dev/null; then
  by_others 3 "rpm -q --whatprovides" "sudo dnf install"
elif command -v pacman > /dev/null; then
  by_others 4 "pacman -Q" "sudo pacman -S"
elif [ -z "$unpack" ]; then
  echo "airprint needs what Debian calls:" $(names 2)
fi
