import TestSupport
import Testing

@testable import IPP

/// The limits of a response, checked before libcups gets any of it.
@Suite struct MessageGuardTests {
  private func allows(_ count: Int, _ attribute: (inout IPPAnswer, Int) -> Void) -> Bool {
    var answer = IPPAnswer(to: ScriptedServer.Request())
    answer.group(4)
    for index in 0..<count { attribute(&answer, index) }
    var message = MessageGuard()
    let bytes = answer.message
    // In small pieces, as ippReadIO reads it.
    for start in stride(from: 0, to: bytes.count, by: 3) {
      guard message.allows(bytes[start..<min(start + 3, bytes.count)]) else { return false }
    }
    return true
  }

  /// libcups reads the four octets of an extended tag as a name's length and name, and continues after an
  /// end-of-attributes tag in a collection, so following attributes would be hidden.
  @Test(
    arguments: [
      ([0x7F, 0, 4, 97, 98, 0, 0, 0, 0, 0, 0, 3], false),
      ([0x34, 0, 1, 97, 0, 0, 3], false),
      ([0x34, 0, 1, 97, 0, 0, 0x37, 0, 0, 0, 0, 3], true),
      ([0x44, 0, 1, 97, 0, 1, 0x7F, 3], true), ([0x7E, 0, 1, 97, 0, 0, 3], true),
    ] as [([UInt8], Bool)])
  func `what may be read in two ways is refused`(_ bytes: [UInt8], _ isAllowed: Bool) {
    var message = MessageGuard()
    #expect(message.allows([1, 1, 0, 0, 0, 0, 0, 1, 4] + bytes) == isAllowed)
  }

  @Test func `different names and different strings are few, however many values there are`() {
    let few = allows(20_000) { $0.add(0x44, "j\($1)", "v") }
    let names = allows(40_000) { $0.add(0x44, "j\($1)", "v") }
    let values = allows(40_000) { $0.add(0x44, $1 == 0 ? "media-supported" : "", "v\($1)") }
    let members = allows(40_000) { $0.add(0x4A, $1 == 0 ? "media-col" : "", "m\($1)") }
    #expect(few && !names && !values && !members)
    let same = allows(100_000) { $0.add(0x44, "j\($1 % 100)", "v") }
    let numbers = allows(100_000) { $0.add(0x21, $1 == 0 ? "numbers" : "", Int32($1)) }
    #expect(same && numbers)
  }
}
