import FoundationEssentials
import Testing

/// CONTRIBUTING.md's table of who may import whom, and the sources, say the same. The manifest alone
/// does not: SwiftPM lets a target import whatever happens to be built already.
@Suite struct LayeringTests {
  /// Swift's own modules, which need no row.
  private static let system: Set<String> = [
    "Dispatch", "FoundationEssentials", "Glibc", "Synchronization",
  ]

  /// The rows of the table: `| DNSSD | CAvahi, Threading | … |`.
  private static func allowed() throws -> [String: Set<String>] {
    let text = try String(decoding: contents(of: "CONTRIBUTING.md"), as: UTF8.self)
    let section = try #require(text.split(separator: "## Who may import whom").last)
    let rows = section.split(separator: "\n").prefix { !$0.hasPrefix("## ") }
      .filter { $0.hasPrefix("| ") }
    return rows.dropFirst(2).reduce(into: [:]) { table, row in
      let cells = row.split(separator: "|").map { $0.filter { $0 != " " && $0 != "`" } }
      table[cells[0]] = Set(cells[1].split(separator: ",").map(String.init)).subtracting(["–"])
    }
  }

  private static func contents(of path: String) throws -> Data {
    try #require(FileManager.default.contents(atPath: "\(root)/\(path)"), "\(path)")
  }

  /// What each module's files import.
  private static func imports() throws -> [String: Set<String>] {
    var table: [String: Set<String>] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: "\(root)/Sources")
    where path.hasSuffix(".swift") {
      let module = String(path.prefix { $0 != "/" })
      let text = String(decoding: try contents(of: "Sources/\(path)"), as: UTF8.self)
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let word = words.prefix(2).firstIndex(of: "import"), words.count > word + 1 else {
          continue
        }
        table[module, default: []].insert(String(words[word + 1]))
      }
    }
    return table
  }

  @Test func `a module imports what CONTRIBUTING.md allows it, and nothing else`() throws {
    let allowed = try Self.allowed()
    let imports = try Self.imports()
    #expect(imports.count > 10)
    for (module, names) in imports {
      let row = try #require(allowed[module], "CONTRIBUTING.md has no row for \(module)")
      let strangers = names.subtracting(Self.system).subtracting(row).sorted()
      #expect(strangers.isEmpty, "\(module) must not import these")
    }
  }

  @Test func `the table allows nothing that nobody uses`() throws {
    let imports = try Self.imports()
    for (module, names) in try Self.allowed() {
      let unused = names.subtracting(imports[module] ?? []).sorted()
      #expect(unused.isEmpty, "\(module) does not import these")
    }
  }

  @Test func `only its adapter imports a C library`() throws {
    let imports = try Self.imports()
    for library in ["CAvahi", "CCups", "CPoppler", "CPango", "CPixbuf"] {
      #expect(imports.filter { $0.value.contains(library) }.count == 1, "\(library)")
    }
  }

  @Test func `the model imports nothing`() throws {
    #expect(try Self.imports()["PrintModel"] ?? [] == [])
  }
}
