import Glibc
import System
import Testing

@Suite struct MailboxTests {
  @Test func `what is posted wakes a reader, once`() async throws {
    let mailbox = try Mailbox<Int>()
    await onThread { for number in 1...3 { mailbox.post(number) } }
    var waiting = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&waiting, 1, 0) == 1)
    #expect(mailbox.take() == [1, 2, 3])
    #expect(poll(&waiting, 1, 0) == 0)
    #expect(mailbox.take().isEmpty)
  }
}
