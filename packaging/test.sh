#!/bin/bash
# Installs the package in a new Debian 12 and prints there: the steps of `make demo`, by the installed
# program. As root. The first run fetches Debian; its base is kept in WORK.
# usage: packaging/test.sh PACKAGE WORK
set -eu
# Whatever is mounted is gone when this ends.
[ -n "${INSIDE:-}" ] || INSIDE=1 exec unshare --mount --propagation private "$0" "$@"
package=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
base=$work/bookworm.tar root=$work/root
mirror=$(cat /etc/apt/sources.list.d/*.sources 2>/dev/null |
  sed -n 's|^URIs: *\(http[^ ]*/debian\)/* *$|\1|p' | head -n 1)

end() {
  umount -R "$root" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap end EXIT
end
mkdir "$root"
# A root that the demo can unshare from is a place where something is mounted.
mount --bind "$root" "$root"
if [ ! -s "$base" ]; then
  echo "Fetching Debian 12."
  debootstrap --variant=minbase bookworm "$root" "${mirror:-http://deb.debian.org/debian}" > "$work/log"
  tar -C "$root" -cf "$base.new" .
  mv "$base.new" "$base"
else
  tar -C "$root" -xf "$base"
fi
for place in proc sys dev; do mount --rbind "/$place" "$root/$place"; done
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$package" "$root/tmp/airprint.deb"
cp -r "$here/../demo" "$root/demo"

inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    chroot "$root" "$@"
}
quietly() { inside "$@" > "$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }; }

# What the demo's lab is made of; what airprint needs is the package's to name.
quietly apt-get update
quietly apt-get install -y --no-install-recommends /tmp/airprint.deb avahi-daemon dbus iproute2 man-db
inside airprint --version
quietly airprint check /usr/share/doc/airprint/examples/till.receipt
quietly man --pager=cat airprint-print
# No Avahi runs yet, which is 69; no library may be missing but poppler-data, which is recommended.
inside airprint doctor > "$work/log" || [ $? = 69 ]
if sed -n '/^Libraries/,/^$/p' "$work/log" | grep -v poppler-data | grep missing; then exit 1; fi
inside bash /demo/run.sh /usr/bin/airprint
cp "$root/demo/receipt.png" "$work/receipt.png"
inside dpkg --verify airprint
quietly apt-get purge -y airprint
left=$(inside find /etc /usr /var/lib -name '*airprint*' -print)
[ -z "$left" ] || { echo "The package leaves: $left"; exit 1; }
echo "The package installs, prints and goes away in Debian 12."
