import FoundationEssentials
import TestSupport
import Testing

/// The units and the recipes of docs/linux.md under a real systemd.
///
/// It is process 1 of its own namespaces, on an overlay of this machine's files that is removed afterwards.
@Suite struct SystemdTests {
  /// The checkout.
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  @Test(.enabled(if: Self.canBoot, "no systemd can be started in namespaces here"))
  func `the recipes of the documentation, as they are written`() async throws {
    let person = try await Person.anybody()
    let folder = person.path("machine")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try PDF().bytes.write(to: "\(folder)/page.pdf")
    let chapter = try #require(
      String(decoding: try bytes(of: "\(root)/docs/linux.md"), as: UTF8.self)
        .split(separator: "\n## ").first { $0.hasPrefix("systemd\n") })
    let recipes = chapter.split(separator: "```sh\n").dropFirst().compactMap {
      $0.split(separator: "```").first
    }
    #expect(recipes.count == 3)
    try Array(recipes.joined(separator: "\n").utf8).write(to: "\(folder)/recipes")
    try Array(Self.story.utf8).write(to: "\(folder)/story")
    try Array(Self.kaysStory.utf8).write(to: "\(folder)/kays-story")

    let outcome = try await person.bench.run(
      Self.unshare + ["sh", "-c", Self.boot, "sh", folder, root, try locate("airprint")])
    let told = (try? person.text("machine/told")) ?? ""
    let report = "\(outcome.report)\n\(told)"
    func said(_ name: String) -> String? {
      told.split(separator: "\n").first { $0.hasPrefix("\(name): ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }
    #expect(said("recipes") == "0", "\(report)")
    // Type=notify: it only becomes active when it reports that it is ready.
    #expect(said("active") == "active active active", "\(report)")
    #expect(said("next")?.contains(" 07:00:00") == true, "\(report)")
    #expect(said("folder") == "1 printed, 0 left", "\(report)")
    #expect(said("report") == "success, 2 printed", "\(report)")
    #expect(said("waits")?.contains("1 job waiting") == true, "\(report)")
    #expect(said("plugged") == "success, 3 printed", "\(report)")
    // Only its own lines are in the journal, and nothing about a missing desktop.
    #expect(
      told.contains("\nTill is available: 1 job waiting; airprint queue run prints it.\n"),
      "\(report)")
    #expect(!told.contains("GDBus"), "\(report)")
    #expect(said("stopped") == "success 0 0", "\(report)")
  }

  private static let unshare = [
    "unshare", "--pid", "--mount", "--uts", "--ipc", "--net", "--cgroup", "--fork", "--kill-child",
  ]

  /// True if a system can be started: only root may mount an overlay on a disk, and cgroups.
  private static let canBoot: Bool = {
    let attempt = """
      mount --make-rprivate / && mount -t tmpfs tmpfs /mnt && mkdir /mnt/upper /mnt/work /mnt/root &&
      mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root &&
      mount -t sysfs sysfs /mnt/root/sys && mount -t cgroup2 cgroup2 /mnt/root/sys/fs/cgroup
      """
    return succeeds(unshare + ["sh", "-c", attempt])
  }()

  /// Creates the machine and becomes its process 1.
  ///
  /// It also has this machine's other mounts, such as a toolchain's, but not those that every system has for itself.
  private static let boot = """
    set -e
    mount --make-rprivate /
    mounted=$(awk '{ print $5 }' /proc/self/mountinfo |
      grep -vE '^/(proc|sys|dev|run|tmp|mnt)(/|$)|^/$' || true)
    mount -t tmpfs tmpfs /mnt
    cd /mnt
    mkdir upper work root out
    mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
    for place in $mounted; do [ ! -e "root$place" ] || mount --bind "$place" "root$place"; done
    cd root
    mount -t proc proc proc
    # What is the kernel's is nobody's to change: there is one for all machines.
    mount --bind proc/sys proc/sys
    mount -o remount,bind,ro proc/sys
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    for place in dev run tmp; do mount -t tmpfs tmpfs $place; done
    mknod -m 666 dev/null c 1 3
    mknod -m 666 dev/zero c 1 5
    mknod -m 666 dev/random c 1 8
    mknod -m 666 dev/urandom c 1 9
    mknod -m 666 dev/tty c 5 0
    mkdir dev/pts dev/shm run/out
    mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
    mount --bind "$1" run/out
    ip link set lo up
    make --no-print-directory -s -C "$2" install AIRPRINT="$3" PREFIX=/usr/local DESTDIR="$PWD" \\
      > "$1/install.log"
    sed -i 's/^#* *allow-interfaces=.*/allow-interfaces=lo/' etc/avahi/avahi-daemon.conf
    printf 'machine\\n' > etc/hostname
    units=etc/systemd/system
    mkdir -p $units
    # Of what Debian starts, what a printer and a person need.
    for unit in systemd-udevd systemd-udev-trigger systemd-networkd systemd-resolved cups krb5-kdc \\
      krb5-admin-server; do ln -sf /dev/null $units/$unit.service; done
    cat > $units/story.service <<END
    [Unit]
    Wants=systemd-logind.service avahi-daemon.service
    After=systemd-logind.service avahi-daemon.service
    [Service]
    Type=oneshot
    ExecStart=/bin/sh /run/out/story
    StandardOutput=file:/run/out/told
    StandardError=inherit
    ExecStopPost=/bin/systemctl --no-block exit
    TimeoutStartSec=200
    END
    cat > $units/story.target <<END
    [Unit]
    Requires=basic.target story.service
    After=basic.target
    END
    exec chroot . env -i container=namespaces PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
      /lib/systemd/systemd --system --unit=story.target --log-target=console --show-status=no
    """

  /// The machine's side: a printer and a logged-in user.
  private static let story = """
    mkdir /run/spool /run/keys /run/out/printed
    printf '#!/bin/sh\\ncp "$1" "/run/out/printed/$IPP_JOB_ID"\\n' > /run/print
    chmod 755 /run/print
    systemd-run --quiet --unit=printer ippeveprinter -p 8631 -c /run/print -d /run/spool -K /run/keys \\
      -r off -f application/pdf Till
    useradd --create-home --uid 4711 --shell /bin/sh kay
    systemctl start user@4711.service
    runuser -u kay -- env HOME=/home/kay XDG_RUNTIME_DIR=/run/user/4711 \\
      PATH=/usr/local/bin:/usr/bin:/bin sh /run/out/kays-story
    systemctl stop printer.service user@4711.service
    """

  private static let kaysStory = """
    say() { name=$1; shift; echo "$name: $*"; }
    wait_for() { for attempt in $(seq 500); do "$@" > /dev/null 2>&1 && return; sleep 0.1; done; }
    printed() { ls /run/out/printed | wc -l; }
    has_printed() { [ "$(printed)" -ge "$1" ]; }
    is_empty() { [ -z "$(ls -A "$1")" ]; }
    value() { systemctl --user show --value -p "$2" "$1"; }
    cd
    wait_for airprint show ipp://localhost:8631/ipp/print
    airprint pick ipp://localhost:8631/ipp/print --as Till
    cp /run/out/page.pdf report.pdf

    sh -e /run/out/recipes
    say recipes $?
    say active $(systemctl --user is-active airprint-queue.service airprint-report.timer \\
      airprint-folder.path)
    say next "$(value airprint-report.timer NextElapseUSecRealtime)"

    cp report.pdf whole.pdf
    mv whole.pdf Print/
    wait_for has_printed 1
    wait_for is_empty Print
    say folder "$(printed) printed, $(ls -A Print | wc -l) left"

    systemctl --user start airprint-report.service
    say report "$(value airprint-report.service Result), $(printed) printed"

    airprint queue add report.pdf
    wait_for sh -c 'systemctl --user show airprint-queue.service | grep "StatusText=1 job waiting"'
    say waits "$(value airprint-queue.service StatusText)"
    wait_for sh -c 'journalctl --user -u airprint-queue | grep airprint'
    journalctl --user -u airprint-queue -o cat
    install -D -m 644 -t .config/systemd/user \\
      /usr/local/share/doc/airprint/examples/systemd/airprint-plugged.service
    systemctl --user daemon-reload
    systemctl --user start airprint-plugged.service
    say plugged "$(value airprint-plugged.service Result), $(printed) printed"

    systemctl --user stop airprint-queue.service
    say stopped $(value airprint-queue.service Result) \\
      $(value airprint-queue.service ExecMainStatus) $(value airprint-queue.service NRestarts)
    """
}
