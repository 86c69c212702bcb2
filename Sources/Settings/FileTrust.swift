internal import Glibc
package import PrintModel

/// Whose files are read as settings, and into whose folders settings are written.
enum FileTrust {
  /// Throws exit 78 for a file that neither root nor the caller owns, or that others may write, and for one
  /// in such a folder. Below /etc it is root's alone, and its group may not write either. By sudo, the
  /// files of whoever called it are read too.
  static func check(_ path: String) throws(Failure) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    for place in [folder, path] {
      var status = stat()
      guard stat(place, &status) == 0 else { continue }
      let isSystem = path.hasPrefix("/etc/")
      let owners = isSystem ? [0] : [0, geteuid()] + [sudoer].compactMap { $0 }
      guard owners.contains(status.st_uid) else {
        let owner = isSystem ? "root" : "you"
        throw Failure(
          .configuration,
          "\(place) does not belong to \(owner), so it is not read as settings. "
            + "Say: chown \(isSystem ? "root" : "\(geteuid())") '\(place)'")
      }
      // /tmp and its like: nobody takes the place of what is somebody else's.
      let isSticky = place == folder && status.st_mode & S_ISVTX != 0
      guard isSticky || status.st_mode & (isSystem ? 0o022 : 0o002) == 0 else {
        throw Failure(
          .configuration,
          "\(place) can be written by others, so it is not read as settings. "
            + "Say: chmod go-w '\(place)'")
      }
    }
  }

  /// Throws exit 73 where root, who came by sudo with the home of a person, would leave files in it that
  /// the person could not change any more.
  static func checkOwner(of folder: String) throws(Failure) {
    guard let owner = foreigner(of: folder) else { return }
    throw Failure(
      .cannotWrite,
      "\(folder) is another account's (user \(owner)), and what root writes there would be root's. "
        + "Leave sudo away, or say sudo -H for root's own settings.")
  }

  /// The user that `folder`, or what it would be made in, belongs to, when that is not root and sudo made
  /// us root.
  static func foreigner(of folder: String) -> uid_t? {
    guard geteuid() == 0, let sudoer, sudoer != 0 else { return nil }
    var place = folder
    var status = stat()
    while stat(place, &status) != 0, let slash = place.lastIndex(of: "/") {
      place = slash == place.startIndex ? "/" : String(place[..<slash])
      if place == "/" { break }
    }
    guard stat(place, &status) == 0, status.st_uid != 0 else { return nil }
    return status.st_uid
  }

  /// Who called sudo(8).
  private static var sudoer: uid_t? {
    geteuid() == 0 ? getenv("SUDO_UID").flatMap { uid_t(String(cString: $0)) } : nil
  }
}

extension Places {
  /// Why no job may be written below `state`: exit 73 (`FileTrust.checkOwner`); nil when there is no reason.
  package var refusal: Failure? {
    do throws(Failure) {
      try FileTrust.checkOwner(of: state)
      return nil
    } catch {
      return error
    }
  }
}
