internal import ForeignText
internal import Glibc
package import PrintModel
internal import System

/// Decides by owner and permissions which files are read as settings, and in which folders settings are written.
package enum FileTrust {
  /// Throws exit 78 if a file or its folder belongs to neither root nor the caller, or can be written by others.
  ///
  /// Below /etc, both must belong to root, and their group may not write them either. Under sudo, files of the user who
  /// called sudo are read elsewhere, too.
  static func check(_ path: String) throws(Failure) {
    let folder = FileTrust.folder(of: path)
    var paths = [folder, path]
    // For a symbolic link, check the target's folder as well.
    let target = FileTrust.folder(of: absolutePath(path) ?? path)
    if target != folder { paths.append(target) }
    for place in paths {
      guard let status = FileStatus(place) else { continue }
      let isSystem = path.hasPrefix("/etc/")
      let sudo = isSystem ? "sudo " : ""
      let owners = isSystem ? [0] : [0, geteuid()] + [sudoer].compactMap { $0 }
      guard owners.contains(status.st_uid) else {
        let owner = isSystem ? "root" : "you"
        throw .configuration(
          "Refusing to read \(place): it does not belong to \(owner). "
            + "Fix it with: \(sudo)chown \(isSystem ? "root" : "\(geteuid())") \(ShellWord.quoted(place))"
        )
      }
      // In /tmp and similar folders, nobody can replace another user's files.
      let isSticky = place != path && status.st_mode & S_ISVTX != 0
      guard isSticky || !mayBeWritten(place, status, byGroup: !isSystem) else {
        throw .configuration(
          "Refusing to read \(place): it can be written by others. "
            + "Fix it with: \(sudo)chmod go-w \(ShellWord.quoted(place))")
      }
    }
  }

  /// Makes a folder for settings or state, and its missing parents, with mode 0700, or 0755 below /etc, which everybody
  /// may read.
  ///
  /// Returns false, with `errno` set, when one can't be made, or when root under sudo would leave it in a user's home.
  package static func makeFolder(_ path: String) -> Bool {
    guard foreigner(of: path) == nil else {
      errno = EPERM
      return false
    }
    return PrivateFolder.make(path, mode: path.hasPrefix("/etc/") ? 0o755 : 0o700)
  }

  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// True when anyone but the owner may write the file.
  ///
  /// With `byGroup`, the group may write it if it is the owner's private group, as on systems where everybody's umask
  /// is 002. This does not apply to files with an access list, whose permission bits don't show everyone with access.
  private static func mayBeWritten(_ path: String, _ status: stat, byGroup: Bool) -> Bool {
    if status.st_mode & S_IWOTH != 0 { return true }
    guard status.st_mode & S_IWGRP != 0 else { return false }
    return !byGroup || hasAccessList(path) || !isOwn(group: status.st_gid, of: status.st_uid)
  }

  /// True when an access list grants or denies somebody more than the file's permission bits show (acl(5)).
  private static func hasAccessList(_ path: String) -> Bool {
    typealias Function =
      @convention(c) (
        UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int
      ) -> Int
    // Swift's Glibc has no <sys/xattr.h>.
    guard let symbol = dlsym(nil, "getxattr") else { return true }
    return unsafeBitCast(symbol, to: Function.self)(path, "system.posix_acl_access", nil, 0) > 0
  }

  /// True for an account's private group: its primary group, with its name, and without other members.
  private static func isOwn(group: gid_t, of user: uid_t) -> Bool {
    guard let account = getpwuid(user), account.pointee.pw_gid == group,
      let name = account.pointee.pw_name.map({ String(cString: $0) }),
      let entry = getgrgid(group), String(cString: entry.pointee.gr_name) == name
    else { return false }
    var member = entry.pointee.gr_mem
    while let person = member?.pointee {
      if String(cString: person) != name { return false }
      member = member?.advanced(by: 1)
    }
    return true
  }

  /// The failure, exit 73, if root, under sudo with a user's home, would leave files in the folder that the user could
  /// no longer change; nil if not.
  static func refusal(of folder: String) -> Failure? {
    foreigner(of: folder).map { owner in
      Failure.cannotWrite(
        "\(folder) belongs to another account (user \(owner)), and what root writes there would belong to root. "
          + "Run without sudo, or with sudo -H for root's own settings.")
    }
  }

  /// The owner of `folder`, or of the folder in which it would be made, if sudo made us root and the owner is not root.
  static func foreigner(of folder: String) -> uid_t? {
    guard geteuid() == 0, let sudoer, sudoer != 0 else { return nil }
    guard let owner = FileStatus(existing(folder))?.st_uid, owner != 0 else { return nil }
    return owner
  }

  /// The folder, or the nearest one above it that exists.
  static func existing(_ folder: String) -> String {
    var place = folder
    while access(place, F_OK) != 0, place != "/", let slash = place.lastIndex(of: "/") {
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
    return place
  }

  /// The user who called sudo(8).
  private static var sudoer: uid_t? {
    geteuid() == 0 ? getenv("SUDO_UID").flatMap { uid_t(String(cString: $0)) } : nil
  }
}

extension Directories {
  /// The reason no job may be written below `state` (`FileTrust.refusal`); nil when there is none.
  package var refusal: Failure? { FileTrust.refusal(of: state) }
}
