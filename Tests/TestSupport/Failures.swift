package import PrintModel

/// Returns the failure that a step throws; nil if it throws nothing, or an error of another type.
package func failureOf(_ step: () throws -> Void) -> Failure? {
  do {
    try step()
    return nil
  } catch {
    return error as? Failure
  }
}
