import AirprintContext
import Testing

/// Apple configuration profiles, and invalid ones.
@Suite struct AirPrintProfileTests {
  private func profile(_ entries: String) -> [UInt8] {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>PayloadContent</key><array>
      <dict><key>PayloadType</key><string>com.apple.wifi.managed</string></dict>
      <dict><key>PayloadType</key><string>com.apple.airprint</string>
      <key>AirPrint</key><array>\(entries)</array></dict></array></dict></plist>
      """
    return Array(text.utf8)
  }

  private func entry(_ members: String) -> String { "<dict>\(members)</dict>" }

  @Test(arguments: [
    (
      "<key>IPAddress</key><string>192.0.2.7</string><key>ResourcePath</key><string>ipp/print</string>",
      "ipp://192.0.2.7/ipp/print"
    ),
    (
      "<key>IPAddress</key><string>print.example.com</string><key>ResourcePath</key>"
        + "<string>/printers/Office</string><key>Port</key><integer>8631</integer><key>ForceTLS</key><true/>",
      "ipps://print.example.com:8631/printers/Office"
    ),
    ("<key>IPAddress</key><string>2001:db8::7</string>", "ipp://[2001:db8::7]/ipp/print"),
    ("<key>IPAddress</key><string>fe80::1%eth0</string>", "ipp://[fe80::1%25eth0]/ipp/print"),
    ("<key>ResourcePath</key><string>ipp/print</string>", nil),
    ("<key>IPAddress</key><string></string>", nil),
    ("<key>IPAddress</key><string>a b</string>", nil),
    ("<key>IPAddress</key><string>evil@192.0.2.7</string>", nil),
    ("<key>IPAddress</key><integer>7</integer>", nil),
    (
      "<key>IPAddress</key><string>h</string><key>Port</key><integer>0</integer>",
      "ipp://h/ipp/print"
    ),
    (
      "<key>IPAddress</key><string>h</string><key>Port</key><string>8631</string>",
      "ipp://h:8631/ipp/print"
    ),
    (
      "<key>IPAddress</key><string> h </string><key>ResourcePath</key><string></string>",
      "ipp://h/ipp/print"
    ),
    (
      "<key>IPAddress</key><string>h</string><key>ResourcePath</key><string>printers/Büro</string>",
      "ipp://h/printers/B%C3%BCro"
    ),
    ("<key>IPAddress</key><string>h</string><key>Port</key><integer>70000</integer>", nil),
    ("<key>IPAddress</key><string>h</string><key>Port</key><string>x</string>", nil),
    (
      "<key>IPAddress</key><string>h</string><key>ResourcePath</key><string>a b</string>",
      "ipp://h/a%20b"
    ),
    ("<key>IPAddress</key><string>h</string><key>ResourcePath</key><string>a\tb</string>", nil),
    ("<key>IPAddress</key><string>:::</string>", nil),
    ("<key>IPAddress</key><string>192.0.2.45:9999</string>", nil),
    ("<key>IPAddress</key><string>fe80::1%eth0</string>", "ipp://[fe80::1%25eth0]/ipp/print"),
    ("<key>IPAddress</key><string>-rf</string>", nil),
    (
      "<key>IPAddress</key><string>h</string><key>ForceTLS</key><integer>1</integer>",
      "ipps://h/ipp/print"
    ),
    (
      "<key>IPAddress</key><string>h</string><key>ForceTLS</key><integer>0</integer>",
      "ipp://h/ipp/print"
    ),
    ("<key>IPAddress</key><string>h</string><key>ForceTLS</key><string>YES</string>", nil),
  ])
  func `a printer of a profile has a URI, or is left out`(_ members: String, _ uri: String?) throws
  {
    #expect(try AirPrintProfile(profile(entry(members))).printers.map(\.uri) == [uri])
  }

  @Test func `one wrong entry does not make the others so`() throws {
    let good = entry("<key>IPAddress</key><string>192.0.2.7</string>")
    let printers = try AirPrintProfile(profile(good + "<string>no</string>" + good)).printers
    #expect(printers.map { $0.uri != nil } == [true, false, true])
    #expect(printers.map { $0.problem == nil } == [true, false, true])
  }

  @Test(arguments: [
    ("", "gives no address"), ("<key>IPAddress</key><string>a b</string>", "IPAddress"),
    ("<key>IPAddress</key><string>h</string><key>Port</key><integer>-1</integer>", "Port"),
    ("<key>IPAddress</key><string>h</string><key>ForceTLS</key><string>no</string>", "ForceTLS"),
    (
      "<key>IPAddress</key><string>h</string><key>ResourcePath</key><string>a\tb</string>",
      "ResourcePath"
    ),
  ])
  func `what is wrong with a printer is said`(_ members: String, _ word: String) throws {
    let printer = try #require(try AirPrintProfile(profile(entry(members))).printers.first)
    #expect(printer.problem?.contains(word) == true, "\(printer)")
  }

  /// Shapes in which management systems export a profile.
  @Test(arguments: [
    "<dict><key>PayloadType</key><string>com.apple.airprint</string>LIST</dict>",
    """
    <dict><key>PayloadContent</key><dict><key>PayloadType</key><string>com.apple.airprint</string>LIST</dict></dict>
    """,
    """
    <dict><key>PayloadContent</key><array><dict><key>PayloadType</key><string>Configuration</string>
    <key>PayloadContent</key><array><dict><key>PayloadType</key><string>com.apple.airprint</string>LIST</dict></array>
    </dict></array></dict>
    """,
    """
    <dict><key>PayloadContent</key><array><dict><key>PayloadType</key><string>com.apple.airprint</string>
    <key>PayloadContent</key><dict>LIST</dict></dict></array></dict>
    """,
    """
    <?xml version="1.0" encoding="ISO-8859-1"?><dict><!-- <dict> the old <array> --><key>PayloadContent</key><array>
    <dict><key>PayloadType</key><string>com.apple.airprint</string>LIST</dict></array></dict>
    """,
  ])
  func `a list is found wherever it is`(_ shape: String) throws {
    let list =
      "<key>AirPrint</key><array><dict><key>IPAddress</key><string>h</string></dict></array>"
    let text =
      shape.replacing("LIST", with: list)
      .replacing("<dict>", with: "<plist version=\"1.0\"><dict>", maxReplacements: 1) + "</plist>"
    #expect(try AirPrintProfile(Array(text.utf8)).printers.map(\.uri) == ["ipp://h/ipp/print"])
  }

  @Test func `lists that end where they begin are not nested`() throws {
    let empty = String(repeating: "<key>a</key><array/>", count: 40)
    let good = entry("<key>IPAddress</key><string>192.0.2.7</string>\(empty)")
    #expect(try AirPrintProfile(profile(good)).printers.map { $0.uri != nil } == [true])
  }

  @Test func `more printers than are taken are no silent thousand`() throws {
    let good = entry("<key>IPAddress</key><string>192.0.2.7</string>")
    let thousand = String(repeating: good, count: AirPrintProfile.maximumPrinters)
    #expect(try AirPrintProfile(profile(thousand)).printers.count == 1_000)
    let problem = #expect(throws: ProfileProblem.self) {
      try AirPrintProfile(profile(thousand + good))
    }
    #expect(problem?.words.contains("more than 1000 printers") == true)
  }

  @Test(arguments: [
    ("", "not a property list"), ("<html>Sign in</html>", "not a property list"),
    ("<plist><dict/></plist>", "not a property list"), ("<plist><dict>", "not a property list"),
    (
      "<plist><dict><key>PayloadContent</key><array/></dict></plist>",
      "without a com.apple.airprint"
    ),
    ("bplist00", "binary"), ("0\u{1}", "signed"), ("-----BEGIN PKCS7-----", "signed"),
    (String(repeating: "<array>", count: 100_000), "too deeply"),
    (
      "<!-- " + String(repeating: "</array", count: 20_000) + " -->"
        + String(repeating: "<array>", count: 20_000), "too deeply"
    ),
    ("<plist><!-- <dict> --></plist>", "not a property list"), ("<plist a='<'>", "remove these"),
    ("<!DOCTYPE plist [<!ENTITY a 'b'>]><plist/>", "remove these"),
    ("<plist><!-- ", "in the middle of a tag"), ("<plist><![CDATA[<array>]]>", "remove these"),
  ])
  func `what is no profile is said`(_ text: String, _ words: String) {
    let problem = #expect(throws: ProfileProblem.self) { try AirPrintProfile(Array(text.utf8)) }
    #expect(problem?.words.contains(words) == true, "\(String(describing: problem))")
  }

  @Test func `text that is not UTF-8 is refused, whatever it says about itself`() {
    let bytes = Array("<?xml version='1.0' encoding='ISO-8859-1'?><plist>".utf8) + [0xFC]
    let problem = #expect(throws: ProfileProblem.self) { try AirPrintProfile(bytes) }
    #expect(problem?.words.contains("UTF-8") == true)
  }
}
