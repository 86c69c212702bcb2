/// Formats a time that a user waits: `8 s`, `1 min 05 s`, `2 h 03 min`.
package func elapsed(seconds: Int) -> String {
  let seconds = max(0, seconds)
  return switch seconds {
  case ..<60: "\(seconds) s"
  case ..<3600: "\(seconds / 60) min \(twoDigits(seconds % 60)) s"
  default: "\(seconds / 3600) h \(twoDigits(seconds / 60 % 60)) min"
  }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
