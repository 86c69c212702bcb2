package import PrintModel
internal import System

extension Converter {
  /// True when its program and what runs that are on this machine.
  package var isInstalled: Bool {
    ProgramPath.find(program) != nil && ProgramPath.find(command[0]) != nil
  }
}
