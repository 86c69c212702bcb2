import FoundationEssentials
import Testing

@Suite struct LayeringTests {
  @Test func `every file imports what its layer may, and is short`() throws {
    let sources = try Source.all()
    #expect(sources.count > 100)
    let faults = sources.flatMap(\.faults)
    #expect(faults.isEmpty, "\n\(faults.joined(separator: "\n"))")
  }

  /// Checks that the test itself finds violations.
  @Test(arguments: [
    ("Sources/PrintModel/A.swift", "import Glibc", "PrintModel must not import Glibc"),
    ("Sources/PrintModel/A.swift", "import IPP", "PrintModel must not import IPP"),
    ("Sources/IPP/A.swift", "import Foundation", "IPP must not import Foundation"),
    ("Sources/IPP/A.swift", "package import struct Foundation.URL", "must not import Foundation"),
    ("Sources/IPP/A.swift", "package import CCups", "CCups must be an internal import"),
    ("Sources/Capability/A.swift", "internal import CCups", "Capability must not import CCups"),
    ("Sources/Submission/A.swift", "package import Rendering", "must not import Rendering"),
    ("Sources/Terminal/A.swift", "import PrintModel", "Terminal must not import PrintModel"),
    ("Sources/AirprintCommands/A.swift", "import IPP", "AirprintCommands must not import IPP"),
    ("Sources/Elsewhere/A.swift", "import IPP", "the module Elsewhere is in no layer"),
  ])
  func `a wrong import is named with its file and line`(
    _ path: String, _ line: String, _ fault: String
  ) throws {
    let source = Source(path: path, text: "// A comment\n\n\(line)\n")
    #expect(source.faults.contains { $0.contains(fault) && $0.hasPrefix(path) }, "\(source.faults)")
    let place = try #require(source.imports.first)
    #expect(place.line == 3)
  }

  @Test func `a long file is named`() {
    let text = String(repeating: "\n", count: 501)
    #expect(Source(path: "Sources/IPP/A.swift", text: text).faults.count == 1)
    #expect(Source(path: "Sources/IPP/A.swift", text: String(text.dropFirst())).faults.isEmpty)
  }

  @Test func `no stage may import another, and each C module has one adapter`() {
    for stage in Layers.stages {
      #expect(Layers.allowed[stage]?.isDisjoint(with: Layers.stages) == true, "\(stage)")
    }
    for module in Layers.cModules.subtracting(Layers.sharedCModules) {
      let importers = Layers.allowed.filter { $0.value.contains(module) }.keys
      #expect(importers.count == 1, "\(module) is imported by \(importers.sorted())")
    }
  }

  /// A C module is a module map and a header: code in it would not be tested.
  ///
  /// CStart is code because it runs before Swift can, and MachineLimitsTests covers it. So are CSplash and CQPDF,
  /// because Splash and QPDF's tokenizer only have C++ interfaces, and SplashPixelTests and PDFRepairTests cover them; and
  /// CLibraryPatches, because Swift can't write a stream of
  /// the C library, nor leave libjpeg by a jump, and SilentRenderingFailuresTests, RendererTests and LossTests cover it.
  @Test func `a C module is a module map and a shim`() throws {
    for module in Layers.cModules
    where !["CStart", "CSplash", "CQPDF", "CLibraryPatches"].contains(module) {
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(root)/Sources/\(module)")
      #expect(Set(files) == ["module.modulemap", "shim.h"], "\(module): \(files.sorted())")
    }
  }

