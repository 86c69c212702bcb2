import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// pyipp, the IPP client of Python programs (Home Assistant), which is not our code.
@Suite(.inTurn) struct PythonClientTests {
  private static let python =
    #filePath.split(separator: "/").dropLast(4)
    .reduce(into: "") { $0 += "/\($1)" } + "/.build/python/bin/python"
  private static let isMade = access(python.replacing("bin/python", with: "made"), F_OK) == 0

  @Test(.enabled(if: isMade, "pyipp: make deps, where PyPI is in reach"))
  func `pyipp knows every profile, and prints on it`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("all")
    let picture = try person.document(try Picture(width: 80, height: 20).jpeg(), "line.jpg")
    let uris = simulation.printers.compactMap(\.uri?.string)
    #expect(uris.count >= 10, "\(simulation.printers)")
    let asked = try await person.bench.run(
      [Self.python, "-c", Self.script, picture] + uris, adding: person.variables)
    #expect(asked.code == 0, "\(asked.report)")
    let rows = asked.stdout.split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
    try #require(rows.count == uris.count, "\(asked.report)")
    for (row, printer) in zip(rows, simulation.printers) {
      let uri = printer.uri?.string ?? ""
      #expect(row[0].hasPrefix("Simulated ") || row[0] == "Save Original", "\(row)")
      #expect(row[1] == "idle" && row[2].contains(uri), "\(row)")
      #expect(row[3] == "URF,PWGRaster,JPEG,PDF" || row[3].hasPrefix("PDF,"), "\(row)")
      #expect(row[4] == "COMPLETED snake", "\(row)")
      let name = printer.profile?.string ?? ""
      #expect(try simulation.job(1, of: name).pages == 1, "\(name)")
    }
    _ = await simulation.end()
  }

  private static let script = """
    import asyncio, sys
    from pyipp import IPP
    from pyipp.enums import IppOperation

    async def prints(uri, picture):
      async with IPP(host=uri, request_timeout=600) as client:
        printer = await client.printer()
        async def ask(operation, attributes, **more):
          answer = await client.execute(operation, {"operation-attributes-tag": attributes, **more})
          return answer["jobs"][0]
        job = await ask(IppOperation.PRINT_JOB,
          {"job-name": "snake", "document-format": "image/jpeg"}, data=picture)
        while job["job-state"] < 7:
          await asyncio.sleep(0.1)
          job = await ask(IppOperation.GET_JOB_ATTRIBUTES, {"job-id": job["job-id"],
            "requested-attributes": ["job-id", "job-state", "job-name"]})
        return printer, job

    for uri in sys.argv[2:]:
      printer, job = asyncio.run(prints(uri, open(sys.argv[1], "rb").read()))
      print(printer.info.model, printer.state.printer_state, [str(one.uri) for one in printer.uris],
        printer.info.command_set, job["job-state"].name + " " + job.get("job-name", "snake"), sep="|")
    """
}
