import AirprintContext
import PrintModel
import Testing

@testable import Printing

/// The path from a media type to a drawable format, through one or several converters.
@Suite struct ConverterChainTests {
  private func chain(from type: String, _ files: [String: String]) throws -> [String]? {
    let place = try Place()
    for (name, text) in files {
      _ = try place.write(text, to: ".config/airprint/converters/\(name).toml")
    }
    return ConverterChain(from: type, in: try place.context.settings.converters())?.steps.map(
      \.name)
  }

  private func converter(_ from: String, to: String? = nil, by program: String = "sh") -> String {
    (to.map { "output = \"application/x-\($0)\"\n" } ?? "") + """
      command = ["\(program)", "{input}", "{output}"]
      [types]
      "application/x-\(from)" = [".\(from)"]

      """
  }

  @Test func `one step is enough`() throws {
    #expect(try chain(from: "application/x-a", ["one": converter("a")]) == ["one"])
  }

  @Test func `several steps follow each other`() throws {
    let files = [
      "one": converter("a", to: "b"), "two": converter("b", to: "c"), "three": converter("c"),
    ]
    #expect(try chain(from: "application/x-a", files) == ["one", "two", "three"])
    #expect(try chain(from: "application/x-b", files) == ["two", "three"])
  }

  @Test func `a way that is installed is taken before one that is not`() throws {
    let files = [
      "a-missing": converter("a", by: "no-such-program-at-all"), "z-there": converter("a"),
    ]
    #expect(try chain(from: "application/x-a", files) == ["z-there"])
    #expect(
      try chain(from: "application/x-a", ["a-missing": files["a-missing"] ?? ""]) == ["a-missing"])
  }

  @Test func `more than three steps, a circle, and a type that nobody reads lead nowhere`() throws {
    let circle = ["there": converter("a", to: "b"), "back": converter("b", to: "a")]
    #expect(try chain(from: "application/x-a", circle) == nil)
    let four = [
      "one": converter("a", to: "b"), "two": converter("b", to: "c"),
      "three": converter("c", to: "d"),
      "four": converter("d"),
    ]
    #expect(try chain(from: "application/x-a", four) == nil)
    #expect(try chain(from: "application/x-z", [:]) == nil)
  }

  @Test func `what is missing is said with what installs it`() throws {
    let place = try Place()
    let missing = "package = \"x-tools\"\n" + converter("b", by: "no-such-program-at-all")
    for (name, text) in ["one": converter("a", to: "b"), "two": missing] {
      _ = try place.write(text, to: ".config/airprint/converters/\(name).toml")
    }
    let converters = try place.context.settings.converters()
    let chain = try #require(ConverterChain(from: "application/x-a", in: converters))
    #expect(
      chain.inWords
        == "sh, then no-such-program-at-all (not installed: apt install x-tools)")
    #expect(!chain.namesPaper)
  }

  @Test func `a chain waits for the paper if one of its steps names it`() throws {
    let place = try Place()
    let wide = converter("b").replacing("\"{output}\"", with: "\"{output}\", \"{width}\"")
    for (name, text) in ["one": converter("a", to: "b"), "two": wide] {
      _ = try place.write(text, to: ".config/airprint/converters/\(name).toml")
    }
    let converters = try place.context.settings.converters()
    #expect(ConverterChain(from: "application/x-a", in: converters)?.namesPaper == true)
  }
}
