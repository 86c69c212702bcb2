internal import CSplash

/// Complaints of Poppler's renderer on cairo about fonts that it can't make, and whose text it leaves out.
///
/// It writes them on standard error, and nowhere else.
enum CairoComplaints {
  /// Reads along from now on what libraries write on standard error.
  static func listen() { complaints_listen() }

  /// True when there was one since this was last asked.
  static func take() -> Bool { complaints_take() != 0 }
}
