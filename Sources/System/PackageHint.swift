/// Returns the command that installs packages, named as in Debian; nil on a system without apt, where names differ.
package func installCommand(_ packages: String) -> String? {
  hasAPT ? "apt install \(packages)" : nil
}

/// Returns how to install packages, as a part of a sentence.
package func installing(_ packages: String) -> String {
  installCommand(packages) ?? "install what Debian calls \(packages)"
}

private let hasAPT = ProgramPath.find("apt-get") != nil
