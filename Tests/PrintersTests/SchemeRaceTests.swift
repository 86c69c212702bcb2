import Synchronization
import System
import Testing

@testable import Printers

/// A host's encrypted and its other scheme.
@Suite struct SchemeRaceTests {
  private let schemes = ["ipps", "ipp"]

  private func found<Found>(_ answer: SchemeAnswer<Found>) -> Found? {
    if case .found(let found) = answer { found } else { nil }
  }

  private func tried(_ answer: SchemeAnswer<String>) -> [String] {
    if case .failed(let tried) = answer { tried.map(\.uri) } else { [] }
  }

  /// Waits until the contact is canceled, as one with a silent host does.
  private static func silence(_ scheme: String, _ end: Cancellation) -> SchemeAnswer<String> {
    while end.sleep(.seconds(60)) {}
    return .failed([FailedAddress(uri: scheme, reason: "silence")])
  }

  @Test func `a slow encrypted answer wins over a quick one that is not encrypted`() async {
    let answer = await raceSchemes(schemes, timeout: nil) { scheme, end -> SchemeAnswer<String> in
      if scheme == "ipps" { _ = end.sleep(.seconds(2)) }
      return .found(scheme)
    }
    #expect(found(answer) == "ipps")
  }

  /// Races until only one scheme was tried: on a busy machine, the first may start after its head start.
  private func raceAlone(_ say: @Sendable @escaping (String) -> SchemeAnswer<String>) async throws
    -> SchemeAnswer<String>
  {
    for _ in 0..<10 {
      let tried = Mutex<[String]>([])
      let answer = await raceSchemes(schemes, timeout: nil) { scheme, end in
        tried.withLock { $0.append(scheme) }
        // Long enough for a scheme without a head start.
        _ = end.sleep(.milliseconds(100))
        return say(scheme)
      }
      if tried.withLock({ $0 }) == ["ipps"] { return answer }
    }
    throw SchemesTried.both
  }

  private enum SchemesTried: Error { case both }

  @Test func `the other scheme is not tried if the encrypted one answers`() async throws {
    #expect(found(try await raceAlone { .found($0) }) == "ipps")
  }

  @Test func `without TLS, the other scheme counts`() async {
    let answer = await raceSchemes(schemes, timeout: nil) { scheme, _ -> SchemeAnswer<String> in
      scheme == "ipp" ? .found(scheme) : .failed([FailedAddress(uri: scheme, reason: "refused")])
    }
    #expect(found(answer) == "ipp")
  }

  @Test func `if the time is over, an answer over the other scheme counts, and silence is told`()
    async
  {
    let half = await raceSchemes(schemes, timeout: .seconds(1)) { scheme, end in
      scheme == "ipp" ? .found(scheme) : Self.silence(scheme, end)
    }
    #expect(found(half) == "ipp")
    let none = await raceSchemes(schemes, timeout: .seconds(1), Self.silence)
    #expect(tried(none) == schemes)
  }

  @Test func `a name that no host has ends the search`() async throws {
    let answer = try await raceAlone { _ in .noHost("nowhere") }
    guard case .noHost = answer else {
      Issue.record("\(answer)")
      return
    }
  }
}
