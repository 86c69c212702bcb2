internal import ArgumentParser

/// What every command takes.
struct GlobalOptions: ParsableArguments {
  @Flag(help: "Give data as JSON on standard output, and nothing else there.")
  var json = false

  @Flag(name: [.short, .long], help: "Say nothing but errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Say more about what happens.")
  var verbose = false

  init() {}
}
