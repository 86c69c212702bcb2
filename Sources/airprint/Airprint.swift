import AirprintCommands
import Glibc

/// The program: everything is elsewhere.
@main
struct Main {
  static func main() async {
    exit(await run(Array(CommandLine.arguments.dropFirst())))
  }
}
