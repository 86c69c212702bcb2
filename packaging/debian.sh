# Metadata for Debian's tools, from packaging/debian, CHANGELOG.md and packages.txt. Sourced; sets version, released
# (the day) and SOURCE_DATE_EPOCH, unless that is set.
packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=$(sed -n 's/^## \[\([0-9][^]]*\)\].*/\1/p' "$packaging/../CHANGELOG.md" | head -n 1)
released=$(sed -n 's/^## \[[0-9][^]]*\] - //p' "$packaging/../CHANGELOG.md" | head -n 1)
maintainer="${DEBFULLNAME:-airprint maintainers} <${DEBEMAIL:-maintainers@airprint.invalid}>"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -u -d "$released" +%s)}

# Writes FOLDER/debian.
# usage: write_debian FOLDER
write_debian() {
  local needs
  needs=$("$packaging/packages.sh" --list build | sed 's/$/, /' | tr -d '\n')
  cp -r "$packaging/debian" "$1/debian"
  sed "s/@MAINTAINER@/$maintainer/; s/@BUILD_DEPENDS@/${needs%, }/" "$1/debian/control.in" > "$1/debian/control"
  rm "$1/debian/control.in"
  cp "$packaging/copyright" "$1/debian/copyright"
  cat > "$1/debian/changelog" <<END
airprint ($version-1) unstable; urgency=medium

  * Version $version; /usr/share/doc/airprint/changelog.gz tells what is new.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END
}
