import FoundationEssentials

/// The permitted imports of each module.
///
/// Data flows in one direction, so no stage imports another. The table is the one in docs/architecture.md.
enum Layers {
  /// Modules that every module may import: Swift's own and the system's.
  static let system: Set<String> = ["Glibc", "Synchronization", "FoundationEssentials", "Dispatch"]

  /// Every module with the other modules that it may import.
  ///
  /// SwiftPM lets a target import any module that happens to be built already, so the manifest is not enough.
  static let allowed: [String: Set<String>] = {
    let bytes = FileManager.default.contents(atPath: "\(root)/docs/architecture.md") ?? Data()
    let text = String(decoding: bytes, as: UTF8.self)
    let section = text.split(separator: "## Imports").last ?? ""
    // `| DNSSD | CAvahi, System | … |`, below a header of two lines.
    let rows = section.split(separator: "\n").prefix { !$0.hasPrefix("## ") }
      .filter { $0.hasPrefix("| ") }
    return rows.dropFirst(2).reduce(into: [:]) { table, row in
      let cells = row.split(separator: "|").map { $0.filter { $0 != " " } }
      table[cells[0]] = Set(cells[1].split(separator: ",").map(String.init)).subtracting(["–"])
    }
  }()

  /// C modules, by their folders.
  static let cModules: Set<String> = {
    let files = FileManager.default
    let folders = (try? files.contentsOfDirectory(atPath: "\(root)/Sources")) ?? []
    return Set(
      folders.filter { folder in
        // System libraries have a module map, our own C modules have a folder of headers.
        ["module.modulemap", "include"].contains {
          files.fileExists(atPath: "\(root)/Sources/\(folder)/\($0)")
        }
      })
  }()
  /// C modules of what other C libraries stand on, whose types these hand out, and of libpng, with which one module
  /// reads and another writes: several modules import them.
  static let sharedCModules: Set<String> = ["CCairo", "CGLib", "CPNG"]
  static let stages: Set<String> = [
    "Discovery", "Capability", "Negotiation", "Conversion", "Rendering", "Simulation",
    "Submission",
  ]
  /// Modules that only contain values and don't even import the system's modules.
  static let bare: Set<String> = ["PrintModel", "PrintOptions", "Layout"]
  /// The maximum length of a file, in lines.
  static let longestFile = 500
}

/// A Swift file of the sources.
struct Source {
  /// The path from the repository's root: `Sources/IPP/Message.swift`.
  var path: String
  var text: String

  var module: String { String(path.split(separator: "/")[1]) }

  /// An `import` and its line number, from 1.
  typealias Import = (module: String, line: Int, isInternal: Bool)

  var imports: [Import] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      index, line in
      let words = line.prefix { $0 != "/" }.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
        words[..<place].allSatisfy({ Source.modifiers.contains($0) || $0.hasPrefix("@") })
      else { return nil }
      // In `import struct Module.Name`, the module is before the dot.
      let kinds: Set<Substring> = [
        "struct", "class", "enum", "func", "protocol", "typealias", "var",
      ]
      let rest = words[(place + 1)...]
      let named = kinds.contains(rest[place + 1]) ? rest.dropFirst().first : rest.first
      guard let module = named?.split(separator: ".").first else { return nil }
      let access = words[..<place].first { !$0.hasPrefix("@") }
      return (String(module), index + 1, access == nil || access == "internal")
    }
  }

  private static let modifiers: Set<Substring> = ["internal", "package", "private", "fileprivate"]

  /// Types declared at the top level of the file.
  var types: [String] { types { $0.first != " " } }

  /// Nested types, which are indented.
  var nestedTypes: [String] { types { $0.first == " " } }

  private func types(where isMeant: (Substring) -> Bool) -> [String] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    return text.split(separator: "\n").compactMap { line in
      guard isMeant(line) else { return nil }
      let words = line.split(separator: " ").drop {
        Source.modifiers.contains($0) || $0.hasPrefix("@") || $0 == "final" || $0 == "indirect"
      }
      guard let kind = words.first, kinds.contains(kind) else { return nil }
      return words.dropFirst().first.map { String($0.prefix { $0.isLetter || $0.isNumber }) }
    }
  }

  /// Functions with a body of several lines, from their first word to the closing brace.
  ///
  /// The formatter aligns that brace with the start.
  var functions: [(name: String, lines: Int)] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { (indent: $0.utf8.prefix { $0 == 0x20 }.count, text: $0) }
    return lines.indices.compactMap { start in
      guard let name = Source.functionName(in: lines[start].text) else { return nil }
      // The lines of a long signature are indented, except the last.
      let isEven = { lines[$0].indent == lines[start].indent && !lines[$0].text.isEmpty }
      guard
        let opening = (start..<min(start + 30, lines.count)).first(where: {
          isEven($0) && "{}".contains(lines[$0].text.suffix(1)) || lines[$0].text.isEmpty
            || lines[$0].indent < lines[start].indent
        }), lines[opening].text.last == "{", isEven(opening),
        let end = lines[(opening + 1)...].firstIndex(where: {
          $0.indent == lines[start].indent && $0.text.hasSuffix("}")
        })
      else { return nil }
      return (name, end - start + 1)
    }
  }

  /// Returns `func name` or `init` for a line that declares one.
  private static func functionName(in line: Substring) -> String? {
    let words = line.split(separator: " ").drop {
      modifiers.contains($0) || $0.hasPrefix("@")
        || ["static", "mutating", "override", "final", "convenience", "nonisolated"].contains($0)
    }
    guard let word = words.first else { return nil }
    if word.hasPrefix("init(") || word.hasPrefix("init?(") || word.hasPrefix("init<") {
      return "init"
    }
    guard word == "func", let name = words.dropFirst().first else { return nil }
    return "func \(name.prefix { $0 != "(" && $0 != "<" })"
  }

  /// Problems with the file's imports and its length, each as `path:line: what`.
  var faults: [String] {
    var faults: [String] = []
    let mayImport = Layers.allowed[module]
    if mayImport == nil { faults.append("\(path):1: the module \(module) is in no layer") }
    for (name, line, isInternal) in imports {
      if !Layers.allows(name, in: module) {
        faults.append("\(path):\(line): \(module) must not import \(name)")
      } else if Layers.cModules.contains(name), !isInternal {
        faults.append("\(path):\(line): \(name) must be an internal import")
      }
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    if lines > Layers.longestFile { faults.append("\(path):\(lines): longer than 500 lines") }
    return faults
  }
}

extension Layers {
  static func allows(_ name: String, in module: String) -> Bool {
    allowed[module]?.contains(name) == true || system.contains(name) && !bare.contains(module)
  }
}
