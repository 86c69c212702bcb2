import FoundationEssentials
import Glibc
package import Testing

/// The folder where `make deps` keeps packages that are not installed, each in its own folder.
let unpackedPackages: String = {
  let build = CommandLine.arguments[0].split(separator: "/").prefix { $0 != ".build" }
  return "/" + build.joined(separator: "/") + "/.build/unpacked"
}()

extension Trait where Self == ConditionTrait {
  /// Enables tests with cups-filters' `driverless`.
  ///
  /// Where it is neither installed nor unpacked, they are skipped with a message.
  package static var needsDriverless: Self {
    .enabled(if: driverless != nil, "driverless is not here: make deps unpacks it")
  }
}

/// The command that starts cups-filters' `driverless`; nil if it isn't available.
///
/// If it is unpacked, it finds its libraries in the folders next to it.
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
    // Version 1.28 exits with 1 here; a missing program or library gives 127.
    .first { system("\($0.joined(separator: " ")) --version > /dev/null 2>&1") >> 8 < 126 }
}()
