import Docs
import FoundationEssentials
import Glibc

/// `make generate`: writes the manual pages.
@main
struct GenerateDocs {
  static func main() throws {
    let root = CommandLine.arguments.dropFirst().first ?? "."
    do {
      for file in try GeneratedFile.all(in: root) {
        try Data(file.text.utf8).write(to: URL(filePath: "\(root)/\(file.path)"))
        print(file.path)
      }
    } catch let error as DocsError {
      print("GenerateDocs: \(error)")
      exit(1)
    }
  }
}
