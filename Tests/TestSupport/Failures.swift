package import PrintModel

/// The failure that a step throws; nil when it throws none, or an error of another type.
package func failureOf(_ step: () throws -> Void) -> Failure? {
  do {
    try step()
    return nil
  } catch {
    return error as? Failure
  }
}
