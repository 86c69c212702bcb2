import AirprintContext
import PrintModel
import PrintOptions

extension FuzzTarget {
  /// config.toml.
  static let configuration = FuzzTarget("config") { bytes in
    Workplace.shared.write(bytes, to: "config.toml")
    do throws(Failure) {
      let configuration = try Configuration(Workplace.shared.places)
      var request = PrintRequest()
      for type in JobType.allCases {
        for setting in configuration.settings(for: type, printer: "till") {
          try? setting.option.apply(setting.value, to: &request)
        }
      }
      _ = configuration.entries
      for stamp in request.stamps { _ = configuration.stamp(stamp) }
    } catch {
      checkConfiguration(error)
    }
  }

  /// printers.toml: a file that was read and written again has the same content.
  static let printers = FuzzTarget("printers") { bytes in
    let places = Workplace.shared.places
    Workplace.shared.write(bytes, to: "printers.toml")
    do throws(Failure) {
      let book = try PrinterStore(places)
      _ = book.defaultPrinter
      for type in JobType.allCases { _ = book.printer(for: type) }
      do {
        try PrinterStore.change(places) { _ in }
        let again = try PrinterStore(places)
        promise(again == book, "\(book) became \(again)")
      } catch {
        promise(false, "what was written can't be read: \(error)")
      }
    } catch {
      checkConfiguration(error)
    }
  }

  private static func checkConfiguration(_ failure: Failure) {
    promise(failure.code == .configuration, "\(failure)")
  }
}
