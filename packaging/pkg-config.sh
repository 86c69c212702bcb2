#!/bin/sh
# Writes into FOLDER copies of those of pkg-config's files that SwiftPM can't read: it reads them by itself, and knows
# no lines that go on behind a backslash (poppler-glib.pc has them since Poppler 26). PKG_CONFIG_PATH names FOLDER.
# usage: packaging/pkg-config.sh FOLDER
set -eu
folder=$1
rm -rf "$folder"
mkdir -p "$folder"
sed -n 's/.*pkgConfig: "\([^"]*\)".*/\1/p' "$(dirname "$0")/../Package.swift" | while read -r name; do
  file=$(pkg-config --variable=pcfiledir "$name" 2> /dev/null)/$name.pc || continue
  [ -f "$file" ] && grep -q '\\$' "$file" || continue
  sed -e ':join' -e '/\\$/N' -e 's/\\\n//' -e 't join' "$file" > "$folder/$name.pc"
done
