# Discovery with a warm Avahi: the first row, and the whole list, of 1, 10 and 200 printers.

first_row() {
  for ((i = 0; i < rounds; i++)); do
    local begin
    begin=$(now)
    "$airprint" discover | { read -r _; read -r _; echo $(($(now) - begin)); cat > /dev/null; }
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
}

last_is_there() { avahi-browse -ptk _ipp._tcp 2> /dev/null | grep -q "Printer\\\\032$1;"; }
