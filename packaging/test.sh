#!/bin/bash
# Installs the package in a new Debian and prints there: the steps of `make demo`, with the installed program. Run as
# root. The first run downloads Debian; Tools/suites keeps it.
# usage: packaging/test.sh SUITE PACKAGE
set -eu
# All mounts disappear when this ends.
[ -n "${SUITES_INSIDE:-}" ] || SUITES_INSIDE=1 exec unshare --mount --propagation private "$0" "$@"
suite=$1 package=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../Tools/suites/system.sh"

suite_prepare "$suite" ''
suite_enter "$suite" ''
cp "$package" "$suite_root/tmp/airprint.deb"
cp -r "$here/../demo" "$suite_root/demo"
log=$suites_dir/package.log
quietly() { suite_run "$@" > "$log" 2>&1 || { tail -n 20 "$log"; exit 1; }; }

# The demo's lab needs these; airprint's own dependencies come from the package.
quietly apt-get update
quietly apt-get install -y --no-install-recommends /tmp/airprint.deb avahi-daemon dbus iproute2 man-db
suite_run airprint --version
quietly airprint check /usr/share/doc/airprint/examples/till.receipt
quietly man --pager=cat airprint-print
# No Avahi runs yet, which is 69; no library may be missing except poppler-data, which is only recommended.
suite_run airprint doctor > "$log" || [ $? = 69 ]
if sed -n '/^Libraries/,/^$/p' "$log" | grep -v poppler-data | grep missing; then exit 1; fi
suite_run bash /demo/run.sh /usr/bin/airprint
# Whichever library is missing, doctor reports it and the package to install.
cat > "$suite_root/tmp/doctor-without" <<'END'
for file in /usr/lib/*/lib$1.so.* /usr/lib/lib$1.so.*; do [ ! -f "$file" ] || mount --bind /dev/null "$file"; done
airprint doctor > /tmp/doctor.log 2>&1
[ $? = 69 ] && grep -q "Without lib$1.so" /tmp/doctor.log && grep -q 'apt install lib' /tmp/doctor.log && exit
echo "airprint doctor without lib$1:"
cat /tmp/doctor.log
exit 1
END
for library in cups gnutls avahi-client cairo rsvg-2 pango-1.0 poppler-glib poppler-cpp gif zint; do
  suite_run unshare --mount sh /tmp/doctor-without $library
done
# If the printer accepts JPEG, printing a JPEG needs none of the drawing libraries.
suite_run airprint preview /usr/share/doc/airprint/examples/till.receipt --no-printer --strict --resolution 600 \
  -o /tmp/page.jpg
cat > "$suite_root/tmp/print-bare" <<'END'
for library in cairo gdk_pixbuf-2.0 gif harfbuzz heif lcms2 pango-1.0 pangocairo-1.0 png16 poppler poppler-cpp \
  poppler-glib qpdf rsvg-2 tiff turbojpeg webp zint; do
  for file in /usr/lib/*/lib$library.so.*; do [ ! -f "$file" ] || mount --bind /dev/null "$file"; done
done
airprint print -d "$AIRPRINT_PRINTER" /tmp/page.jpg
END
suite_run airprint simulate photo --port 0 --name Bare --exec 'unshare --mount sh /tmp/print-bare'
# The journal copies the files in options: only an optimized build could close them too early.
suite_run airprint simulate laser --port 0 --name Stamped \
  --exec 'airprint print -d "$AIRPRINT_PRINTER" --underlay /demo/receipt.pdf /tmp/page.jpg'
suite_run dpkg --verify airprint
quietly apt-get purge -y airprint
left=$(suite_run find /etc /usr /var/lib -name '*airprint*' -print)
[ -z "$left" ] || { echo "The package leaves: $left"; exit 1; }
echo "The package installs, prints and goes away in Debian $suite."
