import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Shells and services whose limits are too low, and machines without /proc: a message instead of a crash.
@Suite struct MachineLimitsTests {
  @Test(arguments: [
    ("ulimit -n 4", "open files"), ("ulimit -n 6", "open files"), ("ulimit -n 12", "open files"),
    // With a smaller stack there is no room for a large environment: the kernel kills the program before it starts.
    ("ulimit -s 128", "stack"), ("ulimit -s 256", "stack"), ("ulimit -v 400000", "memory"),
    ("ulimit -d 60000", "memory"),
  ])
  func `70: too little is allowed`(_ limit: String, _ what: String) async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    for command in ["--version", "check '\(file)'", "print -d ipp://127.0.0.1:9/x '\(file)'"] {
      let refused = try await person.shell("\(limit); exec \"$airprint\" \(command)")
      #expect(refused.code == 70, "\(refused.report)")
      #expect(refused.stderr.hasPrefix("airprint: This shell or service allows too few "))
      #expect(refused.stderr.contains(what), "\(refused.report)")
    }
  }

  @Test func `70: the machine's limit of memory is not the document's`() async throws {
    let person = try await Person.anybody()
    // Drawing this picture of 9,000 by 9,000 pixels takes more memory than is available.
    let file = try person.document(
      Array("P6 9000 9000 255\n".utf8) + [UInt8](repeating: 9, count: 3 * 81_000_000), "large.ppm")
    let refused = try await person.shell("ulimit -d 140000; exec \"$airprint\" check '\(file)'")
    #expect(refused.code == 0 || refused.code == 65 || refused.code == 70, "\(refused.report)")
    #expect(!refused.stderr.contains("page-memory"), "\(refused.report)")
  }

  @Test func `70: there is no /proc`() async throws {
    let person = try await Person.anybody()
    // Without root, this creates a user namespace, which does not work in a chroot.
    let refused = try await person.shell(
      """
      exec unshare $([ "$(id -u)" = 0 ] || echo --user --map-root-user) --mount \
        sh -c 'mount -t tmpfs none /proc && exec "$airprint" print --no-such-option'
      """)
    #expect(refused.code == 70, "\(refused.report)")
    #expect(refused.stderr.contains("There is no /proc here"), "\(refused.report)")
  }

  @Test func `whatever it does, it ends 3 s after SIGTERM`() async throws {
    let person = try await Person.anybody()
    // Nothing ever writes to this pipe.
    let pipe = person.path("pipe")
    mkfifo(pipe, 0o600)
    let check = try person.start("check", pipe)
    try await Task.sleep(for: .seconds(1))
    check.signal(SIGTERM)
    let ended = await check.end()
    #expect(ended.end == .signalled(SIGTERM), "\(ended.report)")
  }
}
