internal import Glibc

/// libcups, GnuTLS and libavahi-client, with all that they bring along (Kerberos, D-Bus, systemd): a worker, a
/// Tab and a status bar need none of them, and they take 5 ms to load.
///
/// `load` is called where most commands start, and by what those need that start without: a connection, a
/// URI's parser, a search of the network.
package enum NetworkLibraries {
  /// Opens them for every later call; cheap when they are open already.
  ///
  /// Without one of them nothing can be printed: that is reported, and the process exits with 70.
  package static func load() {
    guard let missing else { return }
    let words = "airprint: \(complaint(missing))\n"
    _ = write(STDERR_FILENO, words, words.utf8.count)
    exit(70)
  }

  /// The first that can't be opened; nil: all are open.
  package static let missing: LateLibrary.Missing? = {
    for name in ["cups", "gnutls", "avahi-common", "avahi-client"] {
      do throws(LateLibrary.Missing) { try LateLibrary(name).open() } catch { return error }
    }
    return nil
  }()

  /// The sentence about one that is missing: its name, what works without it, and how to get it.
  package static func complaint(_ missing: LateLibrary.Missing) -> String {
    "Without \(missing.culprit), airprint can't reach printers (\(missing.reason)). render and preview --no-printer "
      + "work without it. airprint doctor says what to install."
  }
}
