internal import CGLib

/// How data is packed by zlib, with GLib's numbers: RFC 1950, as in a PDF; RFC 1952; RFC 1951, without a head and a sum.
package enum Packing: UInt32 { case zlib, gzip, raw }

/// Passes what `packed` begins with to `body` unpacked, in pieces of up to `size` bytes, until `body` returns false.
///
/// Returns the number of packed bytes, nil unless all of them are there and whole; and zlib's words for what is wrong.
package func inflate(
  _ packed: UnsafeRawBufferPointer, _ packing: Packing, pieces size: Int = 64 << 10,
  _ body: (UnsafeRawBufferPointer) -> Bool
) -> (count: Int?, problem: String?) {
  let format = GZlibCompressorFormat(rawValue: packing.rawValue)
  guard let inflater = g_zlib_decompressor_new(format) else { return (nil, nil) }
  defer { g_object_unref(UnsafeMutableRawPointer(inflater)) }
  let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
  defer { piece.deallocate() }
  var used = 0
  while true {
    var (read, written) = (0, 0)
    var problem: UnsafeMutablePointer<GError>?
    let rest = packed.dropping(used)
    let result = g_converter_convert(
      inflater, rest.baseAddress, gsize(rest.count), piece.baseAddress, gsize(piece.count),
      GConverterFlags(rawValue: 0), &read, &written, &problem)
    guard result != G_CONVERTER_ERROR else {
      defer { g_clear_error(&problem) }
      return (nil, problem?.pointee.message.map { String(cString: $0) })
    }
    used += read
    if written > 0, !body(UnsafeRawBufferPointer(rebasing: piece[..<written])) { return (nil, nil) }
    if result == G_CONVERTER_FINISHED { return (used, nil) }
    guard read > 0 || written > 0 else { return (nil, nil) }
  }
}

/// Data of a PDF's streams that zlib has packed (RFC 1950).
package struct InflatedStream {
  package private(set) var bytes: [UInt8] = []
  /// False when it is damaged or cut off, or longer than what was allowed.
  package private(set) var isWhole = false

  /// The data that begins at the first byte of `packed`, as far as it can be unpacked.
  ///
  /// - `checksSum`: data with a wrong sum at its end is damaged; PDF's readers take no notice of it.
  package init(_ packed: UnsafeRawBufferPointer, atMost budget: Int, checksSum: Bool = false) {
    // The first byte of such data.
    guard let first = packed.first, first & 15 == 8 else { return }
    let data = packed.dropping(checksSum ? 0 : min(2, packed.count))
    var bytes: [UInt8] = []
    let end = inflate(data, checksSum ? .zlib : .raw) { piece in
      guard bytes.count + piece.count <= budget else { return false }
      bytes += piece
      return true
    }
    self.bytes = bytes
    isWhole = end.count != nil
  }

}
