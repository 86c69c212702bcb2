import FoundationEssentials
import TestSupport
import Testing

/// The udev rule of docs/linux.md, run by udev itself, for printers that umockdev emulates.
@Suite struct UdevTests {
  /// The rule's folder in the checkout.
  private let rules =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path + "/systemd/examples"

  /// The interfaces of a device: class, subclass, protocol.
  enum Device: CaseIterable {
    /// Old USB printing, and IPP over USB in addition.
    case printer
    case oldPrinter
    case disk

    var interfaces: [[UInt8]] {
      switch self {
      case .printer: [[7, 1, 2], [7, 1, 4]]
      case .oldPrinter: [[7, 1, 2]]
      case .disk: [[8, 6, 0x50]]
      }
    }
  }

  @Test(.needsNamespaces, arguments: Device.allCases)
  func `whoever is logged in hears of a printer that speaks IPP over USB, and of nothing else`(
    _ device: Device
  ) async throws {
    let person = try await Person.anybody()
    let file = person.path("device")
    try Array(Self.description(device.interfaces).utf8).write(to: file)
    let script = """
      mount --make-rprivate / && mount -t tmpfs tmpfs /run && mount --bind "$1" /etc/udev/rules.d &&
      exec umockdev-run --device="$2" -- udevadm test --action=add /sys/devices/usb1/1-1
      """
    let outcome = try await person.bench.run(
      Namespaces.available.unshare("--mount", "--net") + ["sh", "-c", script, "sh", rules, file])
    #expect(outcome.code == 0, "\(outcome.report)")
    // Newer versions indent their output.
    let lines = (outcome.stdout + outcome.stderr).split(separator: "\n")
      .map { $0.drop { $0 == " " } }
    let names = device.interfaces.map { $0.map { String($0, radix: 16).leftPadded }.joined() }
    let known = lines.first { $0.hasPrefix("ID_USB_INTERFACES=") }
    #expect(known == "ID_USB_INTERFACES=:\(names.joined(separator: ":")):")
    let wanted = lines.first { $0.hasPrefix("SYSTEMD_USER_WANTS=") }
    #expect((wanted?.contains("airprint-plugged.service") == true) == (device == .printer))
  }

  /// Returns a device in umockdev's format, with its USB descriptors (USB 2.0 §9.6).
  private static func description(_ interfaces: [[UInt8]]) -> String {
    let device: [UInt8] = [18, 1, 0, 2, 0, 0, 0, 64, 0xF0, 0x03, 0x34, 0x12, 0, 1, 1, 2, 3, 1]
    let count = UInt8(interfaces.count)
    let configuration: [UInt8] = [9, 2, 9 + 16 * count, 0, count, 1, 0, 0xC0, 1]
    var bytes = device + configuration
    for (number, interface) in interfaces.enumerated() {
      bytes += [9, 4, UInt8(number), 0, 1]
      bytes += interface + [0]
      // A bulk OUT endpoint.
      bytes += [7, 5, 1, 2, 0, 2, 0]
    }
    let descriptors = bytes.map { String($0, radix: 16).leftPadded }.joined()
    return """
      P: /devices/usb1/1-1
      N: bus/usb/001/002
      E: SUBSYSTEM=usb
      E: DEVTYPE=usb_device
      E: DEVNAME=bus/usb/001/002
      A: bDeviceClass=00\\n
      A: idVendor=03f0\\n
      A: idProduct=1234\\n
      H: descriptors=\(descriptors)

      """
  }
}

extension String {
  /// The text, padded to two digits.
  fileprivate var leftPadded: String { count < 2 ? "0" + self : self }
}
