internal import PrintModel
internal import PrintOptions

extension [String] {
  /// Parses the types of `--type`: a comma-separated list, or repeated.
  ///
  /// Without duplicates, in their usual order; exit 64 for an invalid word.
  func jobTypes() throws(Failure) -> [JobType] {
    var types: Set<JobType> = []
    for list in self {
      for word in list.split(separator: ",") { types.insert(try JobType.named(String(word))) }
    }
    return types.sorted()
  }
}

extension JobType {
  /// The names of all types.
  static let list = allCases.map(\.rawValue).joined(separator: ", ")

  /// Returns the type with this name; exit 64 with all names if there is none.
  static func named(_ word: String) throws(Failure) -> JobType {
    if let type = JobType(rawValue: word.trimmed.lowercased()) { return type }
    let names = JobType.allCases.map(\.rawValue)
    throw Failure(
      .usage,
      "--type \(word.isEmpty ? "\"\"" : word): no such type\(names.suggestion(for: word)). Types: \(list)."
    )
  }
}
