extension [CChar] {
  /// The C string in a buffer that a C function filled; bytes that are not UTF-8 are replaced.
  package var text: String {
    String(decoding: prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
