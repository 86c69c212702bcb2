#!/bin/bash
# Links the debug build's program again, as `make build` links the release: with Swift's runtime, and without the
# libraries that it opens itself. The tests start it thousands of times. What SwiftPM links takes 60 ms of processor
# time to start, and 450 ms for a dry run of print; this takes 10 ms and 180 ms. SwiftPM links its own again when it
# next builds.
#
#   link-debug.sh FOLDER OPTION...   FOLDER has the stubs of packaging/late-libraries.sh, and FOLDER-libraries is the
#                                    list that it prints. The options are swiftc's. SWIFT is the swift command.
set -eu
late=$(realpath "$1")
shift
program=$(realpath .build/debug/airprint)
validate='$s14ArgumentParser17ParsableArgumentsPAAE9_validate6parentyAA8InputKeyVSg_tKFZ'

# ArgumentParser's debug build checks how options are declared whenever it reads some, which takes 75 ms for print's.
# Here that is a function that does nothing; in the test process, ManualTests still makes it check every command.
cat > "$late/replaced.c" << END
#include "$PWD/Sources/CStart/conformances.c"
void validate(void) __asm__("__wrap_$validate");
void validate(void) {}
END
cc -O1 -fPIC "-DAIRPRINT_LATE_LIBRARIES=\"$(xargs < "$late-libraries")\"" -c "$late/replaced.c" -o "$late/replaced.o"

# SwiftPM's arguments, one a line, in quotes.
sed -n '/^  "C\.airprint-.*debug\.exe":/,/^ *args:/s/^ *args: \["[^"]*",\(.*\)\]$/\1/p' .build/debug.yaml |
  sed 's/","/"\n"/g' | sed '/^"-o"$/{n; s|.*|"'"$late/airprint"'"|}' > "$late/arguments"
# SwiftPM would find Foundation's parts in its modules for static linking.
COMPILER_PATH=$late "${SWIFT:-swift}c" "@$late/arguments" "$late/replaced.o" "$@" "-Xlinker" "--wrap=$validate" \
  -static-stdlib -lCoreFoundation -l_FoundationCShims -l_FoundationCollections -l_FoundationICU \
  > "$late/messages" 2>&1 || { cat "$late/messages"; exit 1; }
xargs patchelf "$late/airprint" <<< "$(sed 's/.*=/--remove-needed /' "$late-libraries")"
env -i "HOME=$late" "$late/airprint" jobs > "$late/messages" 2>&1 || { cat "$late/messages"; exit 1; }
mv "$late/airprint" "$program"
