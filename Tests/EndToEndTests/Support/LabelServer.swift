import FoundationEssentials
import Glibc
import Synchronization
import TestSupport

/// LPrint, which converts raster to the languages of label printers, with printers whose bytes are stored.
///
/// Till prints receipts, from LPrint 1.4 on. Zebra and Eltron have 4x6 labels, Dymo address labels: 88.9 mm long, and 31.75 mm wide or, since LPrint 1.3, 28.57.
struct LabelServer {
  private let program: Program
  private let place: String
  private let sink: Sink

  /// The data that a printer's port receives, one entry per connection.
  private final class Sink: Sendable {
    private let jobs = Mutex<[[UInt8]]>([])
    private let server = Mutex<ScriptedServer?>(nil)

    func listen() throws -> Int {
      let server = try ScriptedServer { [weak self] client in
        // A receipt printer's connection stays open behind a job.
        let index =
          self?.jobs.withLock {
            $0.append([]); return $0.count - 1
          } ?? 0
        while let bytes = try? client.readSome() {
          self?.jobs.withLock { $0[index] += bytes }
        }
      }
      self.server.withLock { $0 = server }
      return server.port
    }

    var received: [[UInt8]] { jobs.withLock { $0 } }
    func close() { server.withLock { $0 }?.close() }
  }

  init(_ person: Person) async throws {
    let folder = person.path("pappl")
    try FileManager.default.createDirectory(
      atPath: "\(folder)/home", withIntermediateDirectories: true)
    sink = Sink()
    let output = try sink.listen()
    // LPrint's socket is in /run or TMPDIR. Without it, `lprint add` starts another server.
    let script = """
      mount -t tmpfs tmpfs /run
      lprint server -o server-port=$1 -o listen-hostname=127.0.0.1 -o spool-directory="$2/spool" \\
        -o log-file="$2/log" &
      server=$!
      for attempt in $(seq 600); do
        kill -0 $server || exit 69
        [ -S /run/lprint.sock ] || [ -S "$TMPDIR/lprint$(id -u).sock" ] || { sleep 0.1; continue; }
        break
      done
      lprint add -d Zebra -v socket://127.0.0.1:$3 -m zpl_4inch-203dpi-dt
      lprint add -d Eltron -v socket://127.0.0.1:$3 -m epl2_4inch-203dpi-dt
      lprint add -d Till -v socket://127.0.0.1:$3 -m escpos_80mm
      lprint add -d Dymo -v socket://127.0.0.1:$3 -m dymo_lw-450
      wait
      """
    (program, place) = try await person.startServer(listing: "/ipp/print/Dymo") { port in
      Namespaces.available.unshare("--mount", "--pid")
        + ["--fork", "--kill-child", "sh", "-c", script, "sh", "\(port)", folder, "\(output)"]
    }
  }

  func uri(of printer: String) -> String { "ipp://\(place)/ipp/print/\(printer)" }

  /// Waits for data that contains `start` and so many bytes, and returns it from there on.
  func bytes(after start: [UInt8], _ count: Int = 1) async throws -> [UInt8] {
    var found: [UInt8] = []
    try await eventually("LPrint sends \(start)") {
      for bytes in sink.received {
        guard let range = bytes.firstRange(of: start) else { continue }
        found = Array(bytes[range.upperBound...])
      }
      return found.count >= count
    }
    return found
  }

  func end() async {
    program.signal(SIGKILL)
    _ = await program.end()
    sink.close()
  }
}
