import Capability
import IPP
import PrintModel
import TestSupport
import Testing
import System

/// The table's printers, served: a printer's real answers match the attributes in the table.
@Suite struct ServedTests {
  /// ippeveprinter adds its own attributes to those of the file; these are the file's.
  @Test(arguments: try Samples.names())
  func `a served printer is the printer of the table`(_ name: String) async throws {
    let file = try Samples.printer(name)
    let bench = try await Bench.shared
    var options = VirtualPrinter.Options()
    options.attributes = "\(Samples.folder)/\(name).conf"
    options.subtypes = ["off"]
    let printer = try await bench.printer("Served \(name)", options)
    let served = try await contact(printer.uri)
    #expect(served.ready == file.ready)
    #expect(served.reportsReady == file.reportsReady && served.isQueue == file.isQueue)
    #expect(served.defaultPaper == file.defaultPaper)
    #expect(served.possible == file.possible)
    #expect(served.types == file.types)
    #expect(served.formats == file.formats)
    #expect(served.urf == file.urf && served.pwg == file.pwg)
    #expect(served.sides == file.sides && served.defaultSides == file.defaultSides)
    #expect(served.colorModes == file.colorModes && served.isColor == file.isColor)
    #expect(served.qualities == file.qualities && served.resolutions == file.resolutions)
    #expect(served.scalings == file.scalings && served.copies == file.copies)
    await printer.stop()
  }

  private func contact(_ uri: String) async throws -> Capabilities {
    let uri = try #require(PrinterURI(uri))
    return try await onThread { () throws(IPPError) in
      let connection = try Connection(
        to: uri, timeout: .seconds(20), cancellation: Cancellation())
      return try ContactResult(over: connection, user: "test").capabilities
    }
  }
}
