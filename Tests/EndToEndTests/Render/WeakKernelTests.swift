import FoundationEssentials
import TestSupport
import Testing

/// A kernel with fewer sandbox features: workers use those that exist, documents are drawn, and `doctor` reports
/// which are missing.
@Suite struct WeakKernelTests {
  @Test(arguments: [
    (["landlock"], ["Landlock"]), (["seccomp"], ["seccomp"]),
    (["landlock", "seccomp"], ["Landlock", "seccomp"]),
  ])
  func `what the kernel has not is told, and not needed`(
    _ missing: [String], _ names: [String]
  ) async throws {
    let person = try await Person.anybody()
    let drawn = try await airprint(
      person, without: missing, "preview", "-o", "-", try person.document(PDF().bytes))
    #expect(drawn.code == 0, "\(drawn.report)")
    #expect(drawn.output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let broken = try person.document(Array("%PDF-1.4 and no more".utf8), "broken.pdf")
    #expect(try await airprint(person, without: missing, "check", broken).code == 65)
    let doctor = try await airprint(person, without: missing, "doctor", "--json")
    let walls = try doctor.json.checks?.array?.filter { $0.area == .string("sandbox") } ?? []
    for wall in ["Landlock", "seccomp"] {
      let found = walls.first { $0.name == .string(wall) }
      let expected = names.contains(wall) ? "missing" : "ok"
      #expect(found?.state == .string(expected), "\(wall): \(doctor.report)")
      // No package gives the kernel what it lacks.
      #expect(found?.fix == .null, "\(wall): \(doctor.report)")
    }
  }

  /// Some containers forbid namespaces, which bubblewrap needs.
  @Test func `a converter that runs without a sandbox is told, and refused with --strict`()
    async throws
  {
    let person = try await Person.anybody()
    let page = try person.document(Array("<!doctype html><p>Page".utf8), "page.html")
    for (option, code) in [("--no-printer", 0), ("--strict", 65)] as [(String, Int32)] {
      let drawn = try await airprint(
        person, without: ["namespaces"], "preview", option, "-o", "-", page)
      #expect(drawn.code == code, "\(drawn.report)")
      #expect(drawn.stderr.contains("ran without a sandbox"), "\(drawn.report)")
      #expect(drawn.output.isEmpty == (code != 0))
    }
  }

  /// Runs airprint with a filter under which these calls do not exist.
  private func airprint(
    _ person: Person, without missing: [String], _ arguments: String...
  ) async throws -> Outcome {
    try await person.bench.run(
      ["python3", "-c", Self.script, missing.joined(separator: ","), try locate("airprint")]
        + arguments, adding: person.variables)
  }

  /// Lets landlock_create_ruleset(2) fail with ENOSYS, and seccomp(2) and prctl(PR_SET_SECCOMP) with EINVAL, as on
  /// kernels without them; clone(2) of a namespace of mounts with EPERM.
  private static let script = """
    import ctypes, os, sys
    library = ctypes.CDLL('libseccomp.so.2')
    library.seccomp_init.restype = ctypes.c_void_p
    class Compare(ctypes.Structure):
      _fields_ = [('argument', ctypes.c_uint), ('is', ctypes.c_int),
        ('one', ctypes.c_uint64), ('other', ctypes.c_uint64)]
    ALLOW, ERRNO, EQUAL, PR_SET_SECCOMP = 0x7fff0000, 0x00050000, 4, 22
    MASKED_EQUAL, CLONE_NEWNS = 7, 0x20000
    wall = ctypes.c_void_p(library.seccomp_init(ALLOW))
    def forbid(call, error, *conditions):
      number = library.seccomp_syscall_resolve_name(call)
      array = (Compare * len(conditions))(*conditions)
      if library.seccomp_rule_add_array(wall, ERRNO | error, number, len(conditions), array):
        sys.exit(3)
    missing = sys.argv[1].split(',')
    if 'landlock' in missing: forbid(b'landlock_create_ruleset', 38)
    if 'seccomp' in missing:
      forbid(b'seccomp', 22)
      forbid(b'prctl', 22, Compare(0, EQUAL, PR_SET_SECCOMP, 0))
    if 'namespaces' in missing:
      forbid(b'clone', 1, Compare(0, MASKED_EQUAL, CLONE_NEWNS, CLONE_NEWNS))
    if library.seccomp_load(wall): sys.exit(3)
    os.execv(sys.argv[2], sys.argv[2:])
    """
}
