# Rendering: the same pages on the same A4 sheet, to PWG Raster (pdftoppm: only to pixels).

render_airprint() { "$airprint" render -q --paper A4 --resolution "$2" --color "$3" --format pwg -o "$lab/out" "$1"; }
render_alone() { taskset -c 0 "$airprint" render -q --paper A4 --resolution "$2" --color "$3" --format pwg -o "$lab/out" "$1"; }
render_gs() {
  local space=18
  [ "$3" = gray ] || space=19
  gs -q -dNOPAUSE -dBATCH -dSAFER -sDEVICE=pwgraster -sPAPERSIZE=a4 -dFIXEDMEDIA "-r$2" \
    -dcupsColorSpace=$space -dcupsBitsPerColor=8 "-sOutputFile=$lab/out" "$1"
}
render_mutool() {
  mutool draw -q -r "$2" -w $(($2 * 827 / 100)) -h $(($2 * 1169 / 100)) -c "${3/color/rgb}" -F pwg \
    -o "$lab/out" "$1"
}
render_pdftoppm() {
  local gray=
  [ "$3" = color ] || gray=-gray
  pdftoppm -r "$2" $gray -scale-to-x $(($2 * 827 / 100)) -scale-to-y -1 "$1" > "$lab/out"
}

bench_render() {
  local peers=() peer name dpi ink
  for peer in gs mutool pdftoppm; do
    if has $peer; then peers+=($peer); else echo "$peer is not installed."; fi
  done
  echo "## Rendering"
  echo
  echo "\`airprint render\` with $(nproc) workers, and with one worker on one core; each peer is one process."
  echo "The ratio is the fastest peer's time divided by airprint's."
  echo
  echo "| document | dpi | ink | airprint | one worker |$(printf ' %s |' "${peers[@]}") ratio | one worker |"
  echo "|---|---|---|---|---|$(printf -- '---|%.0s' "${peers[@]}")---|---|"
  for name in tracemonkey pdkids freeculture-20 geotopo text vector photo mixed; do
    [ -e "$(document $name)" ] || continue
    for dpi in 300 600; do
      for ink in gray color; do render_row "$name" $dpi $ink; done
    done
  done
  echo
}

render_row() {
  local file ours alone best= times=() peer time
  file=$(document "$1")
  ours=$(timed render_airprint "$file" "$2" "$3")
  alone=$(timed render_alone "$file" "$2" "$3")
  for peer in "${peers[@]}"; do
    time=$(timed render_$peer "$file" "$2" "$3")
    times+=("$(seconds "$time")")
    if [ -z "$best" ] || [ "$time" -lt "$best" ]; then best=$time; fi
  done
  echo "| $1 | $2 | $3 | $(seconds "$ours") | $(seconds "$alone") |$(printf ' %s |' "${times[@]}")" \
    "$(ratio "$ours" "${best:-$ours}") | $(ratio "$alone" "${best:-$alone}") |"
}
