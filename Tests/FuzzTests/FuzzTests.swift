import FoundationEssentials
import FuzzTargets
import TestSupport
import Testing
import System

/// The fuzz targets on their corpus and a few thousand mutations of it, the same in every run.
///
/// A broken promise or a trap ends the test process with the promise's message; `make fuzz` searches longer.
/// One after another: the targets share the files of one workplace.
@Suite(.serialized) struct FuzzTests {
  private static let folder =
    #filePath.split(separator: "/").dropLast(2).reduce(into: "") { $0 += "/\($1)" }
    + "/FuzzTargets/Corpus"

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `nothing that comes breaks a promise`(_ name: String) async throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let files = FileManager.default
    let place = "\(Self.folder)/\(name)"
    let seeds = try files.contentsOfDirectory(atPath: place).sorted().map {
      try Array(#require(files.contents(atPath: "\(place)/\($0)")))
    }
    #expect(seeds.count >= 5, "\(name) has no corpus")
    // The threads of the pool are for tests that wait.
    await onThread {
      for seed in seeds { target.run(seed) }
      var mutator = Mutator(seeds: seeds)
      for _ in 0..<1_000 { target.run(mutator.next()) }
    }
  }

  @Test func `every folder of the corpus has its target`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
  }
}
