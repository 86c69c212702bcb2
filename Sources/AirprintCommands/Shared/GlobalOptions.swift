internal import ArgumentParser

/// Options of every command.
struct GlobalOptions: ParsableArguments {
  @Flag(help: "Write JSON to standard output.")
  var json = false

  @Flag(name: [.short, .long], help: "Print only errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Show what is sent and received, and why.")
  var verbose = false

  init() {}
}
