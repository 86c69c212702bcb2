internal import FoundationEssentials
internal import Glibc
package import PrintModel

/// The certificates of printers that are not saved, or that only the administrator has saved: one file a
/// host and port in `certificates/` of the state folder, which holds the fingerprint.
package struct CertificatePins: Sendable {
  private let folder: String

  package init(_ places: Places) { folder = "\(places.state)/certificates" }

  /// nil where none is kept; exit 78 for a file that holds something else.
  package func certificate(of host: String, port: Int) throws(Failure) -> Fingerprint? {
    let path = "\(folder)/\(name(host, port))"
    guard let bytes = FileManager.default.contents(atPath: path) else {
      guard access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR else {
        throw Failure(.configuration, "\(path) can't be read: \(String(cString: strerror(errno))).")
      }
      return nil
    }
    let text = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    guard let read = Fingerprint(text) else {
      throw Failure(
        .configuration, "\(path) holds no SHA-256 fingerprint; airprint trust writes it anew.")
    }
    return read
  }

  /// nil forgets it. Exit 73 when it can't be written.
  package func keep(_ certificate: Fingerprint?, of host: String, port: Int) throws(Failure) {
    let name = name(host, port)
    guard let certificate else {
      guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
        throw Failure(
          .cannotWrite,
          "\(folder)/\(name) can't be removed: \(String(cString: strerror(errno))).")
      }
      return
    }
    try AtomicFile.replace(name, in: folder, mode: 0o600) { () throws(Failure) in
      certificate.text + "\n"
    }
  }

  /// All that are kept, by `HOST:PORT` and as they are written.
  package var all: [(place: String, certificate: String)] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { !$0.hasPrefix(".") && !$0.hasSuffix(".new") }.sorted().compactMap {
      name in
      FileManager.default.contents(atPath: "\(folder)/\(name)").map {
        (name, String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self))
      }
    }
  }

  /// A file name: the host in lower case, what is no letter, digit, dash or dot of it percent-coded.
  private func name(_ host: String, _ port: Int) -> String {
    let coded = host.lowercased().utf8.map { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
    return "\(coded):\(port)"
  }
}
