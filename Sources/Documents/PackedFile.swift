internal import CGLib
internal import DocumentBytes
internal import Glibc
internal import LateLibraries
package import PrintModel

/// Files compressed by gzip (RFC 1952), in which programs store text and PDF.
package enum PackedFile {
  package static func isPacked(_ descriptor: Int32) -> Bool {
    var head = [UInt8](repeating: 0, count: 3)
    return pread(descriptor, &head, 3, 0) == 3 && head == [0x1F, 0x8B, 0x08]
  }

  /// Passes on the contents of the file, piece by piece.
  ///
  /// Consecutive members are one file (§2.2); anything else after them is ignored, as by gzip. Throws exit 65 for a
  /// damaged file.
  package static func unpack(
    _ descriptor: Int32, to output: (UnsafeRawBufferPointer) -> Void
  ) throws(Failure) {
    try GraphicsLibraries.pictures.load()
    let file = try MappedFile(descriptor)
    defer { withExtendedLifetime(file) {} }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { piece.deallocate() }
    var rest = file.bytes
    repeat {
      guard let count = unpackMember(rest, by: piece, to: output) else {
        throw Failure(.document, "The file is compressed with gzip, and damaged.")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    } while rest.starts(with: [0x1F, 0x8B])
  }

  /// Unpacks the first member, and returns its compressed length; nil if it is damaged or truncated.
  private static func unpackMember(
    _ packed: UnsafeRawBufferPointer, by piece: UnsafeMutableRawBufferPointer,
    to output: (UnsafeRawBufferPointer) -> Void
  ) -> Int? {
    guard let inflater = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(inflater)) }
    // G_CONVERTER_INPUT_AT_END, by which name newer headers of GLib don't give it to Swift.
    let atEnd = GConverterFlags(rawValue: 1 << 0)
    var used = 0
    while true {
      var (read, written) = (0, 0)
      let rest = UnsafeRawBufferPointer(rebasing: packed.dropFirst(used))
      let result = g_converter_convert(
        inflater, rest.baseAddress, gsize(rest.count), piece.baseAddress, gsize(piece.count),
        atEnd, &read, &written, nil)
      guard result != G_CONVERTER_ERROR else { return nil }
      used += read
      if written > 0 { output(UnsafeRawBufferPointer(rebasing: piece[..<written])) }
      if result == G_CONVERTER_FINISHED { return used }
      guard read > 0 || written > 0 else { return nil }
    }
  }
}
