internal import Drawing
internal import ForeignText
internal import IPP
internal import PrintModel
internal import System

// The printer's web page, for people and as printer-more-info.

extension SimulatedPrinter {
  /// Answers a GET; returns false when the client has disconnected.
  func servePage(_ path: String, _ connection: ServedConnection) -> Bool {
    switch path.prefix(while: { $0 != "?" }) {
    case "/", "/ipp/print":
      return connection.answer(Array(page.utf8), mediaType: "text/html; charset=utf-8")
    case "/icon.png":
      guard let icon = try? SimulatedPrinter.icon() else { return connection.answerNotFound() }
      return connection.answer(icon, mediaType: "image/png")
    default: return connection.answerNotFound()
    }
  }

  private var page: String {
    state.withLock { state in
      let trays = state.trays.map { tray in
        row([tray.source, tray.loaded?.title ?? "empty", tray.loaded?.type ?? ""])
      }
      let supplies = state.supplies.map { row([$0.color, $0.type, "\($0.level) %"]) }
      let jobs = state.jobs.suffix(50).reversed().map { job in
        row(["\(job.id)", job.name, job.user, job.state.keyword, "\(job.impressions)", job.message])
      }
      return """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>\(escaped(identity.name))</title>
        <meta http-equiv="refresh" content="5">
        <style>
        body { font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 50em; padding: 0 1em }
        td, th { text-align: left; padding: 0.1em 1em 0.1em 0 }
        </style></head><body>
        <h1>\(escaped(identity.name))</h1>
        <p>\(escaped(profile.makeAndModel)), simulated by airprint. \(escaped(identity.location))</p>
        <p><strong>\(escaped(state.message))</strong> \
        \(escaped(state.reasons.filter { $0 != "none" }.joined(separator: ", ")))</p>
        <h2>Paper</h2><table>\(trays.joined())</table>
        \(supplies.isEmpty ? "" : "<h2>Supplies</h2><table>\(supplies.joined())</table>")
        <h2>Jobs</h2><table>\(row(["", "Name", "User", "State", "Pages", ""]))\(jobs.joined())</table>
        </body></html>

        """
    }
  }

  private func row(_ cells: [String]) -> String {
    "<tr>" + cells.map { "<td>\(escaped($0))</td>" }.joined() + "</tr>\n"
  }

  /// Escapes text for HTML: names come from clients.
  private func escaped(_ text: String) -> String {
    markupEscaped(cleaned(text, upTo: 300))
  }

  /// Draws printer-icons: a sheet coming out of a box.
  private static func icon() throws(Failure) -> [UInt8] {
    let canvas = try Canvas(width: 128, height: 128)
    canvas.withMutablePixels { pixels in
      func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ color: UInt32) {
        for row in rows {
          for column in columns {
            pixels.storeBytes(
              of: color, toByteOffset: row * canvas.stride + column * 4, as: UInt32.self)
          }
        }
      }
      fill(16..<112, 48..<96, 0x55_6070)
      fill(32..<96, 12..<52, 0xD8_DCE4)
      fill(32..<96, 80..<116, 0xD8_DCE4)
      for line in 0..<3 { fill(40..<88, (88 + line * 8)..<(91 + line * 8), 0x88_90A0) }
      fill(98..<106, 56..<62, 0x40_C060)
    }
    return try canvas.png()
  }
}
