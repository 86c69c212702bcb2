internal import Glibc
internal import PrintModel

/// A regular file's bytes, mapped read-only for as long as this object lives.
final class MappedFile {
  let bytes: UnsafeRawBufferPointer

  init(_ descriptor: Int32) throws(Failure) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0,
      let base = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0),
      base != MAP_FAILED
    else { throw Failure(.document, "The file is empty or can't be read.") }
    bytes = UnsafeRawBufferPointer(start: base, count: Int(status.st_size))
  }

  /// Bytes of the regular file behind `descriptor`; 0 when nobody knows.
  static func size(of descriptor: Int32) -> Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}
