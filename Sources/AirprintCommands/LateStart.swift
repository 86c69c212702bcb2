internal import LateLibraries

/// Opens the libraries that speak to printers, unless the command that `arguments` begin with may well do without:
/// those open them when they turn out to be needed.
func loadNetworkLibraries(for arguments: [String]) {
  let light = [
    "---completion", "--generate-completion-script", "-h", "--help", "--help-all", "help", "status",
    "render", "preview", "check", "doctor",
  ]
  guard let first = arguments.first, !light.contains(first) else { return }
  NetworkLibraries.load()
}
