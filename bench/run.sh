#!/bin/bash
# Measures airprint against common programs, in one run on one machine, and writes its output to bench/RESULTS.md:
# rendering against Ghostscript, MuPDF and pdftoppm, printing against lp through a separate cupsd on the same
# ippeveprinter, start-up, discovery and memory. The results are medians of several rounds, and ratios, which depend
# less on the machine. Programs that are not installed are left out and listed.
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

# Not in a pipe: background programs would not end with this script.
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