  @Test func `there are no modules but these`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: "\(root)/Sources")
    #expect(Set(folders) == Layers.cModules.union(Layers.allowed.keys))
  }

  @Test func `the table allows nothing that nobody uses`() throws {
    let imports = try Source.importsByModule()
    for (module, names) in Layers.allowed {
      let unused = names.subtracting(imports[module] ?? []).sorted()
      #expect(unused.isEmpty, "\(module) does not import these")
    }
  }

  /// Long functions that read better in one piece: a table of cases, or one pass over shared state.
  static let longFunctions = [
    "LibraryPatches/DropoutControl.swift: func search",
    "PrintOptions/PrintOption.swift: func read",
    "Submission/JobDelivery.swift: func receive",
  ]

  @Test func `no function is longer than 50 lines, but for those that are tables`() throws {
    let functions = try Source.all().flatMap { source in
      source.functions.map { ("\(source.path.dropFirst("Sources/".count)): \($0.name)", $0.lines) }
    }
    #expect(functions.count > 1_500)
    let long = functions.filter { $0.1 > 50 }
    #expect(
      Set(long.map(\.0)) == Set(LayeringTests.longFunctions),
      "\(long.map { "\($0.0), \($0.1) lines" })")
  }

  @Test(arguments: [
    ("  func a() {\n    b()\n  }", "func a", 3), ("  init(\n    b: Int\n  ) {\n  }", "init", 4),
    ("package func a<B>() -> B\nwhere B: C {\n\n}", "func a", 4),
    ("  func a(\n    b: Int\n  )\n  {\n    if b {\n    }\n  }", "func a", 7),
    ("  func a() -> Int { 3 }\n  var b: Int {\n    3\n  }", nil, 0),
    ("  func a() -> Int\n\n  var b: Int {\n    3\n  }", nil, 0),
  ])
  func `a function's lines are counted`(_ text: String, _ name: String?, _ lines: Int) {
    let functions = Source(path: "Sources/IPP/A.swift", text: "\(text)\n").functions
    #expect(functions.map(\.name) == [name].compactMap { $0 })
    #expect(functions.map(\.lines) == (name == nil ? [] : [lines]))
  }

  /// Whoever says it of a job needs the proof, which has the words.
  @Test func `that nothing was printed is said in one place`() throws {
    let said = try Source.all().filter { $0.module == "Submission" }.flatMap { source in
      source.text.split(separator: "\n").filter {
        $0.lowercased().contains("nothing was printed") && !$0.contains("///")
      }.map { "\(source.path): \($0)" }
    }
    #expect(said.count == 1 && said[0].contains("NothingPrinted.swift"), "\(said)")
  }

  /// Failures are told apart by their reasons: a message may be reworded by anybody.
  ///
  /// Only Poppler tells what it leaves out in nothing but words. A setting's mistake is told without its option's dashes.
  @Test func `nothing is decided by the words of a message`() throws {
    let asks = try Regex(
      #"(message|event|description)\??\.(hasPrefix|hasSuffix|contains|firstRange|starts)\("#)
    let found = try Source.all().flatMap { source in
      source.text.split(separator: "\n").filter {
        $0.contains(asks) && !$0.contains(#"hasSuffix(".")"#) && !$0.contains(#"contains("\n")"#)
      }.map { _ in source.path }
    }
    #expect(
      Set(found) == [
        "Sources/PDF/PopplerLog.swift", "Sources/AirprintContext/Settings/Configuration.swift",
      ],
      "\(found)")
  }

  /// Context.swift has everything that a use case receives.
  @Test func `what Context offers stands in one file`() throws {
    let elsewhere = try Source.all().filter { $0.text.contains("\nextension Context ") }
    #expect(elsewhere.map(\.path).isEmpty)
  }

  /// Sources/CStart/conformances.c tells ArgumentParser so for every command.
  @Test func `no argument takes what no other knows`() throws {
    let takers = try Source.all().filter { $0.text.contains(".allUnrecognized") }
    #expect(takers.map(\.path).isEmpty)
  }

  /// A type's name means one thing, without its module.
  @Test func `no type's name stands at the top of two modules`() throws {
    let homes = try Source.all().reduce(into: [String: Set<String>]()) { homes, source in
      for name in source.types { homes[name, default: []].insert(source.module) }
    }
    #expect(homes.count > 300)
    let twice = homes.filter { $0.value.count > 1 }.map { "\($0): \($1.sorted())" }.sorted()
    #expect(twice.isEmpty, "\n\(twice.joined(separator: "\n"))")
  }

  /// Nested types may share a name: their full names differ (`Job.State`, `Spool.State`).
  @Test func `no nested type has the name of a type at the top of a file`() throws {
    let sources = try Source.all()
    let top = Set(sources.flatMap(\.types))
    let hidden = sources.flatMap { source in
      source.nestedTypes.filter(top.contains).map { "\(source.path): \($0)" }
    }
    #expect(hidden.isEmpty)
    #expect(Set(sources.flatMap(\.nestedTypes)).count > 100)
  }

  @Test func `a type within another is seen`() {
    let text = "struct A {\n  private enum B {\n  }\n  typealias C = Int\n  let d: E\n}\n"
    let source = Source(path: "Sources/IPP/A.swift", text: text)
    #expect(source.types == ["A"] && source.nestedTypes == ["B", "C"])
  }

  @Test(arguments: [
    ("package final class A: B {", "A"), ("enum C {", "C"), ("private struct D<E> {", "D"),
    ("package indirect enum F {", "F"), ("package protocol G: AnyObject {", "G"),
    ("package typealias H = Int", "H"), ("  struct Nested {", nil), ("extension I {", nil),
    ("// class of its own", nil),
  ])
  func `a type at the top of a file is seen`(_ line: String, _ name: String?) {
    #expect(
      Source(path: "Sources/IPP/A.swift", text: "\(line)\n").types == [name].compactMap { $0 })
  }

  /// An undeclared import only builds by chance, depending on the build order.
  @Test func `the manifest declares what is imported`() throws {
    let manifest = try contents(of: "Package.swift")
    for (module, imports) in try Source.importsByModule() where module != "airprint" {
      let declared = try #require(Source.declared(for: module, in: manifest), "\(module)")
      let own = imports.intersection(Set(Layers.allowed.keys).union(Layers.cModules))
      let missing = own.subtracting(declared)
      #expect(missing.isEmpty, "Package.swift: \(module) also imports \(missing.sorted())")
    }
  }

  // MARK: Tests

  /// `make test-fast` is for the minutes between two edits, so nothing in it waits for a daemon.
  @Test func `a suite that starts a daemon or a host is among those that test-fast leaves out`()
    throws
  {
    let makefile = try contents(of: "Makefile")
    let line = try #require(
      makefile.split(separator: "\n").first { $0.hasPrefix("DAEMON_SUITES := ") })
    let named = Set(
      line.dropFirst("DAEMON_SUITES := ".count).split(separator: "|").map(String.init))
    let suites = try TestSuite.all()
    #expect(suites.count > 100)
    let starting = suites.filter(\.startsDaemon).map(\.name)
    #expect(Set(starting) == named)
  }

  @Test func `the suites that the documents name are there`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: "\(root)/Tests")
    let known = Set(try TestSuite.all().map(\.name) + folders)
    for document in ["SECURITY.md", "CONTRIBUTING.md", "docs/architecture.md", "Makefile"] {
      let named = try contents(of: document).matches(of: /[A-Z][A-Za-z0-9]*Tests\b/).map {
        String($0.output)
      }
      #expect(!named.isEmpty && Set(named).isSubset(of: known), "\(Set(named).subtracting(known))")
    }
  }

  /// If two suites have the same name, `--filter` runs both.
  @Test func `no two suites have one name`() throws {
    let suites = try TestSuite.all()
    let twice = Dictionary(grouping: suites, by: \.name).filter { $0.value.count > 1 }
    #expect(twice.mapValues { $0.map(\.path) }.isEmpty)
  }
}

