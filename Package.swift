// swift-tools-version: 6.2

import PackageDescription

// Where Debian, Ubuntu, Fedora and Arch keep the headers of Poppler, cairo and gdk-pixbuf. They are
// named here, and no pkgConfig on the targets, because pkg-config would also link the libraries: see
// `lazyGraphics`. A folder that does not exist costs nothing.
let graphicsHeaders = [
  "/usr/include/poppler/glib", "/usr/include/poppler", "/usr/include/cairo",
  "/usr/include/gdk-pixbuf-2.0", "/usr/include/glib-2.0", "/usr/include/libpng16",
  "/usr/include/pixman-1", "/usr/include/freetype2", "/usr/include/libmount", "/usr/include/blkid",
  "/usr/lib/x86_64-linux-gnu/glib-2.0/include", "/usr/lib/aarch64-linux-gnu/glib-2.0/include",
  "/usr/lib64/glib-2.0/include", "/usr/lib/glib-2.0/include",
]

/// Every Swift target is built the same way: Swift 6, no warnings, imports private unless said otherwise.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
  .unsafeFlags(graphicsHeaders.flatMap { ["-Xcc", "-isystem\($0)"] }),
]

/// Loading the graphics libraries is most of what starting a program linked with them costs (10 of
/// 15 ms), and most commands draw nothing. So they are not linked: their functions stay undefined, and
/// are bound at the first call, after `GraphicsLibraries.load()` has opened the libraries. lld keeps
/// such symbols dynamic; gold and bfd differ, so the linker is named.
let lazyGraphics: [LinkerSetting] = [
  .unsafeFlags([
    "-use-ld=lld", "-Xlinker", "--unresolved-symbols=ignore-all", "-Xlinker", "-z", "-Xlinker",
    "lazy",
  ])
]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")

/// A Swift target with what it may import. The same table, with its reasons, is in CONTRIBUTING.md,
/// and LayeringTests holds the sources to it.
func module(_ name: String, imports: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: imports, swiftSettings: strict)
}

let package = Package(
  name: "airprint",
  products: [.executable(name: "airprint", targets: ["airprint"])],
  dependencies: [
    // Exact: the committed completions and manual pages are made by it.
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    // MARK: C libraries: a module map and a shim.h, nothing else
    .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
    .systemLibrary(name: "CCups", providers: [.apt(["libcups2-dev"])]),
    .systemLibrary(
      name: "CGraphics", providers: [.apt(["libpoppler-glib-dev", "libgdk-pixbuf-2.0-dev"])]),

    // MARK: What everything stands on
    module("PrintModel"),
    module("Threading"),

    // MARK: Adapters, each the only importer of its C library
    module("DNSSD", imports: ["CAvahi", "Threading"]),
    module("IPP", imports: ["CCups", "PrintModel", "Threading"]),
    module("Documents", imports: ["CGraphics", "PrintModel", "Raster"]),
    module("Raster", imports: ["PrintModel"]),

    // MARK: Stages, in the order of the data; none knows another
    module("Discovery", imports: ["PrintModel", "DNSSD"]),
    module("Capability", imports: ["PrintModel", "IPP"]),
    module("Negotiation", imports: ["PrintModel"]),
    module("Rendering", imports: ["PrintModel", "Documents", "Raster", "Threading"]),
    module("Submission", imports: ["PrintModel", "IPP", "Threading"]),

    // MARK: The program
    module("Settings", imports: ["PrintModel", toml]),
    module("Terminal"),
    module(
      "AirprintKit",
      imports: [
        "PrintModel", "Threading", "DNSSD", "IPP", "Documents", "Raster", "Discovery", "Capability",
        "Negotiation", "Rendering", "Submission", "Settings", logging,
      ]),
    module(
      "AirprintCommands",
      imports: ["PrintModel", "AirprintKit", "Settings", "Terminal", argumentParser, logging]),
    .executableTarget(
      name: "airprint", dependencies: ["AirprintCommands"], swiftSettings: strict,
      linkerSettings: lazyGraphics),
  ],
  swiftLanguageModes: [.v6]
)
