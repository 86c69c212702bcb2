#!/bin/sh
# Writes copies of the pkg-config files that SwiftPM can't read into FOLDER, for PKG_CONFIG_PATH. SwiftPM parses these
# files itself, and does not support lines continued with a backslash (in poppler-glib.pc since Poppler 26).
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
