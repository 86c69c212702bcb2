internal import CCups
internal import LateLibraries

/// An IPP status code (RFC 8011 Appendix B).
///
/// A struct, so that unknown codes are preserved.
package struct Status: RawRepresentable, Sendable, Hashable {
  package var rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package var isSuccess: Bool { rawValue < 0x100 }

  package static let ok = Status(rawValue: 0x0000)
  package static let ignoredOrSubstituted = Status(rawValue: 0x0001)
  /// successful-ok-conflicting-attributes.
  package static let conflictSubstituted = Status(rawValue: 0x0002)
  package static let badRequest = Status(rawValue: 0x0400)
  package static let forbidden = Status(rawValue: 0x0401)
  package static let notAuthenticated = Status(rawValue: 0x0402)
  package static let notAuthorized = Status(rawValue: 0x0403)
  package static let notPossible = Status(rawValue: 0x0404)
  package static let timeout = Status(rawValue: 0x0405)
  package static let notFound = Status(rawValue: 0x0406)
  package static let gone = Status(rawValue: 0x0407)
  package static let requestEntityTooLarge = Status(rawValue: 0x0408)
  package static let documentFormatNotSupported = Status(rawValue: 0x040A)
  package static let attributesOrValues = Status(rawValue: 0x040B)
  package static let charsetNotSupported = Status(rawValue: 0x040D)
  package static let conflictingAttributes = Status(rawValue: 0x040E)
  package static let compressionNotSupported = Status(rawValue: 0x040F)
  package static let compressionError = Status(rawValue: 0x0410)
  package static let documentFormatError = Status(rawValue: 0x0411)
  package static let documentUnprintable = Status(rawValue: 0x041B)
  package static let accountInfoNeeded = Status(rawValue: 0x041C)
  package static let accountAuthorizationFailed = Status(rawValue: 0x041F)
  package static let internalError = Status(rawValue: 0x0500)
  package static let operationNotSupported = Status(rawValue: 0x0501)
  package static let serviceUnavailable = Status(rawValue: 0x0502)
  package static let versionNotSupported = Status(rawValue: 0x0503)
  package static let temporaryError = Status(rawValue: 0x0505)
  package static let notAcceptingJobs = Status(rawValue: 0x0506)
  package static let busy = Status(rawValue: 0x0507)
  package static let jobCanceled = Status(rawValue: 0x0508)
  package static let multipleDocumentJobsNotSupported = Status(rawValue: 0x0509)
  package static let deactivated = Status(rawValue: 0x050A)
  package static let tooManyJobs = Status(rawValue: 0x050B)

  /// True if the same request may succeed later: the printer is busy with something else.
  package var mayPass: Bool {
    [.busy, .serviceUnavailable, .temporaryError, .tooManyJobs, .notPossible].contains(self)
  }
}

extension Status: CustomStringConvertible {
  /// The keyword, such as `server-error-busy`; unknown codes in hexadecimal.
  package var description: String {
    NetworkLibraries.load()
    return String(
      cString: ippErrorString(ipp_status_t(rawValue: Int32(truncatingIfNeeded: rawValue))))
  }
}
