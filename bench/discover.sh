# Discovery: the time to the first row, and to the whole list, for 1, 10 and 200 printers on loopback with a warm
# Avahi; for the same numbers on a link of two hosts, with Avahi and with one-shot multicast queries; and for 1, 200
# and 10,000 in unicast DNS domains.

# usage: first_row [COMMAND…]: a command that lists printers
first_row() {
  local command=("$@")
  [ $# != 0 ] || command=("$airprint" discover --timeout 120)
  for ((i = 0; i < rounds; i++)); do
    local begin
    begin=$(now)
    "${command[@]}" 2> /dev/null | { read -r _; echo $(($(now) - begin)); cat > /dev/null; }
  done | median
}

# announce FROM TO: announces these printers with the Avahi of DBUS_SYSTEM_BUS_ADDRESS.
announce() {
  local number
  for ((number = $1; number <= $2; number++)); do
    avahi-publish -s "Bench Printer $number" _ipp._tcp 631 "txtvers=1" "rp=ipp/print" "pdl=image/urf" \
      "URF=V1.4,W8,RS600" "UUID=00000000-0000-0000-0000-$(printf %012d $number)" \
      --subtype=_universal._sub._ipp._tcp > /dev/null 2>&1 &
    started+=($!)
  done
}

bench_discover() {
  echo "## Discovery"
  echo
  echo "| printers | first row | all |"
  echo "|---|---|---|"
  local have=0 count
  for count in 1 10 200; do
    announce $((have + 1)) $count
    have=$count
    lab_await "the last of $count printers" last_is_there $count
    echo "| $count | $(seconds "$(first_row)") | $(seconds "$(timed "$airprint" discover)") |"
  done
  echo
  bench_link
  bench_domains
}

# The same on a link of two hosts, alternating: with Avahi, which has received all records, and without.
bench_link() {
  local near far have=0 count
  if ! make_link; then
    echo "One-shot multicast queries: not measured, two network namespaces can't be joined here." && echo
    return
  fi
  echo "| printers on a link | first row, Avahi | by ourselves | ratio | all, Avahi | by ourselves | ratio |"
  echo "|---|---|---|---|---|---|---|"
  for count in 1 10 200; do
    DBUS_SYSTEM_BUS_ADDRESS=unix:path=$lab/far.bus announce $((have + 1)) $count
    have=$count
    DBUS_SYSTEM_BUS_ADDRESS=unix:path=$lab/near.bus lab_await "the last of $count printers" last_is_there $count
    local rows first=("$(first_row by_avahi)" "$(first_row by_ourselves)")
    rows=$(by_ourselves 2> /dev/null | wc -l)
    [ "$rows" = $count ] || echo "by ourselves: $rows of $count printers" >&2
    race by_avahi by_ourselves --
    echo "| $count | $(seconds "${first[0]}") | $(seconds "${first[1]}") | $(ratio "${first[@]}") |" \
      "$(seconds "$(raced by_avahi)") | $(seconds "$(raced by_ourselves)") |" \
      "$(ratio "$(raced by_avahi)" "$(raced by_ourselves)") |"
  done
  echo
}

on() { nsenter --net="/proc/$1/ns/net" "${@:2}"; }
by_avahi() { DBUS_SYSTEM_BUS_ADDRESS=unix:path=$lab/near.bus on $near "$airprint" discover --timeout 120; }
by_ourselves() { DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent on $near "$airprint" discover --timeout 120; }

# Sets $near and $far, processes in the networks of two hosts on one link, each with its own D-Bus and Avahi.
make_link() {
  local host
  unshare --net sleep infinity > /dev/null & near=$!
  unshare --net sleep infinity > /dev/null & far=$!
  started+=($near $far)
  lab_await "two networks" are_apart
  ip link add eth0 netns $near type veth peer name eth0 netns $far 2> /dev/null || return 1
  for host in near far; do
    on ${!host} sh -ec "echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_dad; ip link set lo up; ip link set eth0 up
      ip address add 192.0.2.$([ $host = near ] && echo 1 || echo 2)/24 dev eth0"
    sed "s|$lab/bus|$lab/$host.bus|" "$lab/bus.conf" > "$lab/$host.bus.conf"
    dbus-daemon --config-file="$lab/$host.bus.conf" --nofork --nopidfile > "$lab/$host.bus.log" 2>&1 & started+=($!)
    lab_await "the bus of $host" test -S "$lab/$host.bus"
    printf '[server]\nhost-name=%s%s\nallow-interfaces=eth0\n[publish]\npublish-workstation=no\n' $host $$ \
      > "$lab/$host.conf"
    DBUS_SYSTEM_BUS_ADDRESS=unix:path=$lab/$host.bus on ${!host} unshare --mount sh -c 'mount -t tmpfs tmpfs /run
      exec avahi-daemon --no-drop-root --no-chroot --no-proc-title -f "$0"' "$lab/$host.conf" \
      > "$lab/$host.log" 2>&1 & started+=($!)
    lab_await "Avahi of $host" grep -qs "startup complete" "$lab/$host.log"
  done
}

are_apart() {
  local own
  own=$(readlink /proc/$$/ns/net)
  [ "$(readlink /proc/$near/ns/net)" != "$own" ] && [ "$(readlink /proc/$far/ns/net)" != "$own" ]
}

# A DNS answer holds about 2,000 names, so 10,000 printers are in five domains.
bench_domains() {
  local count domains settings=$XDG_CONFIG_HOME/airprint/config.toml
  # Also for the functions below: without a bus there is no Avahi.
  local -x DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent
  if ! has knotd || ! serve_zones; then
    echo "Unicast DNS: not measured, knotd is missing or can't be started." && echo
    return
  fi
  echo "| printers in unicast DNS | first row | all | memory |"
  echo "|---|---|---|---|"
  for count in 1 200 10000; do
    domains="\"bench$count-1.test\""
    [ $count != 10000 ] || domains=$(printf '"bench2000-%d.test", ' 1 2 3 4 5)
    mkdir -p "${settings%/*}"
    echo "domains = [${domains%, }]" > "$settings"
    echo "| $count | $(seconds "$(first_row)") | $(seconds "$(timed "$airprint" discover --timeout 120)") |" \
      "$(($(peak "$airprint" discover --timeout 120 2> /dev/null) / 1024)) MB |"
  done
  rm "$settings"
  echo
}

# zone DOMAIN COUNT: writes the domain's zone file.
zone() {
  awk -v domain="$1" -v count="$2" 'BEGIN {
    print "$ORIGIN " domain ".\n$TTL 120\n@ SOA ns hostmaster 1 3600 900 604800 60\n@ NS ns\nns A 127.0.0.1"
    for (i = 0; i < count; i++) {
      name = "printer" i "._ipp._tcp"
      print "_ipp._tcp PTR " name "\n_universal._sub._ipp._tcp PTR " name "\n" name " SRV 0 0 631 host" i
      print name " TXT \"txtvers=1\" \"rp=ipp/print\" \"pdl=image/urf\" \"URF=V1.4,W8,RS600\" \"note=Room " i "\""
      print "host" i " A 198.51." int(i / 250) "." i % 250 + 1
    }
  }' > "$lab/$1.zone"
}

serve_zones() {
  local number
  echo "nameserver 127.0.0.1" > "$lab/resolv.conf"
  mount --bind "$lab/resolv.conf" "$(readlink -m /etc/resolv.conf)" 2> /dev/null || return 1
  zone bench1-1.test 1
  zone bench200-1.test 200
  for number in 1 2 3 4 5; do zone "bench2000-$number.test" 2000; done
  {
    printf 'server:\n  rundir: "%s"\n  listen: 127.0.0.1@53\nlog:\n  - target: stderr\n    any: info\n' "$lab"
    printf 'database:\n  storage: "%s"\nzone:\n' "$lab"
    for number in "$lab"/*.zone; do
      printf '  - domain: %s\n    file: "%s"\n    zonefile-sync: -1\n    journal-content: none\n' \
        "$(basename "$number" .zone)" "$number"
    done
  } > "$lab/knot.conf"
  knotd -c "$lab/knot.conf" > "$lab/knot.log" 2>&1 & started+=($!)
  lab_await "knotd" grep -qs "server started" "$lab/knot.log"
}

last_is_there() { avahi-browse -ptk _ipp._tcp 2> /dev/null | grep -q "Printer\\\\032$1;"; }
