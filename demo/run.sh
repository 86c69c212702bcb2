#!/bin/bash
# The whole way of a receipt, on this machine alone: a receipt printer (CUPS' ippeveprinter, with the
# attributes of receipt-printer.conf) on a private D-Bus, a private Avahi and loopback; discovered,
# picked, printed to. Leaves demo/receipt.png: the paper as it came out.
# usage: demo/run.sh AIRPRINT
set -eu
here=$(cd "$(dirname "$0")" && pwd)

# A network of its own, where nothing but loopback is, and a /run of its own: neither the machine's
# printers nor its Avahi notice. Where that is forbidden it goes on without.
if [ -z "${DEMO_INSIDE:-}" ]; then
  export DEMO_INSIDE=1
  unshare=(unshare --net --mount)
  [ "$(id -u)" = 0 ] || unshare+=(--user --map-root-user)
  "${unshare[@]}" true 2>/dev/null && exec "${unshare[@]}" "$here/run.sh" "$@"
fi
airprint=$(realpath "$1")
lab=$(mktemp -d)
started=()
finish() {
  for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$lab"
}
trap finish EXIT

step() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }

cat > "$lab/bus.conf" <<XML
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=$lab/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
<allow user="*"/></policy></busconfig>
XML
printf '[server]\nhost-name=demo%s\nallow-interfaces=lo\n[publish]\npublish-workstation=no\n' $$ \
  > "$lab/avahi.conf"
export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$lab/bus"
export XDG_CONFIG_HOME="$lab/config" XDG_STATE_HOME="$lab/state" XDG_CACHE_HOME="$lab/cache"

dbus-daemon --config-file="$lab/bus.conf" --nofork --nopidfile 2> "$lab/bus.log" & started+=($!)
for _ in {1..50}; do [ -S "$lab/bus" ] && break; sleep 0.1; done
ip link set lo up 2>/dev/null || true
mkdir -p /run/avahi-daemon 2>/dev/null && mount -t tmpfs tmpfs /run/avahi-daemon 2>/dev/null || true
avahi-daemon --no-drop-root --no-chroot --no-proc-title -f "$lab/avahi.conf" \
  > "$lab/avahi.log" 2>&1 & started+=($!)
for _ in {1..50}; do grep -q complete "$lab/avahi.log" && break; sleep 0.1; done

# What the printer "prints": a picture of the raster that it was sent.
cat > "$lab/print" <<SH
#!/bin/sh
"$airprint" preview --quiet "\$1" -o "$here/receipt.png"
SH
chmod +x "$lab/print"
mkdir "$lab/spool" "$lab/keys"
port=$((20000 + $$ % 20000))
rm -f "$here/receipt.png"
ippeveprinter -a "$here/receipt-printer.conf" -c "$lab/print" -d "$lab/spool" -K "$lab/keys" \
  -p $port -r _print,_universal "Till" > "$lab/printer.log" 2>&1 & started+=($!)
for _ in {1..50}; do (: < /dev/tcp/localhost/$port) 2>/dev/null && break; sleep 0.1; done

step airprint discover
"$airprint" discover
step airprint pick Till --type receipt
"$airprint" pick Till --type receipt
step airprint print receipt.pdf --type receipt
"$airprint" print "$here/receipt.pdf" --type receipt
printf '\nThe paper: %s\n' "${here#"$PWD"/}/receipt.png"
