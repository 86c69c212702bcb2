# Functions shared by the parts of the bench. Sourced by run.sh.

now() { date +%s%N; }
median() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }
seconds() { awk -v n="$1" 'BEGIN { printf n < 1e9 ? "%.0f ms" : "%.2f s", n < 1e9 ? n / 1e6 : n / 1e9 }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", b / a }'; }
system() { (. /etc/os-release && echo "$PRETTY_NAME on $(uname -m)"); }
model() { lscpu | sed -n "s/^Model name: *//p" | head -n 1; }
has() { command -v "$1" > /dev/null; }

# Prints the nanoseconds of COMMAND: the median of $rounds runs, or a single one if it takes more than 5 s.
timed() {
  for ((i = 0; i < rounds; i++)); do
    local begin time
    begin=$(now)
    "$@" > /dev/null 2>&1 || echo "failed: $*" >&2
    time=$(($(now) - begin))
    echo $time
    [ $time -lt 5000000000 ] || break
  done | median
}

# Runs functions alternately with the same arguments, $rounds times each, so that other load on the machine affects
# them equally; `raced` and `worked` print the results.
# usage: race FUNCTION… -- ARGUMENT…
race() {
  local names=() name round TIMEFORMAT='%3R %3U %3S'
  while [ "$1" != -- ]; do names+=("$1"); : > "$lab/race.$1"; shift; done
  shift
  for ((round = 0; round < rounds; round++)); do
    for name in "${names[@]}"; do
      { time "$name" "$@" > /dev/null 2>&1 || echo "failed: $name $*" >&4; } 4>&2 2>> "$lab/race.$name"
    done
  done
}
# Median nanoseconds: wall-clock time, and the time of all processors.
raced() { awk '{ printf "%.0f\n", $1 * 1e9 }' "$lab/race.$1" | median; }
worked() { awk '{ printf "%.0f\n", ($2 + $3) * 1e9 }' "$lab/race.$1" | median; }
geometric_mean() { awk '{ n++; s += log($1) } END { if (n) printf "%.2f", exp(s / n) }'; }

# Prints a document from the corpus, if it is there, or else the bench's own.
document() {
  if [ -e "$corpus/$1.pdf" ]; then echo "$corpus/$1.pdf"; else echo "$documents/$1.pdf"; fi
}

bench_start() {
  local usual=$rounds
  rounds=$((20 * rounds))
  echo "\`airprint --version\`: $(seconds "$(timed "$airprint" --version)")"
  echo
  rounds=$usual
}
