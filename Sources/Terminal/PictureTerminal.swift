import Glibc

/// A terminal that can show pictures between its lines, and the protocol for that.
package struct PictureTerminal: Sendable, Equatable {
  package enum Way: Sendable, Equatable {
    /// Kitty's graphics protocol: PNG in Base64, in pieces.
    case kitty
    /// iTerm2's OSC 1337: a file in Base64.
    case iTerm
    /// DEC's sixels.
    case sixel
  }

  package var way: Way
  /// Width of the window in pixels, or an estimate.
  package var width: Int
  package var height: Int

  /// Queries the terminal behind `screen`; nil if it can't show pictures, does not answer within a second, or if this
  /// process is in the background.
  ///
  /// iTerm2 is recognized by the environment. GNU screen shows no pictures, and takes Kitty's query for a status line.
  package static func detect(
    _ screen: Screen, environment: [String: String]
  ) -> PictureTerminal? {
    guard screen.isTerminal, screen.canRedraw, environment["TERM"] != "linux",
      environment["STY"] == nil,
      tcgetpgrp(screen.descriptor) == getpgrp()
    else { return nil }
    var size = winsize()
    _ = ioctl(screen.descriptor, UInt(TIOCGWINSZ), &size)
    let room = Self.room(in: size)
    func terminal(_ way: Way) -> PictureTerminal {
      PictureTerminal(way: way, width: room.width, height: room.height)
    }
    if environment["TERM_PROGRAM"] == "iTerm.app", environment["TMUX"] == nil {
      return terminal(.iTerm)
    }
    return (try? answer()).flatMap(Self.way(of:)).map(terminal)
  }

  /// Returns the pixels for a picture that remains whole on the screen, below which its caption, two warnings and the
  /// next prompt find room.
  static func room(in size: winsize) -> (width: Int, height: Int) {
    let lines = max(6, Int(size.ws_row))
    let width = size.ws_xpixel > 0 ? Int(size.ws_xpixel) : max(20, Int(size.ws_col)) * 8
    let full = size.ws_ypixel > 0 ? Int(size.ws_ypixel) : lines * 16
    return (width, full * (lines - 4) / lines)
  }

  /// Queries Kitty's protocol, which only terminals with support answer, and then the device attributes, which every
  /// terminal answers: nothing follows that answer.
  private static func answer() throws(TerminalError) -> [UInt8] {
    let session = try TerminalSession(.keys)
    defer { session.close() }
    try session.write("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c")
    var bytes: [UInt8] = []
    let end = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < end, bytes.count < 4_096, attributes(in: bytes) == nil {
      let wake = try session.wait(milliseconds: 1_000)
      guard wake.signals.allSatisfy({ $0 == SIGWINCH }), !wake.hasEnded else { return [] }
      if wake.bytes.isEmpty { break }
      bytes += wake.bytes
    }
    return bytes
  }

  /// Returns the protocol according to the answers to both queries; nil if there is none.
  static func way(of answer: [UInt8]) -> Way? {
    let text = String(decoding: answer, as: UTF8.self)
    if text.contains("\u{1B}_Gi=31;OK") { return .kitty }
    return attributes(in: answer)?.contains("4") == true ? .sixel : nil
  }

  /// Parses `ESC [ ? 62 ; 4 ; 22 c`: primary device attributes, of which 4 means sixels.
  private static func attributes(in answer: [UInt8]) -> [Substring]? {
    let text = String(decoding: answer, as: UTF8.self)
    guard let start = text.firstRange(of: "\u{1B}[?") else { return nil }
    let rest = text[start.upperBound...]
    guard let end = rest.firstIndex(where: { !$0.isNumber && $0 != ";" }), rest[end] == "c" else {
      return nil
    }
    return rest[..<end].split(separator: ";")
  }

  /// Returns the bytes that show a picture and end its line.
  ///
  /// - `picture`: a PNG; for sixels, the data between their introducer and terminator. Bytes that are not sixel
  ///   characters are dropped, so that a worker compromised by a document can't write anything else to a terminal.
  package func showing(_ picture: [UInt8], base64: String) -> [UInt8] {
    switch way {
    case .sixel:
      return Array("\u{1B}Pq".utf8) + picture.filter { (0x21...0x7E).contains($0) }
        + Array("\u{1B}\\\n".utf8)
    case .iTerm:
      return Array("\u{1B}]1337;File=inline=1;size=\(picture.count):\(base64)\u{07}\n".utf8)
    case .kitty:
      var text = ""
      var rest = base64[...]
      var keys = "a=T,f=100,q=2,"
      repeat {
        let piece = rest.prefix(4_096)
        rest = rest.dropFirst(4_096)
        text += "\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1B}\\"
        keys = ""
      } while !rest.isEmpty
      return Array((text + "\n").utf8)
    }
  }
}
