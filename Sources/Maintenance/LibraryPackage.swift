internal import Conversion
internal import System

/// The package of a missing library, according to this machine's package manager.
enum LibraryPackage {
  /// Returns the command that installs the library with a soname; nil if unknown on this machine.
  static func command(for soname: String) -> String? {
    if let apt = ProgramPath.find("apt-cache") {
      // Since Debian 13, packages with the larger time_t end in t64.
      let name = debianName(of: soname)
      let known = [name, "\(name)t64"].first { ProgramPath.succeeds([apt, "show", $0]) }
      return known.map { "apt install \($0)" }
    }
    // RPM packages provide their sonames under this name, which can be installed like a package.
    return ProgramPath.find("dnf") == nil ? nil : "dnf install '\(soname)()(64bit)'"
  }

  /// Returns Debian's name for a shared library's package (Debian Policy 8.1): libtiff6 for `libtiff.so.6`,
  /// libpango-1.0-0 for `libpango-1.0.so.0`.
  static func debianName(of soname: String) -> String {
    guard let place = soname.firstRange(of: ".so.") else { return soname.lowercased() }
    let (name, version) = (soname[..<place.lowerBound], soname[place.upperBound...])
    let dash = name.last.map(\.isNumber) == true ? "-" : ""
    return "\(name)\(dash)\(version)".lowercased().split(
      separator: "_", omittingEmptySubsequences: false
    ).joined(separator: "-")
  }
}
