package import PrintModel

/// What is said of a picture whose file is damaged, whoever decodes it.
package enum DamagedPicture {
  package static let loss = Loss(
    .damage, "The picture is damaged or cut short: what is missing is left white.")

  /// The failure, exit 65, of a picture that can't be decoded.
  package static func failure(_ why: String?) -> Failure {
    Failure(
      .document, "The picture can't be read: \(why ?? "it is damaged or cut short").")
  }
}
