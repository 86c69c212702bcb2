#!/bin/sh
# Makes a Python environment with pyipp in a folder: an IPP client of Python's world, which the tests have print.
# It is PyPI's. Where that is out of reach after three tries it says so, and the test is left out.
# usage: packaging/pyipp.sh FOLDER
set -eu
package=pyipp==0.17.2
folder=$1

[ "$(cat "$folder/made" 2> /dev/null)" != "$package" ] || exit 0
rm -rf "$folder"
install() {
  python3 -m venv "$folder" &&
    timeout 120 "$folder/bin/pip" install --disable-pip-version-check --retries 0 --timeout 10 "$package"
}
for attempt in 1 2 3; do
  if install > /dev/null 2>&1; then
    echo "$package" > "$folder/made"
    exit 0
  fi
done
rm -rf "$folder"
echo "$package can't be had from PyPI: its test is left out."
