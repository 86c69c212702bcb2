import AirprintContext
import Discovery
import FoundationEssentials
import PrintModel
import TestSupport
import Testing

@testable import Printers

/// Printers that are saved, made the default, and forgotten: the files, and the messages.
@Suite struct AssignedPrintersTests {
  private let context: Context

  init() throws {
    let folder = "\(Scratch.shared.path)/printers-\(UUID().uuidString)"
    var context = Context(environment: ["HOME": folder, "LANG": "C"])
    context.directories.system = "\(folder)/etc"
    context.settings = SettingsFiles(context.directories)
    self.context = context
    try context.settings.changePrinters { page in
      page.printers = ["Laser", "Inkjet", "Till"].map {
        SavedPrinter(name: $0, uri: "ipp://\($0.lowercased()).example/ipp/print")
      }
      page.defaultName = "Laser"
      page.byType = [.receipt: "Till", .photo: "Inkjet"]
    }
  }

  @Test func `the default printer is replaced, and that is said`() throws {
    let made = try assignPrinter("inkj", to: [], system: false, context)
    #expect(made.sentences == ["Inkjet is the default printer now, instead of Laser."])
    #expect(try defaultPrinter(for: nil, context).name == "Inkjet")
    // The user's own default stays, and is not what the administrator's replaces.
    try context.settings.changePrinters(system: true) { page in
      page.printers = [SavedPrinter(name: "Laser", uri: "ipp://laser.example/ipp/print")]
    }
    let forAll = try assignPrinter("Laser", to: [], system: true, context)
    #expect(
      forAll.sentences == [
        "Laser is the default printer for all users.", "Your own default printer is still Inkjet.",
      ])
    let receipts = try assignPrinter("Laser", to: [.receipt, .label], system: true, context)
    #expect(
      receipts.sentences == [
        "Receipts will print on Laser for all users.", "Your own receipts still print on Till.",
        "Labels will print on Laser for all users.",
      ])
    #expect { try assignPrinter("Inkjet", to: [], system: true, context) } throws: { error in
      (error as? Failure)?.message.contains("Inkjet is saved only for you.") == true
    }
    let again = try assignPrinter("Inkjet", to: [], system: false, context)
    #expect(again.sentences == ["Inkjet is the default printer."])
  }

  @Test func `a type is taken from its printer, and that is said`() throws {
    let made = try assignPrinter("Laser", to: [.photo, .label], system: false, context)
    #expect(
      made.sentences == [
        "Photos now print on Laser instead of Inkjet.", "Labels will print on Laser.",
      ])
    #expect(made.takenFrom == ["photo": "Inkjet"])
    #expect(try defaultPrinter(for: .photo, context).name == "Laser")
    // The default does not change.
    #expect(try defaultPrinter(for: nil, context).name == "Laser")
    #expect(try defaultPrinter(for: .envelope, context).name == "Laser")
  }

  @Test(
    arguments: [
      (nil, [], [], true, true), ("Counter", [], [], true, false),
      ("tags", ["copies=2"], [], false, false), (nil, ["copies=2"], [], true, true),
      (nil, [], [.receipt], false, false),
    ] as [(String?, [String], [JobType], Bool, Bool)])
  func `what is picked becomes the default, but no role and not for a type`(
    _ name: String?, _ settings: [String], _ types: [JobType], _ isFirst: Bool, _ isNext: Bool
  ) {
    var arguments = PickArguments()
    (arguments.name, arguments.settings, arguments.types) = (name, settings, types)
    #expect(arguments.makesDefault(besides: nil) == isFirst)
    let other = SavedPrinter(name: "Laser", uri: "ipp://192.0.2.7/ipp/print")
    #expect(arguments.makesDefault(besides: other) == isNext)
  }

  @Test func `a type is taken away from the printer that has it, and from no other`() throws {
    let left = try unassignPrinter("Till", from: [.receipt], system: false, context)
    #expect(left.sentences == ["No printer is saved for receipts now."])
    #expect(try context.settings.printers().printer(for: .receipt) == nil)
    #expect { try unassignPrinter("Till", from: [.photo], system: false, context) } throws: {
      error in
      let failure = error as? Failure
      return failure?.code == .usage && failure?.message.contains("photo jobs: Inkjet is") == true
    }
  }

  @Test func `a name that nobody has is exit 69, with the nearest`() {
    #expect { try assignPrinter("Lazer", to: [], system: false, context) } throws: { error in
      let failure = error as? Failure
      return failure?.reason == .unknownPrinter && failure?.message.contains("Laser") == true
    }
  }

  @Test func `what a forgotten printer leaves is said`() {
    func sentences(noDefault: Bool, _ types: [JobType], _ others: [String]) -> [String] {
      ForgetResult(name: "Till", leavesNoDefault: noDefault, types: types, others: others).sentences
    }
    #expect(sentences(noDefault: false, [], ["Laser"]) == [])
    #expect(
      sentences(noDefault: true, [], []) == [
        "There is no default printer now. Choose one with: airprint pick"
      ])
    #expect(
      sentences(noDefault: true, [.receipt, .roll], ["Laser", "Inkjet"]) == [
        "There is no default printer now. Choose one with: airprint default NAME (saved: Laser, Inkjet)",
        "No printer is saved for receipts and rolls now.",
      ])
  }

  @Test func `the list says who is the default, for what, and whose file it is`() async throws {
    let entries = try await listSaved(contacting: false, context)
    #expect(entries.map(\.printer.name) == ["Inkjet", "Laser", "Till"])
    #expect(entries.map(\.isDefault) == [false, true, false])
    #expect(entries.map(\.assigned) == [[.photo], [], [.receipt]])
    #expect(entries.allSatisfy { !$0.isSystem && $0.report == nil })
  }

  @Test func `printers are found by name or type without a network`() async throws {
    #expect(try await findPrinters([], for: .receipt, context).map(\.name) == ["Till"])
    #expect(try await findPrinters([], for: .label, context).map(\.name) == ["Laser"])
    #expect(
      try await findPrinters(["till", "ipp://192.0.2.7/ipp/print"], for: nil, context).map(\.name)
        == ["Till", "192.0.2.7"])
  }

  @Test func `domains are searched besides the link, or with --domain alone`() throws {
    try FileManager.default.createDirectory(
      atPath: context.directories.configuration, withIntermediateDirectories: true)
    try writeFile(
      Array("domains = [\"example.org\"]\n".utf8),
      to: "\(context.directories.configuration)/config.toml")
    let usual = try SearchScope(context)
    #expect(usual.domains == ["example.org"] && usual.includesLink && usual.includesRecommended)
    #expect(!usual.isExplicit)
    let only = try SearchScope(context, only: ["example.net", "local."])
    #expect(only.domains == ["example.net"] && only.includesLink && !only.includesRecommended)
    #expect(only.isExplicit)
    #expect(try !SearchScope(context, only: ["example.net"]).includesLink)
  }
}
