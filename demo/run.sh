#!/bin/bash
# The whole way of a receipt, on this machine alone: a receipt printer (CUPS' ippeveprinter, with the
# attributes of receipt-printer.conf) is discovered, picked and printed to. Leaves demo/receipt.png:
# the paper as it came out.
# usage: demo/run.sh AIRPRINT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lab.sh"
lab_enter "$here/run.sh" "$@"
airprint=$(realpath "$1")

step() {
  printf '\n\033[1m$ airprint %s\033[0m\n' "$*"
  "$airprint" "$@"
}

lab_start
# What the printer "prints": a picture of the raster that it was sent.
cat > "$lab/print" <<SH
#!/bin/sh
"$airprint" preview --quiet "\$1" -o "$here/receipt.png"
SH
chmod +x "$lab/print"
rm -f "$here/receipt.png"
lab_printer Till "$lab/print" -a "$here/receipt-printer.conf"

cd "$here"
step discover
step pick Till --type receipt
step print receipt.pdf --type receipt
printf '\nThe paper: demo/receipt.png\n'
