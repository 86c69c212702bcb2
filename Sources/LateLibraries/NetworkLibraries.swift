internal import Glibc

/// libcups, GnuTLS and libavahi-client, with their dependencies (Kerberos, D-Bus, systemd): workers, completion and
/// status bars need none of them, and they take 5 ms to load.
///
/// `load` is called at the start of most commands, and by the functions that the other commands may need: a connection,
/// a URI's parser, a search of the network.
package enum NetworkLibraries {
  /// Opens them for all later calls; cheap if they are already open.
  ///
  /// Without one of them, nothing can be printed: that is reported, and the process exits with 70.
  package static func load() {
    guard let missing else { return }
    let words =
      "airprint: \(missing.complaint(loss)) render and preview --no-printer work without it. "
      + "airprint doctor shows what to install.\n"
    _ = write(STDERR_FILENO, words, words.utf8.count)
    exit(70)
  }

  /// The first one that can't be opened; nil if all are open.
  package static let missing: LateLibrary.Missing? = {
    let needs = ["gnutls", "avahi-common", "avahi-client"]
    for library in [LateLibrary("cups", needs: needs)] + needs.map({ LateLibrary($0) }) {
      do throws(LateLibrary.Missing) { try library.open() } catch { return error }
    }
    return nil
  }()

  /// The consequence without them, as a part of a sentence.
  package static let loss = "airprint can't reach printers"
}
