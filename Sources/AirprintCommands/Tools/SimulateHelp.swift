internal import Terminal
internal import VirtualPrinters

/// Help for the words that `simulate` accepts instead of a profile.
enum SimulateHelp {
  private static let texts: [String: (usage: String, does: String, examples: [String])] = [
    "load": (
      "load <name> <tray=paper> ...", "Load paper into trays of a simulated printer.",
      ["load \"Sim Laser\" main=legal", "load Till main-roll=80mm", "load Till main-roll=none"]
    ),
    "supply": (
      "supply <name> <color=level> ...",
      "Set the levels of a simulated printer's supplies, in percent.",
      ["supply \"Sim Laser\" black=4"]
    ),
    "fault": (
      "fault <name> <fault> ...", "Cause faults in a simulated printer, now or at a page.",
      ["fault \"Sim Laser\" cover-open", "fault \"Sim Laser\" media-empty@3"]
    ),
    "clear": (
      "clear <name> [<fault> ...]",
      "Remove faults from a simulated printer: those that are named, or all.",
      ["clear \"Sim Laser\""]
    ),
    "pin": (
      "pin <name> <pin>", "Type the PIN that a job on a simulated printer waits for.",
      ["pin \"Sim Laser\" 4711"]
    ),
    "list": ("list [--json]", "List the printers that are being simulated.", ["list"]),
  ]

  /// Returns the help; nil if the arguments do not request one of these.
  static func text(for arguments: [String]) -> String? {
    guard arguments.count > 2, arguments[0] == "simulate", let text = texts[arguments[1]],
      arguments.dropFirst(2).contains(where: Airprint.helpOptions.contains)
    else { return nil }
    let faults =
      arguments[1] == "fault"
      ? ["", "Faults:"]
        + faultNames.joined(separator: ", ").wrapped(to: 80, first: 2, rest: 2).map { "  \($0)" }
        + [""]
      : [""]
    return """
      \(text.does)

      \(text.examples.map { "  airprint simulate \($0)" }.joined(separator: "\n"))

      USAGE: airprint simulate \(text.usage)
      \(faults.joined(separator: "\n"))
      airprint-simulate(1) has the rest.

      """
  }
}
