# Typical documents of one page: those of one_page.py, and airprint's own drawings of text in Chinese and Japanese, a
# label and a receipt; and the corpus's documents of one page, if it is there.

draw_airprint() { "$airprint" render -q --paper A4 --resolution 600 --color gray --format pwg -o "$lab/out" "$1"; }
draw_gs() { render_gs "$1" 600 gray; }
# Without antialiasing, like airprint at 600 dpi.
draw_mutool() {
  mutool draw -q -A 0 -r 600 -w 4962 -h 7014 -c gray -F pwg -o "$lab/out" "$1"
}

make_own_pages() {
  printf '%s\n' '紙に印刷する。用紙は三つの給紙トレイにあります。' '打印机在二楼。请先装入纸张，然后再打印文件。' > "$lab/words"
  for _ in {1..20}; do cat "$lab/words"; done > "$lab/cjk.txt"
  "$airprint" render -q --paper A4 -o "$1/cjk.pdf" "$lab/cjk.txt"
  printf '%s\n' 'double: Parcel 4711' 'barcode: 4006381333931' 'qr: https://example.com/parcel/4711' \
    > "$lab/label.receipt"
  "$airprint" render -q --type label --paper 62x100mm -o "$1/label.pdf" "$lab/label.receipt"
  cp "$here/../demo/receipt.pdf" "$1/receipt.pdf"
}

bench_one_page() {
  local folder=$lab/one peers=() peer file
  python3 -B "$here/one_page.py" "$folder"
  make_own_pages "$folder"
  for peer in gs mutool; do if has $peer; then peers+=("$peer"); fi; done
  echo "## One page"
  echo
  echo "\`airprint render\`, 600 dpi, gray, A4, against \`gs\` and \`mutool -A 0\`, alternating. The ratio is the"
  echo "fastest peer's time divided by airprint's, for wall-clock time and for the processor time of all processes."
  has opj_compress || echo "opj_compress is not installed: JPEG 2000 is not measured."
  echo
  one_page_table "$folder"/*.pdf
  [ -e "$corpus" ] || return 0
  echo "One-page documents made by others:"
  echo
  local others=()
  for file in onepage-a4 cmyk-image grayscale-image habibi landscape_16x9 minimal-document portrait_16x9; do
    [ ! -e "$corpus/$file.pdf" ] || others+=("$corpus/$file.pdf")
  done
  one_page_table "${others[@]}"
}

# The corpus's long documents, measured in the same way.
bench_long() {
  local peers=() peer file files=()
  for peer in gs mutool; do if has $peer; then peers+=("$peer"); fi; done
  for file in tracemonkey pdkids freeculture-20 geotopo; do
    [ ! -e "$corpus/$file.pdf" ] || files+=("$corpus/$file.pdf")
  done
  [ ${#files[@]} != 0 ] || return 0
  echo "## Long documents"
  echo
  echo "Measured in the same way, with $(nproc) workers."
  echo
  one_page_table "${files[@]}"
}

one_page_table() {
  local file name best work peer
  : > "$lab/ratios"
  : > "$lab/work.ratios"
  echo "| document | airprint |$(printf ' %s |' "${peers[@]}") ratio | processor time | ratio |"
  echo "|---|---|$(printf -- '---|%.0s' "${peers[@]}")---|---|---|"
  for file in "$@"; do
    name=$(basename "$file" .pdf)
    race draw_airprint "${peers[@]/#/draw_}" -- "$file"
    best=$(for peer in "${peers[@]}"; do raced "draw_$peer"; done | sort -n | head -n 1)
    work=$(for peer in "${peers[@]}"; do worked "draw_$peer"; done | sort -n | head -n 1)
    hundredths "$(raced draw_airprint)" "$best" >> "$lab/ratios"
    hundredths "$(worked draw_airprint)" "$work" >> "$lab/work.ratios"
    echo "| $name | $(seconds "$(raced draw_airprint)") |$(for peer in "${peers[@]}"; do
      printf ' %s |' "$(seconds "$(raced "draw_$peer")")"; done) $(tail -n 1 "$lab/ratios") |" \
      "$(seconds "$(worked draw_airprint)") | $(tail -n 1 "$lab/work.ratios") |"
  done
  echo "| geometric mean | |$(printf ' |%.0s' "${peers[@]}") $(geometric_mean < "$lab/ratios") | |" \
    "$(geometric_mean < "$lab/work.ratios") |"
  echo
}
hundredths() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f\n", b / a }'; }
