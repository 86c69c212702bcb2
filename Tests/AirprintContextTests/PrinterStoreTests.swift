import AirprintContext
import FoundationEssentials
import Glibc
@testable import PrintModel
import TestSupport
import Testing
import System

@Suite struct PrinterStoreTests {
  private static let till = SavedPrinter(
    name: "Till", uri: "ipps://till.local/ipp/print", host: "till.example",
    addresses: ["192.0.2.7", "fe80::1%eth0"],
    service: ServiceName(instance: "Till \"1\" \\ ü", domain: "local"), uuid: "4509a320",
    makeAndModel: "Example Receipt 80", location: "Shop", types: [.receipt, .roll],
    settings: ["paper": "80mm", "option": "print-darkness=5"])

  @Test func `a saved printer comes back as it was`() throws {
    let folders = try Folders()
    try PrinterStore.change(folders.places) { page in
      page.save(Self.till)
      page.defaultName = "Till"
      page.byType[.receipt] = "Till"
    }
    let store = try PrinterStore(folders.places)
    #expect(store.printers == [Self.till])
    #expect(store.defaultPrinter == Self.till && store.printer(for: .receipt) == Self.till)
    #expect(store.types(of: "Till") == [.receipt])
    #expect(store.printer(named: "TILL") == Self.till && store.printer(named: "Tills") == nil)
  }

