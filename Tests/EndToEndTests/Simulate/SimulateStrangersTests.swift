import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Operations that a simulated printer refuses to clients.
@Suite struct SimulateStrangersTests {
  @Test func `it survives deep requests, and crowds`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--listen", "lo")
    let outcome = try await person.bench.run(
      ["python3", "-c", Self.script, simulation.port], adding: person.variables)
    #expect(outcome.code == 0, "\(outcome.report)")
    #expect(outcome.stdout.contains("deep refused"), "\(outcome.report)")
    #expect(outcome.stdout.contains("stranger 0403 owner 0000"), "\(outcome.report)")
    #expect(outcome.stdout.contains("methods 400 400 "), "\(outcome.report)")
    #expect(outcome.stdout.contains("all of 200 answered"), "\(outcome.report)")
    #expect(outcome.stdout.contains("beside a crowd 0000"), "\(outcome.report)")
    #expect(outcome.stdout.contains("crowd bounded"), "\(outcome.report)")
    #expect(outcome.stdout.contains("then 0000"), "\(outcome.report)")
    _ = await simulation.end()
  }

  /// The response may be unencrypted (RFC 9110 §7.8); libcups requests the upgrade with OPTIONS.
  @Test func `a request that would be encrypted`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let outcome = try await person.bench.run(
      ["python3", "-c", Self.upgrade, simulation.port], adding: person.variables)
    #expect(outcome.stdout == "answered\n", "\(outcome.report)")
    _ = await simulation.end()
  }

  private static let upgrade = """
    import http.client, struct, sys
    def attr(tag, name, value): return struct.pack('>BH', tag, len(name)) + name + struct.pack('>H', len(value)) + value
    body = (struct.pack('>HHIB', 0x200, 11, 1, 1) + attr(0x47, b'attributes-charset', b'utf-8')
      + attr(0x48, b'attributes-natural-language', b'en')
      + attr(0x45, b'printer-uri', b'ipp://till.example/ipp/print') + b'\\x03')
    printer = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]), timeout=20)
    printer.request('POST', '/ipp/print', body, {
      'Host': 'till.example', 'Content-Type': 'application/ipp', 'Connection': 'Upgrade', 'Upgrade': 'TLS/1.2'})
    answer = printer.getresponse()
    names = b'ipp://till.example/ipp/print' in answer.read()
    print('answered' if answer.status == 200 and names else answer.status)
    """

  /// The printer keeps 500 jobs; an open file for each exceeds the limit of a process.
  @Test func `the document of a job that is over is closed`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let document = try person.document(PageShape.a5.landmarks())
    for _ in 0..<3 {
      let printed = try await person.airprint(
        "print", "-d", simulation.uri, "--resolution", "300", document)
      #expect(printed.code == 0, "\(printed.report)")
    }
    let folder = "/proc/\(simulation.program.pid)/fd"
    try await eventually("every document is closed") {
      let files = FileManager.default
      return try files.contentsOfDirectory(atPath: folder).allSatisfy {
        (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?.contains("/job-") != true
      }
    }
    _ = await simulation.end()
  }

  /// It keeps the last 500 jobs, but not their documents and pictures; connections leave nothing.
  @Test func `its memory does not grow with jobs and connections`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let raster = person.path("page.pwg")
    let drawn = try await person.airprint(
      "render", try person.document(PageShape.a4.landmarks()), "--paper", "A4", "--resolution",
      "300", "-o", raster)
    #expect(drawn.code == 0, "\(drawn.report)")
    /// Prints this many jobs, up to the one with the number `last`, and returns the memory afterwards, in kB.
    func memory(after jobs: Int, last: Int) async throws -> Int {
      let printed = try await person.bench.run([
        "ipptool", "-q", "-n", "\(jobs)", "-i", "0.001", "-f", raster, "-d",
        "filetype=image/pwg-raster", simulation.uri, "print-job.test",
      ])
      #expect(printed.code == 0, "\(printed.report)")
      let ended = "\(simulation.folder)/laser/job-\(last)/job.json"
      try await eventually("job \(last) has ended") {
        FileManager.default.fileExists(atPath: ended)
      }
      let crowd = try await person.bench.run(["python3", "-c", Self.callers, simulation.port])
      #expect(crowd.stdout == "over\n", "\(crowd.report)")
      return try #require(simulation.program.residentMemory)
    }
    let before = try await memory(after: 20, last: 20)
    let after = try await memory(after: 100, last: 120)
    // A page kept of each job would be 430 MB, the document 3 MB.
    #expect(after - before < 6_000, "\(before) kB, then \(after) kB")
    _ = await simulation.end()
  }

  private static let callers = """
    import socket, sys
    lines = [socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=20) for _ in range(50)]
    for line in lines: line.sendall(b'POST /ipp/print HTTP/1.1\\r\\n')
    for line in lines: line.close()
    print('over')
    """

  /// In a shared folder, others may have made the next job's folder, with links in it to the user's files.
  @Test func `what a stranger has put into its folder is not written to`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let mine = try person.document(Array("mine".utf8), "mine")
    let theirs = "\(simulation.folder)/laser/job-1"
    try FileManager.default.createDirectory(atPath: theirs, withIntermediateDirectories: false)
    for name in ["job.json", "pages.pdf", "page-1.png", "document.urf", "document.pwg"] {
      symlink(mine, "\(theirs)/\(name)")
    }
    let printed = try await person.airprint(
      "print", "-d", simulation.uri, try person.document(PageShape.a5.landmarks()))
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try simulation.job(2, of: "laser").pages == 1)
    #expect(try bytes(of: mine) == Array("mine".utf8))
    _ = await simulation.end()
  }

  private static let canGiveAway: Bool = {
    let path = "\(Scratch.shared.path)/given-folder"
    return mkdir(path, 0o755) == 0 && chown(path, 65_534, 65_534) == 0
  }()

  @Test(.enabled(if: canGiveAway))
  func `73: a printer's folder that is a stranger's`() async throws {
    let person = try await Person.anybody()
    let folder = person.path("pages")
    try FileManager.default.createDirectory(
      atPath: "\(folder)/laser", withIntermediateDirectories: true)
    chown("\(folder)/laser", 65_534, 65_534)
    let refused = try await person.airprint(
      "simulate", "laser", "--port", "0", "--output", folder)
    #expect(refused.code == 73, "\(refused.report)")
    #expect(refused.stderr.contains("laser belongs to another user"), "\(refused.stderr)")
  }

  @Test(.enabled(if: canGiveAway))
  func `73: an output folder that is a stranger's`() async throws {
    let person = try await Person.anybody()
    let folder = person.path("theirs")
    try #require(mkdir(folder, 0o777) == 0 && chmod(folder, 0o777) == 0)
    try #require(chown(folder, 65_534, 65_534) == 0)
    let refused = try await person.airprint(
      "simulate", "laser", "--port", "0", "--output", folder)
    #expect(refused.code == 73, "\(refused.report)")
    #expect(refused.stderr.contains("theirs belongs to another user"), "\(refused.stderr)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func `73: a folder for sockets that others can write`() async throws {
    let person = try await Person.anybody()
    let folder = person.path("airprint")
    try #require(mkdir(folder, 0o777) == 0 && chmod(folder, 0o777) == 0)
    let refused = try await person.airprint(
      "simulate", "laser", "--port", "0", adding: ["XDG_RUNTIME_DIR": person.folder])
    #expect(refused.code == 73, "\(refused.report)")
    #expect(refused.stderr.contains("does not belong to you alone"), "\(refused.stderr)")
  }

  /// The owner of a parent folder may replace the folder.
  @Test func `jobs go into the folder that it began with`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let (laser, gone) = ("\(simulation.folder)/laser", "\(simulation.folder)/gone")
    let elsewhere = person.path("elsewhere")
    try #require(mkdir(elsewhere, 0o755) == 0 && rename(laser, gone) == 0)
    try #require(symlink(elsewhere, laser) == 0)
    for format in ["urf", "pdf"] {
      let printed = try await person.airprint(
        "print", "-d", simulation.uri, "--format", format, try person.document(PDF().bytes))
      #expect(printed.code == 0, "\(printed.report)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    for job in ["job-1", "job-2"] {
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(gone)/\(job)")
      #expect(files.contains("job.json") && files.contains("page-1.png"), "\(files)")
    }
    _ = await simulation.end()
  }

  private static let script = """
    import socket, struct, sys, time
    port = int(sys.argv[1])
    def attr(tag, name, value): return struct.pack('>BH', tag, len(name)) + name + struct.pack('>H', len(value)) + value
    def request(op, *more, user=b'alice', job=b''):
      return (struct.pack('>HHIB', 0x200, op, 1, 1) + attr(0x47, b'attributes-charset', b'utf-8')
        + attr(0x48, b'attributes-natural-language', b'en')
        + attr(0x45, b'printer-uri', b'ipp://localhost:%d/ipp/print' % port)
        + attr(0x42, b'requesting-user-name', user) + b''.join(more) + job + b'\\x03')
    def connect():
      s = socket.create_connection(('127.0.0.1', port), 20)
      s.settimeout(20)
      return s
    def send(body, s=None):
      s = s or connect()
      s.sendall(b'POST /ipp/print HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/ipp\\r\\nContent-Length: %d\\r\\n\\r\\n' % len(body))
      try: s.sendall(body)
      except OSError: pass
      out = b''
      try:
        while b'\\r\\n\\r\\n' not in out or len(out.split(b'\\r\\n\\r\\n', 1)[1]) < 4:
          piece = s.recv(65536)
          if not piece: break
          out += piece
      except OSError: pass
      s.close()
      head, _, rest = out.partition(b'\\r\\n\\r\\n')
      return '%04x' % struct.unpack('>H', rest[2:4]) if b' 200 ' in head[:20] and len(rest) >= 4 else 'no'
    n = 20000
    deep = b'\\x02\\x34\\0\\x04deep\\0\\0' + b'\\x4a\\0\\0\\0\\x01x\\x34\\0\\0\\0\\0' * n + b'\\x37\\0\\0\\0\\0' * (n + 1)
    print('deep', 'refused' if send(request(5, job=deep)) == 'no' else 'taken')
    send(request(5, attr(0x42, b'job-name', b'a')))
    one = attr(0x21, b'job-id', struct.pack('>I', 1))
    print('stranger', send(request(8, one, user=b'mallory')), 'owner', send(request(8, one)))
    def say(line):
      s = socket.create_connection(('127.0.0.1', port), 20)
      s.settimeout(20)
      s.sendall(line + b'\\r\\nHost: x\\r\\n\\r\\n')
      try: return s.recv(100)[9:12].decode() or 'gone'
      except ConnectionError: return 'gone'
      except OSError: return 'nothing'
    print('methods', say(b'BREW /ipp/print HTTP/1.1'), say(b'POST /ipp/print HTTP/9.9'), say(b'GET /'))
    patient = [connect() for _ in range(200)]
    answers = [send(request(11), s) for s in patient]
    print('all of 200 answered' if set(answers) == {'0000'} else answers)
    crowd = []
    for number in range(400):
      s = socket.create_connection(('127.0.0.1', port), 20)
      if number % 2: s.sendall(b'POST /ipp/print HTTP/1.1\\r\\nHost: ')
      crowd.append(s)
    print('beside a crowd', send(request(11)))
    def is_open(s):
      s.setblocking(False)
      try:
        while s.recv(4096) != b'': pass
        return False
      except BlockingIOError: return True
      except OSError: return False
    for _ in range(600):
      count = sum(map(is_open, crowd))
      if count <= 256: break
      time.sleep(0.1)
    print('crowd', 'bounded' if 0 < count <= 256 else count)
    for s in crowd: s.close()
    print('then', send(request(11)))
    """
}
