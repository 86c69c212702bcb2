internal import Glibc
package import PrintModel

/// A regular file's bytes, mapped for as long as this object lives; changes stay in this process.
package final class MappedFile {
  package let bytes: UnsafeRawBufferPointer

  package init(_ descriptor: Int32) throws(Failure) {
    let size = MappedFile.size(of: descriptor)
    guard size > 0, let base = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
      base != MAP_FAILED
    else { throw .document("The file is empty or can't be read.") }
    bytes = UnsafeRawBufferPointer(start: base, count: size)
  }

  /// Copies bytes that were made here; nil if there is no memory for them.
  package init?(copy made: [UInt8]) {
    let base = mmap(
      nil, made.count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let base, base != MAP_FAILED else { return nil }
    base.copyMemory(from: made, byteCount: made.count)
    bytes = UnsafeRawBufferPointer(start: base, count: made.count)
  }

  /// Replaces bytes, which the file itself keeps.
  ///
  /// False: there is no memory for them.
  package func replace(at place: Int, with new: some Collection<UInt8>) -> Bool {
    guard place >= 0, place + new.count <= bytes.count, let base = bytes.baseAddress else {
      return false
    }
    let start = UnsafeMutableRawPointer(mutating: base)
    let page = place / Int(getpagesize()) * Int(getpagesize())
    guard mprotect(start + page, place + new.count - page, PROT_READ | PROT_WRITE) == 0 else {
      return false
    }
    UnsafeMutableRawBufferPointer(start: start + place, count: new.count).copyBytes(from: new)
    return true
  }

  /// The size in bytes of the regular file behind `descriptor`; 0 when unknown.
  package static func size(of descriptor: Int32) -> Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}
