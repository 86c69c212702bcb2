import Capability
import Negotiation
import PrintModel
import PrintOptions
import Testing

/// Collections by `-o`: their members are typed, and only what the printer lists is sent.
@Suite struct CollectionTests {
  private static let printer = """
    ATTR keyword job-creation-attributes-supported "media-col","job-sheets-col","overrides","job-sheets"
    ATTR keyword job-sheets-col-supported "job-sheets","media"
    ATTR keyword job-sheets-supported "none","standard"
    ATTR keyword media-supported "iso_a4_210x297mm"
    ATTR keyword media-ready "iso_a4_210x297mm"
    ATTR keyword media-col-supported "media-size","media-top-offset"
    ATTR rangeOfInteger media-top-offset-supported -500-500
    ATTR keyword overrides-supported "pages","sides"
    ATTR keyword sides-supported "one-sided","two-sided-long-edge"
    ATTR keyword document-format-supported "image/urf"
    ATTR keyword urf-supported "W8","RS300"
    """

  private func job(_ options: String...) throws -> AttributeSet {
    let printer = Capabilities(
      reading: AttributeSet(try AttributeFile.attributes(of: Self.printer)))
    var request = PrintRequest()
    for option in options { try PrintOption.option.apply(option, to: &request) }
    let ticket = try negotiate(request, document: Sample.a4.info, with: printer, region: .a4)
    return AttributeSet(ticket.attributes)
  }

  @Test(arguments: [
    ["job-sheets-col.job-sheets=standard", "job-sheets-col.media=iso_a4_210x297mm"],
    [#"job-sheets-col={"job-sheets": "standard", "media": "iso_a4_210x297mm"}"#],
  ])
  func `members by their names, and as JSON`(_ options: [String]) throws {
    let sheets = try options.count == 1 ? job(options[0]) : job(options[0], options[1])
    #expect(
      sheets["job-sheets-col"]?.values == [
        .collection([
          Attribute("job-sheets", .keyword("standard")),
          Attribute("media", .keyword("iso_a4_210x297mm")),
        ])
      ])
  }

  @Test(arguments: ["printer-uri=ipp://localhost/ipp/print", "operations=2", "charset=utf-8"])
  func `what a printer lists of itself is no attribute of a job`(_ option: String) {
    let failure = #expect(throws: Failure.self) { try job(option) }
    #expect(failure?.code == .usage && failure?.message.contains("no attribute of a job") == true)
  }

  @Test func `a medium's members are beside its size`() throws {
    let column = try #require(
      try job("media-col.media-top-offset=-200").collections("media-col").first)
    #expect(column.number("media-top-offset") == -200 && column["media-size"] != nil)
  }

  @Test func `several collections, each with numbers of pages`() throws {
    let overrides = try job(
      #"overrides=[{"pages":"1-2","sides":"one-sided"},{"pages":[4,"6-7"],"sides":"two-sided-long-edge"}]"#
    )
    #expect(
      overrides.collections("overrides").map { $0["pages"]?.values } == [
        [.range(1...2)], [.range(4...4), .range(6...7)],
      ])
  }

  @Test(arguments: [
    ("job-sheets-col.job-sheets=secret", "none or standard"),
    ("job-sheets-col.color=red", "job-sheets or media"),
    (#"job-sheets-col={"job-sheets":"secret"}"#, "none or standard"),
    ("media-col.media-top-offset=501", "-500 to 500"),
    ("separator-sheets.media=x", "job attribute"),
    ("job-sheets-col={job-sheets=none}", "JSON"),
    ("job-sheets=none,standard", "none or standard"),
  ])
  func `what the printer does not list is not sent`(_ option: String, _ words: String) {
    let failure = #expect(throws: Failure.self) { try job(option) }
    #expect(failure?.code == .usage)
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }
}
