#!/bin/sh
# Makes a Python environment with pyipp in a folder: an IPP client of Python's world, which the tests have print.
# It is PyPI's. Where that is out of reach after three tries it says so, and the test is left out.
# usage: packaging/pyipp.sh FOLDER
set -eu
package=pyipp==0.17.2
folder=$1

[ "$(cat "$folder/made" 2> /dev/null)" != "$package" ] || ! "$folder/bin/python" -c 'import pyipp' 2> /dev/null || exit 0
rm -rf "$folder.new"
if python3 -m venv "$folder.new" > /dev/null 2>&1; then
  for attempt in 1 2 3; do
    # Wheels alone: nothing of what is fetched runs before the test does.
    timeout 60 "$folder.new/bin/python" -m pip install --only-binary :all: --disable-pip-version-check --retries 0 \
      --timeout 10 "$package" > /dev/null 2>&1 || continue
    rm -rf "$folder"
    mv "$folder.new" "$folder"
    echo "$package" > "$folder/made"
    exit 0
  done
fi
rm -rf "$folder.new"
[ -e "$folder/made" ] || echo "$package can't be had from PyPI: its test is left out."