  @Test func `a printer needs no more than its uri`() throws {
    let folders = try Folders(user: ["printers.toml": "[printers.Desk]\nuri = \"ipp://desk/\"\n"])
    #expect(
      try PrinterStore(folders.places).printers == [SavedPrinter(name: "Desk", uri: "ipp://desk/")])
  }

  @Test(arguments: [("true", true), ("false", false)])
  func `an address that nothing proved is kept as such`(_ value: String, _ isUnproven: Bool) throws
  {
    let text = "[printers.Desk]\nuri = \"ipp://desk/\"\nunproven = "
    let folders = try Folders(user: ["printers.toml": text + value + "\n"])
    try PrinterStore.change(folders.places) { $0.defaultName = "Desk" }
    #expect(try PrinterStore(folders.places).printers.map(\.isUnproven) == [isUnproven])
    let wrong = try Folders(user: ["printers.toml": text + "\"no\"\n"])
    #expect { try PrinterStore(wrong.places) } throws: {
      ($0 as? Failure)?.message.contains("unproven takes true or false") == true
    }
  }

  @Test func `the person's printers come before the administrator's`() throws {
    let folders = try Folders(
      user: ["printers.toml": "default = \"Front\"\n[printers.Office]\nuri = \"ipp://mine/\"\n"],
      system: [
        "printers.toml": """
        default = "office"
        [types]
        photo = "Front"
        [printers.office]
        uri = "ipp://theirs/"
        [printers.Front]
        uri = "ipp://front/"
        """
      ])
    let store = try PrinterStore(folders.places)
    #expect(store.printers.map(\.uri) == ["ipp://mine/", "ipp://front/"])
    #expect(store.defaultPrinter?.uri == "ipp://front/")
    #expect(store.printer(for: .photo)?.uri == "ipp://front/")
  }

  @Test func `forgetting a printer forgets what pointed to it`() throws {
    let folders = try Folders()
    try PrinterStore.change(folders.places) { page in
      page.save(Self.till)
      page.save(SavedPrinter(name: "TILL", uri: "ipp://other/"))
      page.defaultName = "till"
      page.byType = [.receipt: "Till", .photo: "Desk"]
    }
    #expect(try PrinterStore(folders.places).printers.map(\.uri) == ["ipp://other/"])
    try PrinterStore.change(folders.places) { page in
      let first = page.forget("till")
      let second = page.forget("till")
      #expect(first && !second)
    }
    let store = try PrinterStore(folders.places)
    #expect(store.printers.isEmpty && store.user.defaultName == nil)
    #expect(store.user.byType == [.photo: "Desk"])
  }

  @Test(arguments: [
    ("defualt = \"x\"", 1, "did you mean \"default\"?"),
    ("[printers.A]\nname = \"A\"", 2, "unknown key \"name\""),
    ("\n[printers.A]\nlocation = \"here\"", 2, "the printer A has no uri"),
    ("[types]\nreciept = \"A\"", 2, "no job type is called \"reciept\""),
    (
      "[printers.A]\nuri = \"ipp://a/\"\n[printers.A.settings]\ncopy = 2", 4,
      "unknown print option \"copy\""
    ),
    (
      "[printers.A]\nuri = \"ipp://a/\"\n[printers.A.settings]\npaper = \"banana\"", 4,
      "no such paper"
    ),
    ("[printers.A", 1, ""), ("default = 3", 1, "a printer's name"),
    ("\ntypes = \"A\"", 2, "a table"),
    ("printers = 1", 1, "a table"), ("[printers]\nA = \"ipp://a/\"", 2, "no uri"),
  ])
  func `a wrong line is named`(_ text: String, _ line: Int, _ fragment: String) throws {
    let folders = try Folders(user: ["printers.toml": text])
    let failure = try #require(failureOf { _ = try PrinterStore(folders.places) })
    let path = "\(folders.places.configuration)/printers.toml"
    #expect(failure.code == .configuration)
    #expect(failure.message.hasPrefix("\(path):\(line): "), "\(failure)")
    #expect(failure.message.contains(fragment), "\(failure)")
    // A file that can't be parsed is not overwritten.
    let change = failureOf { try PrinterStore.change(folders.places) { $0.defaultName = "B" } }
    #expect(change?.code == .configuration)
    #expect(folders.text("printers.toml") == text)
  }

  @Test func `writers at the same time lose nothing`() async throws {
    let folders = try Folders()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          try await onThread { () throws(Failure) in
            try PrinterStore.change(folders.places) {
              $0.save(SavedPrinter(name: "P\(number)", uri: "ipp://p\(number)/"))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try PrinterStore(folders.places).printers.count == 16)
    #expect(folders.text("printers.toml.new") == nil)
  }

  @Test func `a change that fails leaves the file as it was`() throws {
    let folders = try Folders()
    try PrinterStore.change(folders.places) { $0.save(Self.till) }
    let before = folders.text("printers.toml")
    let failure = failureOf {
      try PrinterStore.change(folders.places) { (page) throws(Failure) in
        page.printers = []
        throw Failure(.usage, "No.")
      }
    }
    #expect(failure?.code == .usage)
    #expect(before != nil && folders.text("printers.toml") == before)
  }

  @Test func `nobody else reads or is led elsewhere`() throws {
    let folders = try Folders()
    let folder = folders.places.configuration
    // A link in place of the temporary file would let another user redirect our write.
    let victim = "\(folders.path)/victim"
    try Data("keep".utf8).write(to: URL(filePath: victim))
    #expect(symlink(victim, "\(folder)/printers.toml.new") == 0)
    let refused = failureOf { try PrinterStore.change(folders.places) { $0.save(Self.till) } }
    #expect(refused?.code == .cannotWrite)
    #expect(refused?.message.contains("printers.toml can't be written") == true)
    #expect(FileManager.default.contents(atPath: victim) == Data("keep".utf8))
    #expect(unlink("\(folder)/printers.toml.new") == 0)
    try PrinterStore.change(folders.places) { $0.save(Self.till) }
    var status = stat()
    #expect(stat("\(folder)/printers.toml", &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `a folder that can't be made is 73`() throws {
    let folders = try Folders()
    var places = folders.places
    places.configuration = "\(folders.path)/config/airprint/printers.toml/below"
    try Data().write(to: URL(filePath: "\(folders.places.configuration)/printers.toml"))
    let failure = failureOf { try PrinterStore.change(places) { $0.save(Self.till) } }
    #expect(failure?.code == .cannotWrite)
  }
}
