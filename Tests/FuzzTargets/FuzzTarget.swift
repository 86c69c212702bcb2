/// A parser of untrusted input as a function of bytes, which checks promises about the result.
///
/// For any bytes, it returns and keeps its promises. A broken promise is a trap.
///
/// `make fuzz` runs the targets with libFuzzer; FuzzTests runs them on the files of Corpus/NAME, which are ordinary
/// inputs and findings of fuzzing, and on some mutations of these.
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

/// Traps if a parser breaks a promise.
func promise(
  _ holds: Bool, _ what: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line
) {
  if !holds { fatalError("broken promise: \(what())", file: file, line: line) }
}
