#!/bin/sh
# Draws the pictures of README.md and docs/ with airprint's simulated printers and previews.
# usage: docs/pictures.sh AIRPRINT
set -eu
airprint=$(realpath "$1")
cd "$(dirname "$0")"
paper=$(mktemp -d)
trap 'rm -rf "$paper"' EXIT
export XDG_CONFIG_HOME="$paper" XDG_STATE_HOME="$paper" XDG_CACHE_HOME="$paper" airprint

# Writes a simulated printer's page in a size for the screen.
# usage: printed PROFILE FILE PICTURE SHRINK OPTION...
printed() {
  profile=$1 file=$2 picture=$3 shrink=$4
  shift 4
  "$airprint" simulate "$profile" --quiet --port 0 --output "$paper/$picture" \
    --exec "\"\$airprint\" print --quiet --type $profile $* $file"
  python3 - "$paper/$picture/$profile/job-1/page-1.png" "pictures/$picture.png" "$shrink" << 'PYTHON'
import sys
from PIL import Image

source, target, shrink = sys.argv[1:]
page = Image.open(source).convert("RGB").reduce(int(shrink))
page.quantize(64, dither=Image.Dither.NONE).save(target, optimize=True)
PYTHON
}

printed photo pictures/beach.svg beach 3 --borderless
printed label pictures/label.svg label 2 --paper 62x100mm
printed label pictures/margin.svg margin 2 --paper 62x100mm --scaling none
printed receipt receipt/till.receipt receipt 1
for receipt in receipt/*.receipt; do
  "$airprint" preview --quiet --paper 80mm "$receipt" -o "${receipt%.receipt}.png"
done
