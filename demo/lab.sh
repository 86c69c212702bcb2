# A lab for demo/run.sh and bench/run.sh: a separate D-Bus, Avahi and printers, on loopback only. Sourced by bash;
# everything that it starts ends with the script.

# Restarts the script in a network with loopback only, with a separate /run: the machine's printers and Avahi are not
# affected. Where that is forbidden, it continues without.
# usage: lab_enter "$0" "$@"
lab_enter() {
  [ -z "${LAB_INSIDE:-}" ] || return 0
  export LAB_INSIDE=root
  local unshare=(unshare --net --mount)
  if [ "$(id -u)" != 0 ]; then
    LAB_INSIDE=anybody
    unshare+=(--user --map-root-user)
  fi
  if "${unshare[@]}" true 2>/dev/null; then exec "${unshare[@]}" "$@"; fi
  LAB_INSIDE=here
}

# Sets $lab, a folder that is removed at the end, and starts the bus and Avahi.
lab_start() {
  lab=$(mktemp -d)
  started=()
  trap lab_end EXIT
  cat > "$lab/bus.conf" <<XML
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=$lab/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
<allow user="*"/></policy></busconfig>
XML
  printf '[server]\nhost-name=lab%s\nallow-interfaces=lo\n[publish]\npublish-workstation=no\n' $$ \
    > "$lab/avahi.conf"
  export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$lab/bus"
  export XDG_CONFIG_HOME="$lab/config" XDG_STATE_HOME="$lab/state" XDG_CACHE_HOME="$lab/cache"
  dbus-daemon --config-file="$lab/bus.conf" --nofork --nopidfile 2> "$lab/bus.log" & started+=($!)
  lab_await "the bus" test -S "$lab/bus"
  ip link set lo up 2>/dev/null || true
  lab_make_room
  avahi-daemon --no-drop-root --no-chroot --no-proc-title -f "$lab/avahi.conf" \
    > "$lab/avahi.log" 2>&1 & started+=($!)
  lab_await "Avahi" grep -qs "startup complete" "$lab/avahi.log"
}

# Starts a printer and sets $port. The command gets each document's file.
# usage: lab_printer NAME COMMAND OPTION…
lab_printer() {
  local name=$1 command=$2
  shift 2
  port=$((20000 + ($$ + ${#started[@]}) % 20000))
  mkdir "$lab/$port.spool" "$lab/$port.keys"
  ippeveprinter "$@" -c "$command" -d "$lab/$port.spool" -K "$lab/$port.keys" -p $port \
    -r _print,_universal "$name" > "$lab/$port.log" 2>&1 & started+=($!)
  lab_await "$name" lab_answers $port
}

# Avahi's pid file has a fixed path, and its folder must belong to the user avahi. A user namespace only has root, who
# then becomes avahi.
lab_make_room() {
  if [ "$LAB_INSIDE" = anybody ]; then
    mount -t tmpfs tmpfs /run
    local table
    for table in passwd group; do
      sed '/^avahi:/d' "/etc/$table" > "$lab/$table"
      [ $table = group ] && echo 'avahi:x:0:' >> "$lab/group" \
        || echo 'avahi:x:0:0::/:/bin/false' >> "$lab/passwd"
      mount --bind "$lab/$table" "/etc/$table"
    done
  else
    mkdir -p /run/avahi-daemon 2>/dev/null && mount -t tmpfs tmpfs /run/avahi-daemon 2>/dev/null || true
  fi
}

lab_answers() { (: < /dev/tcp/localhost/"$1") 2>/dev/null; }

# usage: lab_await WHAT COMMAND…
lab_await() {
  local what=$1
  shift
  for _ in {1..100}; do
    if "$@"; then return 0; fi
    sleep 0.05
  done
  echo "$what does not start; see the logs:" >&2
  tail -n 5 "$lab"/*.log >&2
  exit 1
}

lab_end() {
  local process
  for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$lab"
}
