internal import LateLibraries

/// Opens the network libraries, unless the command with which `arguments` start may not need them: such commands open
/// them on demand.
func loadNetworkLibraries(for arguments: [String]) {
  let light = [
    "__complete", "completion", "-h", "--help", "--help-all", "help",
    "--version", "-V", "status", "render", "preview", "check", "doctor",
    "printers", "default", "forget", "config",
  ]
  guard let first = arguments.first, !light.contains(first), !arguments.contains("--help") else {
    return
  }
  NetworkLibraries.load()
}
