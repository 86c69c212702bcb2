internal import CLibraryPatches

/// What libraries write to standard output by write(2), as those in Rust do: a worker's is its connection to its parent.
package enum LibraryOutput {
  private static let reader = PerThread<((UnsafeRawBufferPointer) -> Void)?>(nil)

  /// Runs `body`, and hands what libraries write on this thread meanwhile to `read` instead.
  package static func read<Result, Problem: Error>(
    _ read: @escaping (UnsafeRawBufferPointer) -> Void,
    during body: () throws(Problem) -> Result
  ) throws(Problem) -> Result {
    let former = output_listen { bytes, length in
      LibraryOutput.reader.value?(UnsafeRawBufferPointer(start: bytes, count: length))
    }
    defer { _ = output_listen(former) }
    return try reader.with(read, body)
  }
}
