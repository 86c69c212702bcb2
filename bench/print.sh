# Printing: from the command to the printer's last byte, with airprint and with lp through a separate cupsd, which has
# a driverless queue if cups-filters is installed, on the same ippeveprinter. There is a pause between jobs:
# immediately after another job, lp waits for cupsd, which is still watching that one.

printed() {
  rm -f "$lab/arrived"
  local begin
  begin=$(now)
  "$@" > /dev/null 2>&1 || echo "failed: $*" >&2
  for _ in {1..12000}; do [ -e "$lab/arrived" ] && break; sleep 0.005; done
  echo $(($(cat "$lab/arrived") - begin))
  sleep 3
}
arrival() { for ((i = 0; i < rounds; i++)); do printed "$@"; done | median; }

# Prints the nanoseconds from the printer's last byte to the command's end.
outlasted() {
  local i
  for ((i = 0; i < rounds; i++)); do
    rm -f "$lab/arrived"
    "$@" > /dev/null 2>&1 || echo "failed: $*" >&2
    echo $(($(now) - $(cat "$lab/arrived")))
    sleep 1
  done | median
}

bench_print() {
  printf '#!/bin/sh\ndate +%%s%%N > %s/arrived.new\nmv %s/arrived.new %s/arrived\n' "$lab" "$lab" "$lab" \
    > "$lab/print"
  chmod +x "$lab/print"
  # The format that all AirPrint printers support: raster.
  lab_printer "Bench" "$lab/print" -2 -f image/urf,image/pwg-raster
  local uri=ipp://localhost:$port/ipp/print ours theirs name pages
  echo "## Printing"
  echo
  if ! has cupsd || [ "$LAB_INSIDE" != root ]; then
    echo "lp is not measured: cupsd is not installed, or this is not root."
  elif ! start_queue "$uri"; then
    echo "lp is not measured: a driverless queue needs the packages cups and cups-filters."
  else
    echo "From the command to the printer's last byte; \`lp\` through a driverless queue."
    echo
    echo "| document | pages | airprint | lp | ratio |"
    echo "|---|---|---|---|---|"
    while read -r name pages; do
      [ -e "$(document "$name")" ] || continue
      ours=$(arrival "$airprint" print -d "$uri" "$(document "$name")")
      theirs=$(arrival lp -h "localhost:$queue_port" -d bench "$(document "$name")")
      echo "| $name | $pages | $(seconds "$ours") | $(seconds "$theirs") | $(ratio "$ours" "$theirs") |"
    done <<< $'receipt 1\ntext 20\npdkids 55'
  fi
  echo
  bench_print_job "$uri"
  bench_print_slowly "$uri"
  bench_print_files
}

# The overhead besides drawing and sending: ipptool sends the same bytes with one Print-Job.
bench_print_job() {
  has ipptool || return 0
  local ours theirs
  "$airprint" render -q -d "$1" -o "$lab/page.urf" "$documents/pages-1.pdf"
  send_by_ipptool() { ipptool -q -f "$lab/page.urf" -d filetype=image/urf "$1" print-job.test; }
  ours=$(arrival "$airprint" print -d "$1" "$documents/pages-1.pdf")
  theirs=$(arrival send_by_ipptool "$1")
  echo "A page of text, from the command to the printer's last byte: airprint $(seconds "$ours"); \`ipptool\`,"
  echo "which only sends the same bytes, $(seconds "$theirs"): $(ratio "$theirs" "$ours") times."
  echo
  echo "From there to airprint's exit, with a printer that completes the job at once:" \
    "$(seconds "$(outlasted "$airprint" print -d "$1" "$documents/pages-1.pdf")")."
  echo
}

