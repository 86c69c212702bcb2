#!/bin/bash
# Lets the program start without the libraries that most commands don't need (Sources/LateLibraries).
#
#   late-libraries.sh stubs FOLDER      writes a stub of each library into FOLDER, to link with, and prints
#                                       NAME=SONAME of each: the libraries that the program opens itself
#   late-libraries.sh needs BINARY OUT  makes OUT, a shared object that needs the functions of the real libraries
#                                       that BINARY calls: for dpkg-shlibdeps and rpm
#
# Of C++ functions, only those of Poppler and of QPDF's tokenizer count.
#
# A stub has the library's soname and function names, but no symbol versions: the dynamic loader checks versions when
# a program starts, and would then need the library. CC is the C compiler for linking (default: Swift's clang); CFLAGS
# can set another --target and --sysroot.
set -eu
libraries="avahi-client avahi-common cairo cups gdk_pixbuf-2.0 gif gio-2.0 glib-2.0 gnutls gobject-2.0 harfbuzz heif jbig2dec lcms2
  pango-1.0 pangocairo-1.0 png16 poppler-cpp poppler-glib qpdf rsvg-2 seccomp tiff turbojpeg webp zint"

packaging=$(cd "$(dirname "$0")" && pwd)
swift=$(readlink -f "$(command -v "${SWIFT:-swift}" || echo /)")
[ -n "${CC:-}" ] || CC=${swift%/*}/clang
[ -x "$(command -v "$CC")" ] || CC=$(command -v clang || command -v cc)
read -ra flags <<< "${CFLAGS:-}"

# Prints the file that -lNAME links.
find_library() {
  local file
  file=$("$CC" "${flags[@]}" -print-file-name="lib$1.so")
  case $file in
  /*) echo "$file" ;;
  *) echo "lib$1.so is missing: run \`make deps\`." >&2; exit 1 ;;
  esac
}

functions() { readelf --dyn-syms --wide "$1" | awk '($4 == "FUNC" || $4 == "IFUNC") && $7 != "UND" {
  sub(/@.*/, "", $8); if ($8 ~ /^[A-Za-z_][A-Za-z0-9_]*$/ && $8 !~ /^_/ || $8 ~ /^_ZNK?(7poppler|13QPDFTokenizer|17BufferInputSource|11InputSource|6Buffer)/) print $8 }' |
  sort -u; }

link() { # SOURCE OUT [ARGUMENT...]
  local source=$1 out=$2
  shift 2
  "$CC" "${flags[@]}" -shared -nostdlib -o "$out" "$source" "$@"
}

stubs() {
  mkdir -p "$1"
  for name in $libraries; do
    real=$(find_library "$name")
    soname=$(readelf --dynamic --wide "$real" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
    functions "$real" | sed 's/.*/.globl &\n.type &,%function\n&:/' > "$1/$name.s"
    link "$1/$name.s" "$1/lib$name.so" "-Wl,-soname,$soname"
    rm "$1/$name.s"
    echo "$name=$soname"
  done
  # pkg-config's -L options come before ours, so a wrapper makes the linker search here first. The compiler finds its
  # linker in COMPILER_PATH.
  for linker in ld ld.gold ld.lld; do
    real=$(command -v "$linker" || echo "${swift%/*}/$linker")
    [ -x "$real" ] || continue
    script=
    case $("$real" --version) in "GNU ld "*) script=--script=$packaging/read-only.ld ;; esac
    printf '#!/bin/sh\nexec %s "-L%s" %s"$@"\n' "$real" "$(cd "$1" && pwd)" "${script:+\"$script\" }" > "$1/$linker"
    chmod +x "$1/$linker"
  done
}

needs() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  readelf --dyn-syms --wide "$1" | awk '$7 == "UND" && $8 != "" { sub(/@.*/, "", $8); print $8 }' |
    sort -u > "$work/used"
  : > "$work/late"
  local arguments=()
  for name in $libraries; do
    real=$(find_library "$name")
    functions "$real" | comm -12 - "$work/used" >> "$work/late"
    arguments+=("$real")
  done
  { echo .data; sort -u "$work/late" | sed 's/.*/.xword &/'; } > "$work/needs.s"
  # The assembler's directive for a pointer.
  case $("$CC" "${flags[@]}" -dumpmachine) in
  aarch64* | riscv64*) ;;
  x86_64*) sed -i 's/^\.xword/.quad/' "$work/needs.s" ;;
  *) sed -i 's/^\.xword/.long/' "$work/needs.s" ;;
  esac
  link "$work/needs.s" "$2" -Wl,--as-needed "${arguments[@]}"
}

"$@"
