internal import ArgumentParser
internal import PrintModel

/// `--type T…`: a comma list, or repeated.
struct TypeList: ParsableArguments {
  @Option(
    name: .customLong("type"),
    help: ArgumentHelp(
      "Job types: document, envelope, label, photo, postcard, receipt, roll, large-format, disc.",
      valueName: "types"),
    completion: .list(JobType.allCases.map(\.rawValue)))
  var words: [String] = []

  /// The types, each once, in their usual order; exit 64 for a word that is none.
  func types() throws(Failure) -> [JobType] {
    var types: Set<JobType> = []
    for list in words {
      for word in list.split(separator: ",") { types.insert(try JobType.named(String(word))) }
    }
    return types.sorted()
  }
}
