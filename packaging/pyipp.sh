#!/bin/sh
# Creates a Python environment with pyipp, an IPP client for Python that the tests print with, in a folder. It comes
# from PyPI, with its dependencies; pyipp.txt has their hashes. If PyPI can't be reached in three tries, or has
# different files, a message is printed, and the test is skipped.
# usage: packaging/pyipp.sh FOLDER
set -eu
list=$(dirname "$0")/pyipp.txt
package=$(cksum < "$list")
folder=$1

[ "$(cat "$folder/made" 2> /dev/null)" != "$package" ] || ! "$folder/bin/python" -c 'import pyipp' 2> /dev/null || exit 0
rm -rf "$folder.new"
if python3 -m venv "$folder.new" > /dev/null 2>&1; then
  for attempt in 1 2 3; do
    # Only wheels: none of the downloaded code runs before the test does.
    timeout 60 "$folder.new/bin/python" -m pip install --require-hashes --no-deps --only-binary :all: \
      --disable-pip-version-check --retries 0 --timeout 10 -r "$list" > /dev/null 2>&1 || continue
    rm -rf "$folder"
    mv "$folder.new" "$folder"
    echo "$package" > "$folder/made"
    exit 0
  done
fi
rm -rf "$folder.new"
[ -e "$folder/made" ] || echo "pyipp can't be had from PyPI as pyipp.txt has it: its test is left out."
