# Discovery: the first row, and the whole list. Of 1, 10 and 200 printers on the link, with a warm Avahi; of 1, 200
# and 10,000 in domains of unicast DNS, without one. One-shot multicast queries want a link, which the lab has not.

first_row() {
  for ((i = 0; i < rounds; i++)); do
    local begin
    begin=$(now)
    "$airprint" discover --timeout 120 2> /dev/null | { read -r _; echo $(($(now) - begin)); cat > /dev/null; }
  done | median
}

bench_discover() {
  echo "## Discovery"
  echo
  echo "| printers | first row | all |"
  echo "|---|---|---|"
  local have=0 count
  for count in 1 10 200; do
    while [ $have -lt $count ]; do
      have=$((have + 1))
      avahi-publish -s "Bench Printer $have" _ipp._tcp 631 "txtvers=1" "rp=ipp/print" "pdl=image/urf" \
        "URF=V1.4,W8,RS600" "UUID=00000000-0000-0000-0000-$(printf %012d $have)" \
        --subtype=_universal._sub._ipp._tcp > /dev/null 2>&1 &
      started+=($!)
    done
    lab_await "the last of $count printers" last_is_there $count
    echo "| $count | $(seconds "$(first_row)") | $(seconds "$(timed "$airprint" discover)") |"
  done
  echo
  bench_domains
}

# A DNS answer holds some 2,000 names, so that 10,000 printers are in five domains.
bench_domains() {
  local count domains settings=$XDG_CONFIG_HOME/airprint/config.toml
  # For the functions below, too: without a bus there is no Avahi.
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

# zone DOMAIN COUNT: its file.
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
