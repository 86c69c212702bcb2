#!/bin/bash
# Measures airprint against what people use today, in one run on one machine: start-up, discovery, and
# a one-page PDF from the command to the printer that has its last byte, against lp through a cupsd of
# our own to the same ippeveprinter. Medians of several rounds, and ratios.
# usage: bench/run.sh AIRPRINT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../demo/lab.sh"
lab_enter "$here/run.sh" "$@"
airprint=$(realpath "$1")
page=$here/../demo/receipt.pdf
rounds=11

now() { date +%s%N; }
median() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }
milliseconds() { awk -v n="$1" 'BEGIN { printf "%.1f ms", n / 1e6 }'; }

# usage: report WHAT NANOSECONDS [PEER NANOSECONDS]
report() {
  printf '%-44s %10s' "$1" "$(milliseconds "$2")"
  if [ $# -gt 2 ]; then
    printf '   %s %s: %s' "$3" "$(milliseconds "$4")" \
      "$(awk -v a="$2" -v b="$4" 'BEGIN { printf "%.1f times as fast", b / a }')"
  fi
  echo
}

lab_start
printf '#!/bin/sh\ndate +%%s%%N > %s/arrived.new\nmv %s/arrived.new %s/arrived\n' "$lab" "$lab" "$lab" \
  > "$lab/print"
chmod +x "$lab/print"
lab_printer "Bench" "$lab/print" -2 -f application/pdf,image/urf,image/pwg-raster
uri=ipp://localhost:$port/ipp/print

# How long COMMAND takes until the printer has the last byte.
until_arrival() {
  rm -f "$lab/arrived"
  local begin
  begin=$(now)
  "$@" > /dev/null 2>&1
  for _ in {1..2000}; do [ -e "$lab/arrived" ] && break; sleep 0.005; done
  echo $(($(cat "$lab/arrived") - begin))
}

arrivals() { for ((i = 0; i < rounds; i++)); do until_arrival "$@"; sleep 0.3; done | median; }

start_up() {
  for ((i = 0; i < 4 * rounds; i++)); do
    local begin
    begin=$(now)
    "$airprint" --version > /dev/null
    echo $(($(now) - begin))
  done | median
}

first_row() {
  for ((i = 0; i < rounds; i++)); do
    local begin
    begin=$(now)
    "$airprint" discover | { read -r _; read -r _; echo $(($(now) - begin)); cat > /dev/null; }
  done | median
}

start_cupsd() {
  mkdir -p "$lab"/cups/{root,spool,cache,state,tmp}
  cupsd_port=$((port + 1))
  cat > "$lab/cups/cupsd.conf" <<CONF
Listen localhost:$cupsd_port
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
  chmod 755 "$lab"
  cupsd -f -c "$lab/cups/cupsd.conf" -s "$lab/cups/cups-files.conf" > "$lab/cupsd.log" 2>&1 &
  started+=($!)
  lab_await "cupsd" lab_answers $cupsd_port
  # The PDF goes through as it is, which is the least that lp can do.
  lpadmin -h localhost:$cupsd_port -p bench -E -v "$uri" -m raw 2> /dev/null
}

echo "airprint $("$airprint" --version), $(nproc) cores, $(uname -m), medians of $rounds rounds"
report "airprint --version" "$(start_up)"
report "airprint discover, first row" "$(first_row)"
airprint_page=$(arrivals "$airprint" print -d "$uri" "$page")
airprint_pdf=$(arrivals "$airprint" print -d "$uri" --format pdf "$page")
if command -v cupsd > /dev/null && [ "$LAB_INSIDE" = root ]; then
  start_cupsd
  lp=$(arrivals lp -h localhost:$cupsd_port -d bench "$page")
  report "one page, drawn here (URF), to the last byte" "$airprint_page" "lp, PDF as it is," "$lp"
  report "one page, PDF as it is, to the last byte" "$airprint_pdf" "lp, PDF as it is," "$lp"
else
  echo "lp is not measured: cupsd is not installed, or this is not root."
  report "one page, drawn here (URF), to the last byte" "$airprint_page"
  report "one page, PDF as it is, to the last byte" "$airprint_pdf"
fi
