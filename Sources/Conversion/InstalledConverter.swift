package import PrintModel
internal import System

extension Converter {
  /// True when both its program and the program that runs it are on this machine.
  package var isInstalled: Bool {
    ProgramPath.find(program) != nil && ProgramPath.find(command[0]) != nil
  }
}
