import System
import Testing

@testable import Printers

struct USBPrintersTests {
  @Test func `the ports at which a user listens, as the kernel states them`() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:EA60 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0
         1: 0100007F:EA61 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 2 1 0
         2: 0100007F:EA62 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 3 1 0
         3: 00000000000000000000000000000000:EA63 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4 1 0
         4: nonsense
      """
    #expect(listeningUsers(in: table) == [60_000: [0], 60_001: [1000], 60_003: [0]])
    #expect(listeningUsers(in: "").isEmpty)
  }
}
