#!/bin/bash
# Makes the Debian package of what `make install` installs.
# usage: packaging/deb.sh BINARY LINKED TREE OUT
#   BINARY  the program that is shipped, for its version
#   LINKED  the same program before it was stripped: what it calls of libraries that it opens late
#   TREE    where `make install PREFIX=/usr DESTDIR=TREE` was
#   OUT     the folder for the package
set -eu
binary=$(realpath "$1") linked=$(realpath "$2") tree=$(realpath "$3") out=$(realpath "$4")
here=$(cd "$(dirname "$0")" && pwd)
version=$(sed -n 's/^## \[\([0-9][^]]*\)\].*/\1/p' "$here/../CHANGELOG.md" | head -n 1)
released=$(sed -n 's/^## \[[0-9][^]]*\] - //p' "$here/../CHANGELOG.md" | head -n 1)
architecture=$(dpkg --print-architecture)
maintainer=${DEBFULLNAME:-airprint maintainers} address=${DEBEMAIL:-maintainers@airprint.invalid}
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -d "$released" +%s)}

# What the program links, and what it opens when it first needs it. dpkg-shlibdeps wants a source package
# around it.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/debian"
printf 'Source: airprint\n\nPackage: airprint\nArchitecture: any\n' > "$work/debian/control"
"$here/late-libraries.sh" needs "$linked" "$work/late.so"
depends=$(cd "$work" && dpkg-shlibdeps -O -e"$binary" -elate.so 2> "$work/shlibdeps.log") ||
  { cat "$work/shlibdeps.log" >&2; exit 1; }
depends=${depends#shlibs:Depends=}

doc=$tree/usr/share/doc/airprint
install -m 644 "$here/copyright" "$doc/copyright"
ln -sf copyright "$doc/LICENSE"
gzip -9nc "$here/../CHANGELOG.md" > "$doc/changelog.gz"
gzip -9nc > "$doc/changelog.Debian.gz" <<EOF
airprint ($version-1) unstable; urgency=medium

  * Version $version; /usr/share/doc/airprint/changelog.gz tells what is new.

 -- $maintainer <$address>  $(date -R -d "@$SOURCE_DATE_EPOCH")
EOF
chmod 644 "$doc"/*.gz
find "$tree/usr/share/man" -name '*.[157]' -exec gzip -9n {} +

mkdir -p "$tree/DEBIAN"
chmod 755 "$tree/DEBIAN"
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) > "$tree/DEBIAN/md5sums"
cat > "$tree/DEBIAN/control" <<EOF
Package: airprint
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer <$address>
Installed-Size: $(du -sk --apparent-size "$tree/usr" | cut -f1)
Depends: $depends, fonts-dejavu-core | fonts-noto-core
Recommends: avahi-daemon, bubblewrap, cups-ipp-utils, fonts-noto-core, ghostscript, libnotify-bin, pandoc, poppler-data, weasyprint, webp-pixbuf-loader
Suggests: chromium, fonts-noto-cjk, fonts-noto-color-emoji, heif-gdk-pixbuf, libreoffice-writer-nogui, libreoffice-calc-nogui, libreoffice-impress-nogui
Section: utils
Priority: optional
Description: print without any UI, on any IPP printer
 Pick a printer once, then say what is printed: a receipt, a label, a photo, a
 document. airprint talks to the printer itself, over IPP, and agrees paper,
 tray, quality, colour and format with it: there is no queue, no driver and no
 daemon. It ends when the printer says that the paper came out, and its exit
 status says what became of it.
 .
 It also finds printers on the network, keeps documents until their printer is
 there, lays out receipts, and simulates printers for tests without paper.
EOF
chmod 644 "$tree/DEBIAN"/*
package=$out/airprint_$version-1_$architecture.deb
dpkg-deb --root-owner-group --build "$tree" "$package" > /dev/null
echo "Built ${package#"$PWD"/}, $(du -h "$package" | cut -f1): $("$binary" --version)."
