// swift-tools-version: 6.2

import PackageDescription

/// The settings of every Swift target: Swift 6, no warnings, imports private by default.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// The settings of targets that compute: they are optimized in debug builds, too.
///
/// The tests negotiate and draw millions of times. Merged functions would take the addresses of late libraries'
/// functions (Makefile).
let optimized =
  strict + [
    .unsafeFlags(
      ["-O", "-Xllvm", "-swiftmergefunc-threshold=0"], .when(configuration: .debug))
  ]

/// The same as a whole, as in release builds, which takes three quarters of the time that the files take one by one.
let computing =
  optimized + [
    .unsafeFlags(
      ["-wmo", "-disable-batch-mode", "-num-threads", "2"], .when(configuration: .debug))
  ]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")

/// A Swift target with its imports.
///
/// The table in docs/architecture.md has the permitted imports, and LayeringTests checks the sources against it.
func module(
  _ name: String, imports: [Target.Dependency] = [], settings: [SwiftSetting] = strict
) -> Target {
  .target(name: name, dependencies: imports, swiftSettings: settings)
}

/// The tests of a target.
///
/// They may use the bench of real printers and daemons.
func tests(of name: String, imports: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + imports,
    swiftSettings: strict)
}

/// The converters that airprint includes, each a file embedded in the binary.
let converters = ["epub", "html", "html-chromium", "markdown", "office", "postscript"]

/// Poppler's functions for operators: those with which a path or text begins or goes on (`MisplacedText`), an inline
/// picture (`DamagedPictures`), and a drawing with colors of its own (`SilentRenderingFailures`).
let operators = [
  "opMoveTo", "opLineTo", "opCurveTo", "opCurveTo1", "opCurveTo2", "opClosePath", "opRectangle",
  "opBeginText", "opTextMove", "opTextMoveSet", "opSetTextMatrix", "opTextNextLine",
  "opMoveShowText", "opMoveSetShowText", "opShowText", "opShowSpaceText", "opRestore",
  "opBeginImage", "opSetCharWidth",
]

