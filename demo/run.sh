#!/bin/bash
# Shows all the steps of a receipt on this machine: a simulated receipt printer is discovered, picked and printed on.
# Writes demo/receipt.png: the printed paper.
# usage: demo/run.sh AIRPRINT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lab.sh"
lab_enter "$here/run.sh" "$@"
airprint=$(realpath "$1")

bold='' plain=''
[ ! -t 1 ] || { bold=$'\033[1m' plain=$'\033[0m'; }
step() {
  printf '\n%s$ airprint %s%s\n' "$bold" "$*" "$plain"
  "$airprint" "$@"
}

lab_start
export XDG_RUNTIME_DIR="$lab"
"$airprint" simulate receipt --name Till --location "Front Desk" --port 0 --output "$lab/pages" \
  2> "$lab/till.log" & started+=($!)
lab_await "the printer" grep -qs "Pages go to" "$lab/till.log"

cd "$here"
step discover
step pick Till --type receipt
step print receipt.pdf --type receipt
cp "$lab/pages/receipt/job-1/page-1.png" receipt.png
printf '\nThe paper: demo/receipt.png\n'
