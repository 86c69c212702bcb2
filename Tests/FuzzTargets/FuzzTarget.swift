/// A parser of what strangers send, as a function of bytes: whatever they are, it returns, and what
/// it makes of them keeps the promises that are checked in it.
///
/// A broken promise is a trap.
///
/// `make fuzz` gives these to libFuzzer; FuzzTests runs them on the files of Corpus/NAME, which are
/// inputs as they are when nobody means harm and what fuzzing found, and on some mutations of these.
package struct FuzzTarget: Sendable {
  package let name: String
  package let run: @Sendable ([UInt8]) -> Void

  init(_ name: String, run: @escaping @Sendable ([UInt8]) -> Void) {
    self.name = name
    self.run = run
  }

  package static let all = [
    answer, record, configuration, printers, options, text, completion, raster, receipt, head,
    journal, submission, challenge, message, profile,
  ]
}

/// Traps when a parser does not keep what it promises.
func promise(
  _ holds: Bool, _ what: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line
) {
  if !holds { fatalError("broken promise: \(what())", file: file, line: line) }
}
