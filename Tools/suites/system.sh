# Bare Debian systems, sourced by scripts that run in their own mount namespace. After suite_enter, suite_root is the
# system's root.

suites_dir=${SUITES_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.build/suites}

# Prints this machine's mirror, or else Debian's.
suite_mirror() {
  { cat /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } |
    sed -n 's|^URIs: *\(http[^ ]*/debian\)/* *$|\1|p' | grep . -m 1 || echo http://deb.debian.org/debian
}

# Prints the packages that swift.org says to install first. The compiler looks for the newest C++ headers.
suite_swift_needs() {
  echo gcc g++ libc6-dev libcurl4-openssl-dev libedit2 libncurses6 libsqlite3-0 libxml2-dev libz3-dev \
    pkg-config tzdata unzip zlib1g-dev gnupg
  case $1 in bookworm | trixie) echo binutils-gold ;; esac
}

# Prints `suite` if Debian packages Swift there, and `machine` if this machine's is used.
suite_swift_of() {
  case ${SWIFT_OF:-$1} in suite | sid) echo suite ;; *) echo machine ;; esac
}

# Creates the system below suites_dir, unless it exists: SUITE, and `swift` for one that can build.
suite_prepare() {
  local suite=$1 with=$2 base=$suites_dir/$1${2:+-$2}
  mkdir -p "$suites_dir"
  if [ ! -e "$suites_dir/$suite.ready" ]; then
    echo "Fetching Debian $suite." >&2
    rm -rf --one-file-system "$suites_dir/$suite"
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$suites_dir/$suite" "$(suite_mirror)" \
      > "$suites_dir/$suite.log"
    cp /etc/apt/apt.conf.d/99* "$suites_dir/$suite/etc/apt/apt.conf.d/" 2>/dev/null || true
    # Nobody needs these systems after a power failure.
    echo force-unsafe-io > "$suites_dir/$suite/etc/dpkg/dpkg.cfg.d/unsafe-io"
    touch "$suites_dir/$suite.ready"
  fi
  if [ -z "$with" ] || [ -e "$base.ready" ]; then return; fi
  rm -rf --one-file-system "$base"
  cp -a "$suites_dir/$suite" "$base"
  suite_root=$base
  suite_mount
  local packages="git make sudo swiftlang g++ libc6-dev"
  [ "$(suite_swift_of "$suite")" = suite ] || packages="git make sudo $(suite_swift_needs "$suite" | xargs)"
  suite_run sh -c "apt-get update -qq && apt-get install -y -qq --no-install-recommends $packages" \
    >> "$suites_dir/$suite.log" 2>&1 || { tail -n 20 "$suites_dir/$suite.log" >&2; return 1; }
  umount -R "$base/proc" "$base/sys" "$base/dev"
  touch "$base.ready"
}

# Mounts the file systems that programs expect below suite_root.
suite_mount() {
  mount -t proc proc "$suite_root/proc"
  mount --rbind /sys "$suite_root/sys"
  mount --rbind /dev "$suite_root/dev"
  cp -L /etc/resolv.conf "$suite_root/etc/resolv.conf"
}

# Mounts a layer over the system NAME as suite_root: a temporary one, or one that is kept.
suite_enter() {
  local name=$1 layer
  if [ -n "$2" ]; then
    layer=$suites_dir/$name.kept
    mkdir -p "$layer"
    # Two mounts of the same layer would corrupt it.
    exec 8> "$layer/lock"
    flock 8
  else
    layer=$(mktemp -d "$suites_dir/layer.XXXXXX")
    trap 'umount -lR "$suite_root" 2>/dev/null; rm -rf --one-file-system "'"$layer"'"' EXIT
  fi
  mkdir -p "$layer/changes" "$layer/work" "$layer/root"
  suite_root=$layer/root
  mount -t overlay overlay -o "lowerdir=$suites_dir/$name,upperdir=$layer/changes,workdir=$layer/work" "$suite_root"
  suite_mount
}

# Makes this machine's Swift available in the system, unless it has its own, and the folders that git fetches packages
# from.
suite_bring_swift() {
  if [ "$(suite_swift_of "$1")" = machine ]; then
    local swift
    swift=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
    mkdir -p "$suite_root/opt/swift"
    mount --bind -o ro "$swift" "$suite_root/opt/swift"
  fi
  # If git on this machine takes packages from a local folder, it does so there as well.
  git config --get-regexp '^url\..*\.insteadof$' | while read -r key value; do
    local folder=${key#url.}
    folder=${folder%.insteadof} folder=${folder#file://}
    [ -d "$folder" ] || continue
    suite_run git config --system --get-all "$key" | grep -qxF "$value" ||
      suite_run git config --system --add "$key" "$value"
    mkdir -p "$suite_root$folder"
    mountpoint -q "$suite_root$folder" || mount --bind -o ro "$folder" "$suite_root$folder"
  done
  suite_run git config --system --replace-all safe.directory '*'
}

# Copies the checkout at PROJECT, including uncommitted changes, to /root/airprint.
suite_bring_checkout() {
  local copy=$suite_root/root/airprint
  if [ -d "$copy/.git" ]; then
    git -C "$copy" fetch -q "$1" HEAD
    git -C "$copy" reset -q --hard FETCH_HEAD
    git -C "$copy" clean -fdq
  else
    git clone -q "$1" "$copy"
  fi
  git -C "$1" diff HEAD --binary | git -C "$copy" apply --allow-empty
  git -C "$1" ls-files -z --others --exclude-standard | tar -C "$1" --null -T - -c | tar -C "$copy" -x
}

# Runs a command in the system, without a terminal, in English. What it leaves running does not keep the layer locked.
#
# The system is the root of a mount namespace: the kernel lets nobody in a chroot make a user namespace, and bubblewrap
# (since 0.12) makes one for root as well.
suite_run() {
  env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/opt/swift/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    unshare --mount --propagation private sh -c \
    'mount --rbind "$0" "$0" && cd "$0" && pivot_root . . && umount -l . && exec "$@"' "$suite_root" "$@" \
    < /dev/null 8>&-
}
