import FoundationEssentials
import Glibc
package import Testing

/// Folder in which `make deps` keeps packages that are not installed, each in a folder with its name.
let unpackedPackages: String = {
  let build = CommandLine.arguments[0].split(separator: "/").prefix { $0 != ".build" }
  return "/" + build.joined(separator: "/") + "/.build/unpacked"
}()

extension Trait where Self == ConditionTrait {
  /// Trait for tests that use cups-filters' `driverless`.
  ///
  /// Where it is neither installed nor unpacked, they are skipped with a message.
  package static var needsDriverless: Self {
    .enabled(if: driverless != nil, "driverless is not here: make deps unpacks it")
  }
}

/// Command that starts cups-filters' `driverless`; nil if it is not available.
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
    // `--version` of 1.28 exits with 1. If the program or a library is missing, the exit status is 127.
    .first { system("\($0.joined(separator: " ")) --version > /dev/null 2>&1") >> 8 < 126 }
}()
