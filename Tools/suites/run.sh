#!/bin/bash
# Runs a command on a copy of this checkout in a bare Debian: what a stranger's new machine has, Swift's own
# needs, git, make and sudo; nothing else. As root, with a network.
# usage: Tools/suites/run.sh [--keep] [--no-swift] [--out FILE] SUITE COMMAND
#   SUITE       bookworm, trixie or sid
#   --keep      the machine stays as the command leaves it, for the next call with --keep; otherwise what the
#               command changes is forgotten
#   --no-swift  a machine that only runs programs
#   --out FILE  copied from the copy's folder to FOLDER afterwards: --out .build/x.deb=FOLDER
# Systems are kept in SUITES_DIR (.build/suites). Swift is the packaged one where the suite has it (sid), else
# the one of this machine; SWIFT_OF=machine or SWIFT_OF=suite decides otherwise.
set -eu
[ "$(id -u)" = 0 ] || { echo "suites: root makes a Debian; try sudo $0" >&2; exit 1; }
# Whatever is mounted below is gone when this ends.
[ -n "${SUITES_INSIDE:-}" ] || SUITES_INSIDE=1 exec unshare --mount --propagation private "$0" "$@"
. "$(dirname "$(realpath "$0")")/system.sh"

keep='' with=swift out=''
while [ $# -gt 2 ]; do
  case $1 in
  --keep) keep=1 ;;
  --no-swift) with='' ;;
  --out) out=$2; shift ;;
  *) break ;;
  esac
  shift
done
[ $# = 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 64; }
suite=$1 command=$2

suite_prepare "$suite" "$with"
suite_enter "$suite${with:+-$with}" "$keep"
[ -z "$with" ] || suite_bring_swift "$suite"
suite_bring_checkout "$(dirname "$(realpath "$0")")/../.."

status=0
suite_run bash -c "cd /root/airprint && $command" || status=$?
[ -z "$out" ] || cp "$suite_root"/root/airprint/${out%%=*} "${out#*=}"
exit $status
