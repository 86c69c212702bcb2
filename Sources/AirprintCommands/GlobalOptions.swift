internal import ArgumentParser

/// What every command takes.
struct GlobalOptions: ParsableArguments {
  @Flag(help: "Write JSON to standard output, and nothing else there.")
  var json = false

  @Flag(name: [.short, .long], help: "Say nothing but errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Say what is sent and answered, and why.")
  var verbose = false

  init() {}
}
