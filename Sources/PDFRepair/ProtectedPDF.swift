internal import DocumentBytes
package import PrintModel

package enum ProtectedPDF {
  /// The failure, exit 65, of a password-protected PDF; `hasPassword`: the given password is wrong.
  package static func failure(_ file: UnsafeRawBufferPointer, hasPassword: Bool) -> Failure {
    // Only the standard security handler has passwords (ISO 32000-1 §7.6.4).
    guard file.contains("/Standard"), !file.contains("/Adobe.PubSec") else {
      return Failure(
        .document,
        "The PDF can be opened only with a certificate, or by a certain program: save a copy without that protection."
      )
    }
    return Failure(
      .documentPassword,
      hasPassword
        ? "The PDF is protected by a password, and the password in --document-password-file does not open "
          + "it: the first line of that file must be the password."
        : "The PDF is protected by a password: give it with --document-password-file FILE.")
  }
}
