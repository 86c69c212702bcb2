internal import CZint
package import LateLibraries

extension LibraryVersion {
  package static var ofReceipts: [GraphicsLibraries: LibraryVersion] {
    [.codes: LibraryVersion(built: nil) { zintVersion(ZBarcode_Version()) }]
  }

  /// 21100 is 2.11.0.
  static func zintVersion(_ number: Int32) -> String {
    "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }
}
