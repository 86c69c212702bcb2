internal import Conversion
internal import System

/// The package that a missing library comes from, by this machine's package manager.
enum LibraryPackage {
  /// The command that installs the library of a soname; nil: not known on this machine.
  static func command(for soname: String) -> String? {
    if let apt = ProgramPath.find("apt-cache") {
      // Since Debian 13 packages whose time_t grew end in t64.
      let name = debianName(of: soname)
      let known = [name, "\(name)t64"].first { ProgramPath.succeeds([apt, "show", $0]) }
      return known.map { "apt install \($0)" }
    }
    // RPM's packages provide their sonames by this name, and those are asked for like a package.
    return ProgramPath.find("dnf") == nil ? nil : "dnf install '\(soname)()(64bit)'"
  }

  /// Debian's name for a shared library's package (Debian Policy 8.1): `libtiff.so.6` is in libtiff6,
  /// `libpango-1.0.so.0` in libpango-1.0-0.
  static func debianName(of soname: String) -> String {
    guard let place = soname.firstRange(of: ".so.") else { return soname.lowercased() }
    let (name, version) = (soname[..<place.lowerBound], soname[place.upperBound...])
    let dash = name.last.map(\.isNumber) == true ? "-" : ""
    return "\(name)\(dash)\(version)".lowercased().split(
      separator: "_", omittingEmptySubsequences: false
    ).joined(separator: "-")
  }
}
