/// A version of TLS, used as the oldest one allowed with a printer.
///
/// `rawValue` is its usual notation.
package enum TLSVersion: String, Sendable, CaseIterable {
  case v1_0 = "1.0"
  case v1_1 = "1.1"
  case v1_2 = "1.2"
  case v1_3 = "1.3"

  /// The default: older versions must not be used (RFC 8996).
  package static let usual = v1_2

  /// The versions before this one, newest first.
  package var older: [TLSVersion] { TLSVersion.allCases.prefix { $0 != self }.reversed() }

  package var orNewer: ArraySlice<TLSVersion> { TLSVersion.allCases.drop { $0 != self } }
}
