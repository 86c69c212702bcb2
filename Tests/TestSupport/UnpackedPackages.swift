import FoundationEssentials
import Glibc
package import Testing

/// The folder in which `make deps` keeps packages that are not installed, each in a folder of its name.
let unpackedPackages: String = {
  let build = CommandLine.arguments[0].split(separator: "/").prefix { $0 != ".build" }
  return "/" + build.joined(separator: "/") + "/.build/unpacked"
}()

extension Trait where Self == ConditionTrait {
  /// For tests with cups-filters' `driverless`.
  ///
  /// They are left out, and say so, where it is neither installed nor unpacked.
  package static var needsDriverless: Self {
    .enabled(if: driverless != nil, "driverless is not here: make deps unpacks it")
  }
}

/// A command that starts cups-filters' `driverless`; nil where there is none.
///
/// An unpacked one finds its libraries in the folders beside it.
package let driverless: [String]? = {
  let folders = (try? FileManager.default.contentsOfDirectory(atPath: unpackedPackages)) ?? []
  let libraries = folders.flatMap { folder -> [String] in
    let lib = "\(unpackedPackages)/\(folder)/usr/lib"
    let triplets = (try? FileManager.default.contentsOfDirectory(atPath: lib)) ?? []
    return triplets.filter { $0.hasSuffix("-linux-gnu") }.map { "\(lib)/\($0)" }
  }
  let path = libraries.joined(separator: ":")
  return ["/usr", "\(unpackedPackages)/cups-filters-core-drivers/usr"]
    .map { ["env", "LD_LIBRARY_PATH=\(path)", "\($0)/bin/driverless"] }
    // 1.28 ends with 1 there; a program or a library that is missing is 127.
    .first { system("\($0.joined(separator: " ")) --version > /dev/null 2>&1") >> 8 < 126 }
}()
