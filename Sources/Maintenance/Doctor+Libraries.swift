internal import AirprintContext
internal import Desktop
internal import Documents
internal import Glibc
internal import IPP
internal import LateLibraries
internal import System

/// The network libraries of the build, in the format of `--version`: `libcups/2.4.2 GnuTLS/3.7.9`.
///
/// What this machine has is `doctor`'s to report: asking the libraries means loading them.
package var libraryVersions: String {
  "libcups/\(builtCUPSVersion) GnuTLS/\(builtGnuTLSVersion)"
}

/// Checks the libraries that airprint uses, with their versions; this loads the graphics libraries.
func checkLibraries() -> [HealthCheck] {
  (inspectedNetworkLibraries() + GraphicsLibraries.inspected()).map(check) + [checkPopplerData()]
}

private func check(_ library: InspectedLibrary) -> HealthCheck {
  if let trouble = library.trouble {
    return HealthCheck(
      "libraries", library.name, .missing, isOptional: false, trouble,
      fix: library.culprit.flatMap(LibraryPackage.command))
  }
  let built = library.built.map { "built with \($0)" }
  let version = library.version.map { version in built.map { "\(version) (\($0))" } ?? version }
  return HealthCheck(
    "libraries", library.name, .ok, isOptional: false,
    [version ?? built, library.purpose].compactMap(\.self).joined(separator: ": "))
}

/// Checks for poppler-data, without which text in fonts that a PDF does not embed is left out, in Chinese, Japanese and
/// Korean.
private func checkPopplerData() -> HealthCheck {
  access("/usr/share/poppler/cMap", F_OK) == 0
    ? HealthCheck("libraries", "poppler-data", .ok, "East Asian text in PDF")
    : HealthCheck(
      "libraries", "poppler-data", .missing, "some East Asian text in PDF is left out",
      fix: installCommand("poppler-data"))
}

/// Checks other programs that airprint uses on a desktop.
func checkHelpers(_ context: Context) -> [HealthCheck] {
  let desktop = DesktopNotice.command("", "", context.environment) != nil
  let notices =
    ProgramPath.find("notify-send") == nil
    ? HealthCheck(
      "desktop", "notify-send", .missing, "there are no desktop notifications",
      fix: installCommand("libnotify-bin"))
    : HealthCheck(
      "desktop", "notify-send", .ok,
      desktop ? "shows how jobs ended (--notify)" : "not needed: there is no desktop session")
  let usb =
    ["/usr/sbin/ipp-usb", "/sbin/ipp-usb"].contains { ProgramPath.isProgram($0) }
    ? HealthCheck("desktop", "ipp-usb", .ok, "USB printers supported")
    : HealthCheck(
      "desktop", "ipp-usb", .missing, "USB printers are not found",
      fix: installCommand("ipp-usb"))
  return [notices, usb]
}