let package = Package(
  name: "airprint",
  products: [.executable(name: "airprint", targets: ["airprint"])],
  dependencies: [
    // Exact, because it generates the committed completions and manual pages.
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    // MARK: C libraries: a module map and a shim.h, nothing else
    .systemLibrary(name: "CLateLibraries"),
    .systemLibrary(name: "CResolv"),
    .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
    .systemLibrary(name: "CCups", providers: [.apt(["libcups2-dev"])]),
    .systemLibrary(
      name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    .systemLibrary(
      name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(
      name: "CGLib", pkgConfig: "gio-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(
      name: "CPoppler", pkgConfig: "poppler-glib", providers: [.apt(["libpoppler-glib-dev"])]),
    .systemLibrary(
      name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .systemLibrary(
      name: "CPixbuf", pkgConfig: "gdk-pixbuf-2.0", providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
    .systemLibrary(name: "CZint", providers: [.apt(["libzint-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng16", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CGIF", providers: [.apt(["libgif-dev"])]),
    .systemLibrary(name: "CJBIG2", pkgConfig: "jbig2dec", providers: [.apt(["libjbig2dec0-dev"])]),
    .systemLibrary(name: "CHEIF", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(
      name: "CTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(
      name: "CSVG", pkgConfig: "librsvg-2.0", providers: [.apt(["librsvg2-dev"])]),
    .systemLibrary(name: "CLCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(name: "CSandbox", providers: [.apt(["libseccomp-dev"])]),

    // MARK: Modules that all others build on
    module("LateLibraries", imports: ["CLateLibraries", "PrintModel"]),
    module("PrintModel", settings: computing),
    module("PrintOptions", imports: ["PrintModel"]),
    module("Layout", imports: ["PrintModel"], settings: computing),
    module("ForeignText"),
    module("System"),

    // MARK: Adapters, each the only importer of its C library
    module("DNSSD", imports: ["CAvahi", "CResolv", "LateLibraries", "System"]),
    .target(
      name: "IPP",
      dependencies: [
        "CCups", "CGnuTLS", "LateLibraries", "ForeignText", "PrintModel", "System", logging,
      ],
      swiftSettings: strict,
      // libcups must find these functions in the program (ExportedFunctions.swift).
      linkerSettings: [
        .unsafeFlags(
          ["gnutls_priority_set_direct", "gnutls_certificate_set_x509_key_file"].flatMap {
            ["-Xlinker", "--export-dynamic-symbol=\($0)"]
          })
      ]),
    module("DocumentBytes", imports: ["CGLib", "PrintModel"]),
    .target(
      name: "LibraryPatches",
      dependencies: ["CCairo", "CLibraryPatches", "PrintModel"],
      swiftSettings: computing,
      // What draws is to find these in the program.
      linkerSettings: [
        .unsafeFlags(
          [
            "cairo_create", "cairo_image_surface_create", "cairo_stroke", "cairo_stroke_preserve",
            "cairo_fill",
            "cairo_fill_preserve", "cairo_clip", "cairo_paint", "cairo_paint_with_alpha",
            "cairo_mask", "cairo_move_to", "cairo_line_to", "cairo_curve_to", "cairo_set_source",
            "cairo_mask_surface", "cairo_show_text", "cairo_show_glyphs", "cairo_show_text_glyphs",
            "cairo_glyph_path", "cmsCreateTransform", "cmsDeleteTransform", "tmpfile", "tmpfile64",
            "_ZN23GfxDeviceCMYKColorSpace10getRGBLineEPhPji", "_ZN11ImageStream7getLineEv",
            "_ZN11EmbedStream7getCharEv",
            "_ZNK11Gfx8BitFont11getNextCharEPKciPjPPKjPiPdS7_S7_S7_",
            "_ZNK10GfxCIDFont11getNextCharEPKciPjPPKjPiPdS7_S7_S7_",
            "_ZN11Gfx8BitFont12getCharProcsEv", "jpeg_std_error",
            "jpeg_read_scanlines", "pixman_image_set_transform",
            "pixman_image_set_filter", "pixman_image_set_repeat", "pixman_image_set_clip_region32",
            "pixman_image_unref", "pixman_image_composite32",
            "pixman_image_create_bits", "pixman_image_create_solid_fill",
            "opj_read_header", "pango_cairo_show_layout", "pango_cairo_layout_path",
            "pango_cairo_show_layout_line", "FcFontSort", "FT_Load_Glyph",
            "cairo_user_font_face_set_render_glyph_func", "_ZN3Gfx12restoreStateEv",
          ].flatMap { ["-Xlinker", "--export-dynamic-symbol=\($0)"] }
            + operators.flatMap {
              ["-Xlinker", "--export-dynamic-symbol=_ZN3Gfx\($0.count)\($0)EP6Objecti"]
            })
      ]),
    module(
      "Drawing",
      imports: ["CCairo", "CPNG", "LateLibraries", "LibraryPatches", "PrintModel"],
      settings: computing),
    module(
      "PDFRepair",
      imports: [
        "CQPDF", "CJBIG2", "DocumentBytes", "LateLibraries", "LibraryPatches", "PrintModel",
      ]),
    module(
      "PDF",
      imports: [
        "CPoppler", "CCairo", "CGLib", "CSplash", "DocumentBytes", "Drawing", "LateLibraries",
        "LibraryPatches", "PDFRepair", "PrintModel",
      ]),
    module(
      "Pictures",
      imports: [
        "CPixbuf", "CTIFF", "CTurboJPEG", "CLCMS", "CPNG", "CWebP", "CGIF", "CHEIF", "CCairo",
        "CGLib", "DocumentBytes", "Drawing", "LateLibraries", "LibraryPatches", "PrintModel",
        "Raster",
      ]),
    module(
      "SVG",
      imports: [
        "CSVG", "CCairo", "CGLib", "DocumentBytes", "Drawing", "ForeignText", "LateLibraries",
        "LibraryPatches", "PrintModel",
      ]),
    module(
      "Text",
      imports: [
        "CPango", "CCairo", "CGLib", "DocumentBytes", "Drawing", "LateLibraries", "PrintModel",
      ]),
    module(
      "Receipts",
      imports: [
        "CZint", "CCairo", "DocumentBytes", "Drawing", "LateLibraries", "PrintModel", "Text",
      ]),
    module(
      "Stamps",
      imports: ["CCairo", "Drawing", "LateLibraries", "LibraryPatches", "PrintModel", "Text"]),
    module(
      "Documents",
      imports: [
        "CCairo", "DocumentBytes", "Drawing", "LateLibraries", "LibraryPatches", "PDF", "Pictures",
        "PrintModel", "Receipts", "Stamps", "SVG", "Text",
      ], settings: computing),
    module("Raster", imports: ["PrintModel"], settings: computing),
    module("Confinement", imports: ["CSandbox", "LateLibraries", "System"]),
    module("Desktop", imports: ["PrintModel", "ForeignText", "System"]),

    // MARK: Stages, in the order of the data; none imports another
    module("Discovery", imports: ["ForeignText", "PrintModel", "DNSSD"]),
    module("Capability", imports: ["PrintModel", "IPP"], settings: computing),
    module(
      "Negotiation",
      imports: ["PrintModel", "PrintOptions", "Layout", "ForeignText"], settings: computing),
    module(
      "Rendering",
      imports: [
        "PrintModel", "Layout", "ForeignText", "Documents", "Drawing", "LateLibraries", "Raster",
        "Confinement", "System",
        logging,
      ]),
    module("Conversion", imports: ["Confinement", "PrintModel", "System", logging]),
    module(
      "Simulation",
      imports: [
        "PrintModel", "PrintOptions", "ForeignText", "DNSSD", "IPP", "Drawing", "Raster",
        "System",
      ], settings: computing),
    module(
      "Submission",
      imports: ["ForeignText", "PrintModel", "IPP", "System"], settings: computing),

    // MARK: The program
    module("Terminal", imports: ["ForeignText", "System"]),
    .target(
      name: "AirprintContext",
      dependencies: ["ForeignText", "PrintModel", "PrintOptions", "Submission", "System", toml],
      resources: [.embedInCode("Settings/quirks.toml")]
        + converters.map { .embedInCode("Settings/converters/\($0).toml") },
      swiftSettings: strict),
    module(
      "Printers",
      imports: [
        "AirprintContext", "PrintModel", "PrintOptions", "ForeignText", "System", "Desktop",
        "DNSSD", "IPP",
        "Discovery", "Capability", "Submission",
      ]),
    module(
      "Printing",
      imports: [
        "AirprintContext", "Printers", "PrintModel", "PrintOptions", "Layout", "ForeignText",
        "System", "Desktop",
        "IPP", "DocumentBytes", "Documents", "LateLibraries", "Capability", "Negotiation",
        "Conversion", "Rendering",
        "Submission",
        logging,
      ]),
    module(
      "Jobs",
      imports: [
        "AirprintContext", "Printers", "Printing", "PrintModel", "ForeignText", "System", "Desktop",
        "IPP", "Discovery", "Negotiation", "Submission", logging,
      ]),
    module(
      "VirtualPrinters",
      imports: [
        "AirprintContext", "Printers", "Printing", "PrintModel", "System", "DNSSD", "IPP",
        "Capability", "Rendering", "Simulation",
      ]),
    module(
      "Maintenance",
      imports: [
        "AirprintContext", "Printers", "PrintModel", "System", "Desktop", "DNSSD", "IPP",
        "Documents", "LateLibraries",
        "Confinement", "Conversion", "Rendering", "Submission",
      ]),
    .target(
      name: "AirprintCommands",
      dependencies: [
        "AirprintContext", "Printers", "Printing", "Jobs", "VirtualPrinters", "Maintenance",
        "PrintModel",
        "PrintOptions", "ForeignText", "System", "Desktop", "LateLibraries", "Terminal",
        argumentParser, logging,
      ], swiftSettings: strict, plugins: ["GitDescribe"]),
    // Writes the checkout's name from git describe into the program, for --version.
    .plugin(name: "GitDescribe", capability: .buildTool),
    // What stands in for functions and variables of the C library (LibraryPatches).
    .target(name: "CLibraryPatches", dependencies: ["CCairo", "CLCMS"]),
    // A C interface to Poppler's Splash, whose own interface is C++.
    .target(name: "CSplash", linkerSettings: [.linkedLibrary("poppler-cpp")]),
    // QPDF's C interface, and one to its tokenizer, whose own is C++.
    .target(name: "CQPDF", linkerSettings: [.linkedLibrary("qpdf")]),
    // Code that runs before main, and before libraries.
    .target(name: "CStart"),
    .executableTarget(
      name: "airprint", dependencies: ["AirprintCommands", "CStart"], swiftSettings: strict),

    // MARK: Manual pages and completions, made by `make generate`
    .target(
      name: "Docs", dependencies: ["AirprintCommands", "PrintModel", "Simulation"],
      path: "Tools/Docs", swiftSettings: strict),
    .executableTarget(
      name: "GenerateDocs", dependencies: ["Docs"], path: "Tools/GenerateDocs",
      swiftSettings: strict),

    // MARK: Tests
    .target(name: "CBench", path: "Tests/CBench"),
    .target(
      name: "TestSupport", dependencies: ["CBench", "CCups", "CGnuTLS", "PrintModel", "System"],
      path: "Tests/TestSupport",
      swiftSettings: optimized),
    .executableTarget(
      name: "TerminalDriver", dependencies: ["Terminal"], path: "Tests/TerminalDriver",
      swiftSettings: strict),
    .target(name: "CProbe", path: "Tests/CProbe"),
    .executableTarget(
      name: "ConfinementProbe", dependencies: ["Confinement", "CProbe"],
      path: "Tests/ConfinementProbe", swiftSettings: strict),
    .testTarget(name: "LayeringTests", swiftSettings: strict),
    tests(of: "TestSupport"),
    tests(of: "PrintModel", imports: ["CCups"]),
    tests(of: "PrintOptions", imports: ["PrintModel"]),
    tests(of: "System", imports: ["TestSupport"]),
    tests(of: "ForeignText", imports: ["TestSupport"]),
    tests(of: "DNSSD", imports: ["TestSupport"]),
    tests(of: "IPP", imports: ["TestSupport", "PrintModel", "System", "CCups"]),
    tests(of: "Raster", imports: ["TestSupport", "PrintModel", "System", "CCups"]),
    tests(of: "LateLibraries"),
    tests(
      of: "LibraryPatches",
      imports: ["CCairo", "DocumentBytes", "Drawing", "LateLibraries", "PDF", "PrintModel"]),
    tests(of: "Drawing"),
    tests(of: "PDF", imports: ["Drawing", "LateLibraries", "PDFRepair", "PrintModel"]),
    tests(of: "PDFRepair", imports: ["LateLibraries", "PrintModel"]),
    tests(of: "SVG", imports: ["CCairo", "DocumentBytes", "PrintModel"]),
    tests(of: "Pictures", imports: ["DocumentBytes", "Drawing", "PrintModel"]),
    tests(of: "Text", imports: ["DocumentBytes", "LateLibraries", "PrintModel"]),
    tests(of: "Receipts", imports: ["PrintModel", "Text"]),
    tests(of: "Rendering", imports: ["TestSupport", "Documents", "PrintModel", "Raster"]),
    tests(of: "Layout", imports: ["PrintModel"]),
    tests(of: "Confinement", imports: ["TestSupport", "ConfinementProbe"]),
    tests(of: "Discovery", imports: ["TestSupport", "DNSSD", "PrintModel"]),
    tests(of: "Capability", imports: ["TestSupport", "IPP", "PrintModel", "System"]),
    .testTarget(
      name: "NegotiationTests",
      dependencies: [
        "Negotiation", "Capability", "PrintModel", "PrintOptions", "Layout", "IPP", "System",
        "TestSupport",
      ],
      exclude: ["Printers", "Recordings"], swiftSettings: strict),
    tests(of: "Submission", imports: ["TestSupport", "IPP", "PrintModel", "System"]),
    tests(of: "Conversion", imports: ["TestSupport", "PrintModel", "System"]),
    tests(
      of: "Simulation", imports: ["TestSupport", "IPP", "PrintModel", "PrintOptions", "CCups"]),
    tests(of: "AirprintContext", imports: ["TestSupport", "PrintModel", "PrintOptions", "System"]),
    tests(
      of: "Printers",
      imports: ["TestSupport", "AirprintContext", "Discovery", "PrintModel"]),
    tests(
      of: "Printing",
      imports: [
        "TestSupport", "AirprintContext", "IPP", "PrintModel", "PrintOptions", "Printers",
        "Submission", "System",
      ]),
    tests(
      of: "Jobs",
      imports: [
        "TestSupport", "AirprintContext", "PrintModel", "Printers", "Printing", "Submission",
      ]),
    tests(of: "Terminal", imports: ["TestSupport", "TerminalDriver"]),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "IPP", "Capability", "Negotiation", "DNSSD", "Discovery", "PrintModel",
        "PrintOptions", "AirprintContext",
        "Documents", "Raster", "Submission", "ForeignText", "System", "AirprintCommands",
      ],
      path: "Tests/FuzzTargets", exclude: ["Corpus"], swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport", "System"],
      swiftSettings: strict),
    .testTarget(
      name: "ModelTests",
      dependencies: ["FuzzTargets", "TestSupport", "IPP", "PrintModel", "Submission", "System"],
      swiftSettings: computing),
    .testTarget(
      name: "GeneratedFilesTests",
      dependencies: [
        "Docs", "AirprintCommands", "ForeignText", "PrintModel", "PrintOptions", "TestSupport",
        "System",
        "airprint",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "airprint", "ConfinementProbe", "TestSupport", "System", "CCups", "CGLib", "CPixbuf",
        "CTurboJPEG",
      ],
      // Each of the compiler's processes expands the macros of all suites, which takes 4 s: two processes, not seven.
      swiftSettings: strict + [.unsafeFlags(["-driver-batch-size-limit", "100"])]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// Only for `make fuzz`: libFuzzer provides the main that this target lacks.
if Context.environment["AIRPRINT_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
