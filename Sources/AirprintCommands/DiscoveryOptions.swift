internal import AirprintKit
internal import ArgumentParser
internal import PrintModel

/// The filters of `discover` and `pick`; all must hold.
struct DiscoveryOptions: ParsableArguments {
  @Flag(help: "Only printers that print colour.")
  var colorOnly = false

  @Flag(help: "Only printers that print on both sides.")
  var duplexOnly = false

  @Option(
    help: ArgumentHelp("Only printers that read this media type.", valueName: "media-type"))
  var format: [String] = []

  @Option(help: ArgumentHelp("Only names like this (*, ?, […]).", valueName: "pattern"))
  var name: String?

  @Option(help: ArgumentHelp("Only models like this.", valueName: "pattern"))
  var model: String?

  @Option(help: ArgumentHelp("Only locations like this.", valueName: "pattern"))
  var location: String?

  @Option(help: ArgumentHelp("Where to look; usually local.", valueName: "domain"))
  var domain: String?

  @Option(
    help: ArgumentHelp("The longest time that the search takes; usually 5.", valueName: "seconds"))
  var timeout: Double?

  @Flag(help: "Also printers that read no format that airprint writes.")
  var all = false

  func wish(_ types: [JobType]) throws(Failure) -> DiscoveryWish {
    var wish = DiscoveryWish()
    wish.types = types
    wish.colorOnly = colorOnly
    wish.duplexOnly = duplexOnly
    wish.formats = format
    wish.name = name
    wish.model = model
    wish.location = location
    wish.domain = domain
    wish.includesAll = all
    if let timeout {
      guard timeout > 0, timeout <= 3_600 else {
        throw Failure(.usage, "--timeout \(timeout): takes seconds, more than 0, at most 3600.")
      }
      wish.timeout = .milliseconds(Int(timeout * 1000))
    }
    return wish
  }
}
