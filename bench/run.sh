#!/bin/bash
# Measures airprint against what people use today, in one run on one machine, and writes what it prints to
# bench/RESULTS.md: rendering against Ghostscript, MuPDF and pdftoppm, printing against lp through a cupsd
# of our own to the same ippeveprinter, start-up, discovery and memory. Medians of several rounds, and
# ratios: these depend less on the machine. What is not installed is left out and named.
# usage: bench/run.sh AIRPRINT [PART…]     parts: start render one_page long print discover memory
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../demo/lab.sh"
lab_enter "$here/run.sh" "$@"
airprint=$(realpath "$1")
shift
all="start render one_page long print discover memory"
parts=${*:-$all}
corpus=$here/../../shared/corpus/good
rounds=${ROUNDS:-3}
for part in lib render one-page print discover memory; do . "$here/$part.sh"; done

lab_start
documents=$lab/documents
mkdir "$documents"
if command -v python3 > /dev/null; then
  python3 -B "$here/documents.py" "$documents"
else
  echo "python3 is missing: only $here/../demo/receipt.pdf is measured." >&2
fi

# Not in a pipe: what is started in there would not end with this script.
exec 3>&1 > >(tee "$lab/results" >&3)
scribe=$!
echo "# What \`make bench\` measured"
echo
echo "$(date -I), airprint $("$airprint" --version), $(system), $(model), $(nproc) cores; medians of $rounds rounds"
echo "(start-up: $((20 * rounds)))."
echo
for part in $parts; do "bench_$part"; done
exec >&3
wait $scribe
[ "$parts" != "$all" ] || mv "$lab/results" "$here/RESULTS.md"
