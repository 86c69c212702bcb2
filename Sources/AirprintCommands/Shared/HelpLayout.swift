internal import ArgumentParser

/// The headings under which `--help` and the manual list options.
enum HelpTitle {
  static let everyday = "Everyday options"
  static let paper = "Paper options"
  static let page = "Page options"
  static let job = "Job options"
  static let saving = "What is saved"
  static let filters = "Filters"
  static let search = "Search"
}

/// True if rarer options are visible like all others.
///
/// `--help` leaves them to `--help-all`; completion offers all of them, and ArgumentParser's completion scripts contain
/// the visible ones.
enum RareOptions {
  @TaskLocal static var areVisible = false
}

extension ArgumentVisibility {
  static var rare: ArgumentVisibility { RareOptions.areVisible ? .default : .hidden }
}