# A distant printer, with slow_link.py in between.
bench_print_slowly() {
  has python3 || return 0
  has ipptool || return 0
  local bytes ours theirs slow=$((port + 2))
  "$airprint" render -q -P 1 -d "$1" -o "$lab/photo.urf" "$documents/photo.pdf"
  bytes=$(stat -c %s "$lab/photo.urf")
  mkfifo "$lab/slow"
  python3 -B "$here/slow_link.py" $slow "$port" 10 30 < "$lab/slow" & started+=($!)
  exec 9> "$lab/slow"
  lab_await "the slow network" lab_answers $slow
  ours=$(arrival "$airprint" print -d "ipp://localhost:$slow/ipp/print" -P 1 "$documents/photo.pdf")
  theirs=$(arrival ipptool -q -f "$lab/photo.urf" -d filetype=image/urf "ipp://localhost:$slow/ipp/print" print-job.test)
  exec 9>&-
  echo "A photo of $((bytes >> 10)) KB over a link of 10 Mbit/s with a round trip of 30 ms, on which the bytes alone take"
  echo "$(seconds $((bytes * 800))): airprint $(seconds "$ours"), \`ipptool\`, which only sends them," \
    "$(seconds "$theirs"): $(ratio "$theirs" "$ours") times."
  echo
}

# A simulated printer with realistic times: files of one page, and one file.
bench_print_files() {
  local count=30 file files=()
  for ((i = 0; i < count; i++)); do
    cp "$documents/pages-1.pdf" "$lab/page-$i.pdf"
    files+=("$lab/page-$i.pdf")
  done
  cat > "$lab/files.sh" <<'SCRIPT'
now() { date +%s%N; }
printer=$AIRPRINT_PRINTER begin=$(now)
"$1" print -q -d "$printer" "$2" || exit
middle=$(now)
"$1" print -q -d "$printer" "${@:3}" || exit
echo "$((middle - begin)) $(($(now) - middle))"
SCRIPT
  local times
  times=$("$airprint" simulate laser --print-times \
    --exec "bash '$lab/files.sh' '$airprint' '$documents/pages-$count.pdf' ${files[*]}" 2> "$lab/files.log" | tail -n 1)
  echo "$count sheets on a simulated laser printer that takes as long as a real one: $(seconds "${times% *}") for one document,"
  echo "$(seconds "${times#* }") for as many files of one page in one \`print\`."
  echo
}

# A cupsd with all of its files in the lab. The tests' CupsQueue.swift has different settings, which log every
# request: that would affect the times here.
start_queue() {
  cp "$here/../demo/receipt.pdf" "$documents/receipt.pdf"
  mkdir -p "$lab"/cups/{root,spool,cache,state,tmp}
  queue_port=$((port + 1))
  cat > "$lab/cups/cupsd.conf" <<CONF
Listen localhost:$queue_port
Browsing Off
DefaultAuthType None
<Location />
Order allow,deny
Allow all
</Location>
<Policy default>
<Limit All>
Order allow,deny
</Limit>
</Policy>
CONF
  cat > "$lab/cups/cups-files.conf" <<CONF
ServerRoot $lab/cups/root
RequestRoot $lab/cups/spool
CacheDir $lab/cups/cache
StateDir $lab/cups/state
TempDir $lab/cups/tmp
AccessLog $lab/cups/access.log
ErrorLog $lab/cups/error.log
PageLog $lab/cups/page.log
SystemGroup root
CONF
  # The filters run as another user, who needs access to the path.
  chmod 755 "$lab" "$lab/cups"
  chmod 1777 "$lab/cups/tmp"
  cupsd -f -c "$lab/cups/cupsd.conf" -s "$lab/cups/cups-files.conf" > "$lab/cupsd.log" 2>&1 &
  started+=($!)
  lab_await "cupsd" lab_answers $queue_port
  lpadmin -h "localhost:$queue_port" -p bench -E -v "$1" -m everywhere 2> "$lab/lpadmin.log" \
    && [ -x /usr/lib/cups/filter/pdftopdf ] && [ -x /usr/lib/cups/filter/rastertopwg ]
}
