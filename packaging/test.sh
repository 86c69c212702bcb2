#!/bin/bash
# Installs the package in a new Debian 12 and prints there: the steps of `make demo`, by the installed
# program. As root. The first run fetches Debian; its base is kept beside the package.
# usage: packaging/test.sh PACKAGE WORK
set -eu
package=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
base=$work/bookworm.tar root=$work/root
mirror=$(cat /etc/apt/sources.list.d/*.sources 2>/dev/null |
  sed -n 's|^URIs: *\(http[^ ]*/debian\)/* *$|\1|p' | head -n 1)

end() {
  local place
  for place in proc sys dev; do mountpoint -q "$root/$place" && umount -R "$root/$place"; done
  rm -rf --one-file-system "$root"
}
trap end EXIT
end
mkdir "$root"
if [ ! -s "$base" ]; then
  echo "Fetching Debian 12…"
  debootstrap --variant=minbase bookworm "$root" "${mirror:-http://deb.debian.org/debian}" > "$work/log"
  tar -C "$root" -cf "$base.new" .
  mv "$base.new" "$base"
else
  tar -C "$root" -xf "$base"
fi
for place in proc sys dev; do mount --rbind --make-rslave "/$place" "$root/$place"; done
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$package" "$root/tmp/airprint.deb"
cp -r "$here/../demo" "$root/demo"

inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    chroot "$root" "$@"
}
# What the demo's lab is made of; airprint's own needs are the package's to name.
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends /tmp/airprint.deb avahi-daemon dbus iproute2 man-db \
  > "$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
inside airprint --version
inside airprint check --json /usr/share/doc/airprint/examples/till.receipt
inside man --pager=cat airprint-print > /dev/null
inside bash /demo/run.sh /usr/bin/airprint
cp "$root/demo/receipt.png" "$work/receipt.png"
inside dpkg --verify airprint
inside apt-get purge -y -qq airprint > "$work/log" 2>&1
left=$(inside find / -xdev -path /proc -prune -o -path /tmp -prune -o -name '*airprint*' -print)
[ -z "$left" ] || { echo "The package leaves: $left"; exit 1; }
echo "The package installs, prints and goes away in Debian 12."
