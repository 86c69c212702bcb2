#!/bin/bash
# Compiles this checkout for arm64 with Debian sid's Swift, which makes programs for another processor if it has the
# Swift of that processor's package, and runs what it made in an arm64 Debian, by qemu-user. As root, with a network and
# qemu-user-static.
# usage: Tools/suites/arm64.sh build [OPTION...]   swift build with these options (--build-tests)
#        Tools/suites/arm64.sh run COMMAND         in the arm64 system, in the checkout as it was built
# Systems are kept in SUITES_DIR (.build/suites).
set -eu
[ "$(id -u)" = 0 ] || { echo "suites: root makes a Debian; try sudo $0" >&2; exit 1; }
# Whatever is mounted below is gone when this ends.
[ -n "${SUITES_INSIDE:-}" ] || SUITES_INSIDE=1 exec unshare --mount --propagation private "$0" "$@"
. "$(dirname "$(realpath "$0")")/system.sh"
project=$(realpath "$(dirname "$(realpath "$0")")/../..")
triple=aarch64-unknown-linux-gnu

# Has the kernel start arm64 programs with qemu-user (binfmt_misc; F: it is opened now, so a chroot needs none).
arm64_programs() {
  local folder=/proc/sys/fs/binfmt_misc qemu
  [ -e $folder/register ] || mount -t binfmt_misc none $folder
  [ ! -e $folder/qemu-aarch64 ] || return 0
  qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64) ||
    { echo "suites: qemu-user is missing: apt install qemu-user-static" >&2; exit 1; }
  printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:' \
    '\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:' "$qemu:F" > $folder/register
}

# Creates the arm64 system, with what the program and its tests need, unless it exists.
prepare_arm64() {
  suite_root=$suites_dir/sid-arm64
  [ ! -e "$suite_root.ready" ] || return 0
  echo "Fetching Debian sid for arm64." >&2
  rm -rf --one-file-system "$suite_root"
  debootstrap --arch=arm64 --variant=minbase --include=ca-certificates sid "$suite_root" "$(suite_mirror)" \
    > "$suite_root.log"
  cp /etc/apt/apt.conf.d/99* "$suite_root/etc/apt/apt.conf.d/" 2>/dev/null || true
  echo force-unsafe-io > "$suite_root/etc/dpkg/dpkg.cfg.d/unsafe-io"
  suite_mount
  cp -r "$project/packaging" "$suite_root/root/"
  # As minbase, the tests' programs bring no desktop along.
  suite_run sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends swiftlang g++ libc6-dev make git \
    $(/root/packaging/packages.sh --list build demo)' >> "$suite_root.log" 2>&1 ||
    { tail -n 20 "$suite_root.log" >&2; return 1; }
  # What was compiled elsewhere names no folder of Swift's libraries that exists here.
  echo /usr/libexec/swift/lib/swift/linux > "$suite_root/etc/ld.so.conf.d/swift.conf"
  suite_run ldconfig
  umount -R "$suite_root/proc" "$suite_root/sys" "$suite_root/dev"
  touch "$suite_root.ready"
}

# Describes arm64 to Swift's package manager in the system that compiles (SE-0387).
describe_arm64() {
  local bundle=$suite_root/root/sdks/arm64.artifactbundle swift=/arm64/usr/libexec/swift/lib
  mkdir -p "$bundle/arm64"
  cat > "$bundle/info.json" << END
{ "schemaVersion": "1.0", "artifacts": { "arm64": { "type": "swiftSDK", "version": "1",
  "variants": [{ "path": "arm64" }] } } }
END
  cat > "$bundle/arm64/swift-sdk.json" << END
{ "schemaVersion": "4.0", "targetTriples": { "$triple": { "sdkRootPath": "/arm64",
  "swiftResourcesPath": "$swift/swift", "swiftStaticResourcesPath": "$swift/swift_static",
  "toolsetPaths": ["toolset.json"] } } }
END
  cat > "$bundle/arm64/toolset.json" << END
{ "schemaVersion": "1.0", "swiftCompiler": { "extraCLIOptions": ["-use-ld=lld"] } }
END
}

arm64_programs
case ${1:-} in
build)
  shift
  suite_prepare sid swift
  prepare_arm64
  suite_enter sid-swift keep
  suite_bring_swift sid
  suite_bring_checkout "$project"
  # A new system has none, and without it SwiftPM finds no headers that are in folders of their own.
  suite_run sh -c 'command -v pkg-config || { apt-get update -qq &&
    apt-get install -y -qq --no-install-recommends pkg-config; }' \
    > /dev/null
  mkdir -p "$suite_root/arm64"
  mount --bind "$suites_dir/sid-arm64" "$suite_root/arm64"
  describe_arm64
  pkgconfig=/arm64/usr/lib/aarch64-linux-gnu/pkgconfig:/arm64/usr/share/pkgconfig
  suite_run bash -c 'cd /root/airprint && export PKG_CONFIG_SYSROOT_DIR=/arm64 PKG_CONFIG_LIBDIR='$pkgconfig' &&
    packaging/pkg-config.sh .build/pkgconfig && export PKG_CONFIG_PATH=$PWD/.build/pkgconfig:$PKG_CONFIG_LIBDIR &&
    make --silent testing && swift build --swift-sdks-path /root/sdks --swift-sdk '$triple' \
      -Xlinker "-L$PWD/.build/testing" "$@"' build "$@"
  ;;
run)
  [ $# = 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 64; }
  arm64=$suites_dir/sid-arm64
  mkdir -p "$arm64/root/airprint"
  # A mount, so that programs in it can make mount namespaces.
  mount --bind "$arm64" "$arm64"
  mount --bind "$suites_dir/sid-swift.kept/changes/root/airprint" "$arm64/root/airprint"
  suite_root=$arm64
  suite_mount
  suite_run bash -c "cd /root/airprint && $2"
  ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 64 ;;
esac
