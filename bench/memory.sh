# Memory: the largest process of a job of 1, 10 and 100 pages, at 600 dpi in color.

# Prints the kilobytes of the largest process that COMMAND starts.
peak() {
  python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

bench_memory() {
  has python3 || return 0
  echo "## Memory and time by pages"
  echo
  echo "Text, 600 dpi, color; the largest process (a worker)."
  echo
  echo "| pages | memory | time |"
  echo "|---|---|---|"
  local count file
  for count in 1 10 100; do
    file=$documents/pages-$count.pdf
    echo "| $count | $(($(peak "$airprint" render -q --paper A4 --resolution 600 --color color --format pwg \
      -o "$lab/out" "$file") / 1024)) MB | $(seconds "$(timed render_airprint "$file" 600 color)") |"
  done
  echo
}
