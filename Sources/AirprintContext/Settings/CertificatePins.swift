internal import ForeignText
internal import FoundationEssentials
internal import Glibc
package import PrintModel
internal import System

/// Certificates of printers that are not saved, or that only the administrator has saved.
///
/// `certificates/` in the state folder contains a file for each host and port, name, or UUID, with the fingerprint.
package struct CertificatePins: Sendable {
  /// The ways in which a user may refer to a printer.
  package enum Key: Sendable, Equatable {
    case place(host: String, port: Int)
    /// Its name on the network, or a part of that: whatever was typed.
    case name(String)
    case uuid(String)
  }

  private let directories: Directories
  private var folder: String { "\(directories.state)/certificates" }

  package init(_ directories: Directories) { self.directories = directories }

  /// The saved fingerprint; nil when there is none.
  ///
  /// Throws exit 78 for a file that contains something else.
  package func certificate(of key: Key) throws(Failure) -> Fingerprint? {
    let path = "\(folder)/\(name(key))"
    guard let text = firstLine(of: path) else {
      guard access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR else {
        throw .configuration("\(path) can't be read: \(SystemError()).")
      }
      return nil
    }
    guard let read = Fingerprint(text) else {
      throw .configuration(
        "\(path) does not hold a SHA-256 fingerprint; airprint trust replaces it.")
    }
    return read
  }

  /// Saves a fingerprint, or that the printer does not encrypt, in place of the other.
  ///
  /// - `confirm`: called before that under the folder's lock; what it throws leaves the file unchanged. Throws exit 73
  ///   when it can't be written.
  package func keep(
    _ certificate: Fingerprint?, of key: Key,
    if confirm: () throws(Failure) -> Void = { () throws(Failure) in }
  ) throws(Failure) {
    let names = [name(key), CertificatePins.none + name(key)].map { "\(folder)/\($0)" }
    try directories.replace(names[certificate == nil ? 1 : 0]) { () throws(Failure) in
      try confirm()
      return (certificate?.text ?? "none") + "\n"
    }
    let other = names[certificate == nil ? 0 : 1]
    guard unlink(other) == 0 || errno == ENOENT else {
      throw .cannotWrite("\(other) can't be removed: \(SystemError()).")
    }
  }

  /// True when this printer took a job or a password over an unencrypted connection.
  ///
  /// Saving a certificate resets this.
  package func isKnownWithout(_ key: Key) -> Bool {
    access("\(folder)/\(CertificatePins.none)\(name(key))", F_OK) == 0
  }

  /// Prefix of a file's name.
  private static let none = "none="

  /// All saved fingerprints as they are written, by `HOST:PORT`, `name=NAME` or `uuid=UUID`.
  package var all: [(place: String, certificate: String)] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { file in
      !file.hasPrefix(".") && !file.hasSuffix(".new") && !file.hasPrefix(CertificatePins.none)
    }.sorted().compactMap { name in firstLine(of: "\(folder)/\(name)").map { (name, $0) } }
  }

  private func firstLine(of path: String) -> String? {
    FileManager.default.contents(atPath: path).map {
      String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self)
    }
  }

  private func name(_ key: Key) -> String {
    switch key {
    case .place(let host, let port): "\(coded(host)):\(port)"
    // A DNS-SD name has at most 63 bytes.
    case .name(let name): "name=\(coded(name).prefix(240))"
    case .uuid(let uuid): "uuid=\(coded(uuid))"
    }
  }

  /// The text in lower case, with everything but letters, digits, dashes and dots percent-encoded.
  private func coded(_ text: String) -> String {
    percentEncoded(text.lowercased()) { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E
    }
  }
}
