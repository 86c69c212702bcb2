internal import AirprintContext
internal import ArgumentParser

/// `airprint completion`.
struct CompletionCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Write the function that completes airprint's commands in your shell.",
    usage: "airprint completion bash|zsh|fish",
    discussion: """
        source <(airprint completion bash)
        airprint completion zsh > ~/.zfunc/_airprint
        airprint completion fish | source
      """)

  @Argument(help: "The shell: bash, zsh or fish.")
  var shell: CompletingShell

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    if output.isJSON { return try output.json(["script": shell.script + "\n"]) }
    for line in shell.script.split(separator: "\n") { try output.line(String(line)) }
  }
}
