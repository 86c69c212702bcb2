#!/bin/bash
# Makes the Debian package from the files of `make install`.
# usage: packaging/deb.sh BINARY LINKED TREE OUT
#   BINARY  the program in the package
#   LINKED  the same program before stripping, for its calls of libraries that it opens late
#   TREE    the DESTDIR of `make install PREFIX=/usr DESTDIR=TREE`
#   OUT     the folder for the package
set -eu
binary=$(realpath "$1") linked=$(realpath "$2") tree=$(realpath "$3") out=$(realpath "$4")
. "$(dirname "$0")/debian.sh"
umask 022

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
write_debian "$work"
"$packaging/late-libraries.sh" needs "$linked" "$work/late.so"

doc=$tree/usr/share/doc/airprint
install -m 644 "$work/debian/copyright" "$doc/copyright"
ln -sf copyright "$doc/LICENSE"
gzip -9n < "$doc/CHANGELOG.md" > "$doc/changelog.gz"
rm "$doc/CHANGELOG.md"
gzip -9nc "$work/debian/changelog" > "$doc/changelog.Debian.gz"
chmod 644 "$doc"/*.gz
find "$tree/usr/share/man" -name '*.[157]' -exec gzip -9n {} +

mkdir -p "$tree/DEBIAN"
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) > "$tree/DEBIAN/md5sums"
cd "$work"
dpkg-shlibdeps -Tdebian/substvars -e"$binary" -elate.so 2> shlibdeps.log || { cat shlibdeps.log >&2; exit 1; }
dpkg-gencontrol -Tdebian/substvars -P"$tree" 2> gencontrol.log || { cat gencontrol.log >&2; exit 1; }
chmod 644 "$tree/DEBIAN"/*
package=$out/airprint_$version-1_$(dpkg --print-architecture).deb
dpkg-deb --root-owner-group --build "$tree" "$package" > /dev/null
echo "Built ${package##*/}, $(du -h "$package" | cut -f1): $("$binary" --version)."
