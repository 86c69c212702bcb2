import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Changes of the wall clock during a job: by resume from suspend, by NTP, by a person.
@Suite(.inTurn) struct ClockTests {
  @Test(arguments: [3_650, -3_650])
  func `a clock that jumps ends no wait, and loses no job`(_ days: Int) async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--fault", "media-empty@1")
    let clock = try await ShiftedClock(person)
    let faked = clock.environment
    let document = try person.document(PageShape.a5.landmarks())
    let printing = try person.bench.start(
      [
        "airprint", "print", "-d", simulation.uri, "--timeout", "60", "--resolution", "300",
        document,
      ], adding: person.variables.merging(faked) { $1 })
    try await printing.wait(for: "out of paper")
    try clock.shift(by: days)
    // This is long enough for several polls of the printer.
    try await Task.sleep(for: .seconds(3))
    let waiting = try await person.airprint("jobs", "--json", adding: faked)
    #expect(try waiting.json.array?.count == 1, "\(waiting.report)")
    let cleared = try await person.airprint("simulate", "clear", simulation.name, "media-empty")
    #expect(cleared.code == 0, "\(cleared.report)")
    let printed = await printing.end()
    #expect(printed.code == 0, "\(printed.report)")
    let jobs = try await person.airprint("jobs", "--json")
    #expect(try jobs.json.array?.map(\.state) == [.string("completed")], "\(jobs.report)")
    _ = await simulation.end()
  }
}

/// The machine's wall clock for one program, shifted by some days.
///
/// A library that is loaded before the C library provides it; monotonic clocks are unchanged.
private struct ShiftedClock {
  private let file: String
  private let library: String

  private static let source = """
    #define _GNU_SOURCE
    #include <stdio.h>
    #include <sys/syscall.h>
    #include <sys/time.h>
    #include <time.h>
    #include <unistd.h>
    static long shift(void) {
      long days = 0;
      FILE *file = fopen(SHIFT, "r");
      if (file) { if (fscanf(file, "%ld", &days) != 1) days = 0; fclose(file); }
      return days * 86400;
    }
    int clock_gettime(clockid_t clock, struct timespec *now) {
      int result = syscall(SYS_clock_gettime, clock, now);
      if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += shift();
      return result;
    }
    time_t time(time_t *seconds) {
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      if (seconds) *seconds = now.tv_sec;
      return now.tv_sec;
    }
    int gettimeofday(struct timeval *restrict now, void *restrict zone) {
      struct timespec exact;
      clock_gettime(CLOCK_REALTIME, &exact);
      now->tv_sec = exact.tv_sec;
      now->tv_usec = exact.tv_nsec / 1000;
      return 0;
    }
    """

  init(_ person: Person) async throws {
    file = person.path("days")
    library = person.path("clock.so")
    let source = person.path("clock.c")
    try Array(ShiftedClock.source.utf8).write(to: source)
    let made = try await person.bench.run([
      cCompiler, "-shared", "-fPIC", "-DSHIFT=\"\(file)\"", source, "-o", library,
    ])
    guard made.code == 0 else { throw Missing("a clock: \(made.report)") }
  }

  var environment: [String: String] { ["LD_PRELOAD": library] }

  func shift(by days: Int) throws { try Array("\(days)\n".utf8).write(to: file) }
}
