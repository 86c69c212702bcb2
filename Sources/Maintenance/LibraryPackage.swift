internal import System

/// The package of a missing library, according to this machine's package manager.
enum LibraryPackage {
  /// Returns the command that installs the library with a soname; nil if unknown on this machine.
  static func command(for soname: String) -> String? {
    if let apt = ProgramPath.find("apt-cache") {
      let known = debianNames(of: soname).first { ProgramPath.succeeds([apt, "show", $0]) }
      return known.map { "apt install \($0)" }
    }
    // RPM packages provide their sonames under this name, which can be installed like a package.
    return ProgramPath.find("dnf") == nil ? nil : "dnf install '\(soname)()(64bit)'"
  }

  /// Returns the names that Debian may give to a shared library's package (Debian Policy 8.1): libtiff6 for
  /// `libtiff.so.6`, libpango-1.0-0 for `libpango-1.0.so.0`; but librsvg2-2 for `librsvg-2.so.2`.
  ///
  /// Since Debian 13, packages with the larger time_t end in t64.
  private static func debianNames(of soname: String) -> [String] {
    let words = soname.lowercased().split(separator: "_", omittingEmptySubsequences: false)
      .joined(separator: "-")
    guard let place = words.firstRange(of: ".so.") else { return [words] }
    let (name, version) = (words[..<place.lowerBound], words[place.upperBound...])
    let dash = name.last.map(\.isNumber) == true ? "-" : ""
    let joined = name.split(separator: "-", omittingEmptySubsequences: false).joined()
    return ["\(name)\(dash)\(version)", "\(joined)\(dash)\(version)"].flatMap { [$0, "\($0)t64"] }
  }
}
