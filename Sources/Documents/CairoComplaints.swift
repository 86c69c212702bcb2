internal import CSplash

/// Errors of Poppler's cairo renderer about fonts that it can't create, whose text it leaves out.
///
/// It only writes them to standard error.
enum CairoComplaints {
  /// Starts to read what libraries write to standard error.
  static func listen() { complaints_listen() }

  /// True when there was an error since the last call.
  static func take() -> Bool { complaints_take() != 0 }
}
