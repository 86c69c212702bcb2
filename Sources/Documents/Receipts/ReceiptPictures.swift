package import PrintModel

/// The files that a receipt in the regular file behind `descriptor` draws on, as it calls them:
/// each once.
///
/// It stays the caller's. The failure is exit 65 and names the line.
package func picturesOfReceipt(_ descriptor: Int32) throws(Failure) -> [String] {
  try ReceiptParser.parse(descriptor).pictures
}