/// A test suite with its path and text.
private struct TestSuite {
  var name: String
  var path: String
  var text: String

  /// True if it uses the bench: a daemon, a printer in its own process, or a host in its own network.
  ///
  /// Always false in targets that test-fast skips completely.
  var startsDaemon: Bool {
    let leftOut = ["EndToEndTests", "GeneratedFilesTests", "TestSupportTests", "LayeringTests"]
    guard !leftOut.contains(String(path.split(separator: "/")[1])) else { return false }
    return ["Bench.shared", "Bench(", "TwoHosts(", "RoutedNetwork(", "Avahi("]
      .contains(where: text.contains)
  }

  static func all() throws -> [TestSuite] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/Tests")
    return try names.filter { $0.hasSuffix(".swift") }.sorted().flatMap { name in
      let lines = try contents(of: "Tests/\(name)").split(separator: "\n")
      return lines.indices.compactMap { (index) -> TestSuite? in
        let words = lines[index].split(separator: " ")
        guard let kind = words.lastIndex(where: { $0 == "struct" || $0 == "class" }),
          kind + 1 < words.count, words[kind + 1].hasSuffix("Tests"), words.last == "{"
        else { return nil }
        let text = lines[index...].prefix { $0 != "}" }.joined(separator: "\n")
        return TestSuite(name: String(words[kind + 1]), path: "Tests/\(name)", text: text)
      }
    }
  }
}

/// The repository.
let root = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/\($1)" }

private func contents(of path: String) throws -> String {
  let bytes = try #require(FileManager.default.contents(atPath: "\(root)/\(path)"), "\(path)")
  return String(decoding: bytes, as: UTF8.self)
}

extension Source {
  fileprivate static func all() throws -> [Source] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/Sources")
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map {
      Source(path: "Sources/\($0)", text: try contents(of: "Sources/\($0)"))
    }
  }

  fileprivate static func importsByModule() throws -> [String: Set<String>] {
    try all().reduce(into: [:]) { $0[$1.module, default: []].formUnion($1.imports.map(\.module)) }
  }

  /// Returns the modules in a target's entry in the manifest.
  fileprivate static func declared(for module: String, in manifest: String) -> Set<String>? {
    for opening in ["module(\"\(module)\"", "name: \"\(module)\"", "\n      \"\(module)\",\n"] {
      guard let place = manifest.firstRange(of: opening) else { continue }
      let entry = manifest[place.upperBound...].prefix { $0 != "]" && $0 != ")" }
      let words = entry.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
      return Set(words.enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
    }
    return nil
  }
}
