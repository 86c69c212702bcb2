internal import CGLib

/// Data of a PDF's streams that zlib has packed (RFC 1950).
package struct InflatedStream {
  package private(set) var bytes: [UInt8] = []
  /// False when it is damaged or cut off, or longer than what was allowed.
  package private(set) var isWhole = false

  /// The data that begins at the first byte of `packed`, as far as it can be unpacked.
  ///
  /// - `checksSum`: data with a wrong sum at its end is damaged; PDF's readers take no notice of it.
  package init(_ packed: UnsafeRawBufferPointer, atMost budget: Int, checksSum: Bool = false) {
    guard let inflater = InflatedStream.inflater(for: packed, checksSum: checksSum) else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(inflater)) }
    var rest = packed.dropping(checksSum ? 0 : min(2, packed.count))
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      var (read, written) = (0, 0)
      let result = InflatedStream.unpack(rest, by: inflater, to: &piece, &read, &written)
      guard result != G_CONVERTER_ERROR, bytes.count + written <= budget else { return }
      rest = rest.dropping(read)
      bytes += piece[..<written]
      isWhole = result == G_CONVERTER_FINISHED
      guard !isWhole, read > 0 || written > 0 else { return }
    }
  }

  /// The first bytes, up to `count`, of the data that begins at the first byte of `packed`; nil if there are none.
  package static func beginning(of packed: UnsafeRawBufferPointer, _ count: Int) -> [UInt8]? {
    guard let inflater = inflater(for: packed, checksSum: false) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(inflater)) }
    var piece = [UInt8](repeating: 0, count: count)
    var (read, written) = (0, 0)
    _ = unpack(packed.dropping(min(2, packed.count)), by: inflater, to: &piece, &read, &written)
    return written > 0 ? Array(piece[..<written]) : nil
  }

  private static func inflater(
    for packed: UnsafeRawBufferPointer, checksSum: Bool
  ) -> OpaquePointer? {
    guard let first = packed.first, first & 15 == 8 else { return nil }
    return g_zlib_decompressor_new(
      checksSum ? G_ZLIB_COMPRESSOR_FORMAT_ZLIB : G_ZLIB_COMPRESSOR_FORMAT_RAW)
  }

  private static func unpack(
    _ packed: UnsafeRawBufferPointer, by inflater: OpaquePointer, to piece: inout [UInt8],
    _ read: inout Int, _ written: inout Int
  ) -> GConverterResult {
    piece.withUnsafeMutableBytes {
      g_converter_convert(
        inflater, packed.baseAddress, gsize(packed.count), $0.baseAddress, gsize($0.count),
        GConverterFlags(rawValue: 0), &read, &written, nil)
    }
  }
}
