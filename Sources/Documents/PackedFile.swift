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
    var rest = file.bytes
    repeat {
      let member = inflate(rest, .gzip, pieces: 256 << 10) { piece in
        output(piece)
        return true
      }
      guard let count = member.count else {
        throw Failure(.document, "The file is compressed with gzip, and damaged.")
      }
      rest = rest.dropping(count)
    } while rest.starts(with: [0x1F, 0x8B])
  }
}
