package import PrintModel
internal import Receipts

/// The names of the pictures in a receipt in the regular file behind `descriptor`, without duplicates.
///
/// The descriptor stays the caller's. Throws exit 65 with the line's number.
package func picturesOfReceipt(_ descriptor: Int32) throws(Failure) -> [String] {
  try ReceiptParser.parse(descriptor).pictures
}
