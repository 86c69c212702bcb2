#!/bin/bash
# Makes a source package of the committed files: OUT/airprint-VERSION with debian/ in it, and the .orig.tar.gz next to
# it. Then, in that folder: dpkg-buildpackage.
# usage: packaging/source.sh OUT
set -eu
. "$(dirname "$0")/debian.sh"
mkdir -p "$1"
out=$(realpath "$1")
tree=$out/airprint-$version
rm -rf "$tree"
git -C "$packaging/.." archive --prefix="airprint-$version/" HEAD | gzip -9n > "$out/airprint_$version.orig.tar.gz"
tar -C "$out" -xzf "$out/airprint_$version.orig.tar.gz"
write_debian "$tree"
echo "$tree"
