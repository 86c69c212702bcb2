import PrintModel
import Testing
import PrintOptions

@Suite struct StampTests {
  private func stamp(_ text: String) -> Stamp { Stamp(text, isBelow: false) }

  @Test(arguments: [
    ("logo.png", "logo.png"), ("logo.png@page=1", "logo.png"),
    ("a,b@c.pdf@page=odd,opacity=0.5", "a,b@c.pdf"), ("logo.png,opacity=0.5", "logo.png"),
    ("me@home.png", "me@home.png"), ("me@page=one.png", "me@page=one.png"),
    // The last @ that is followed by a valid list of options.
    ("x@page=1@page=2", "x@page=1"), ("x,rect=1,2,3,4@page=1-", "x,rect=1,2,3,4"),
    ("x@page=1,opacity=9@rotate=45", "x@page=1,opacity=9"),
    ("text:PAID@page=last", "text:PAID"), ("text:a, b@c", "text:a, b@c"),
    ("./none@rect=0,0,10,10,page=1,3-", "./none"),
  ])
  func `a file's name may hold what divides options`(_ text: String, _ name: String) {
    #expect(stamp(text).name == name)
  }

  @Test func `every option`() {
    let stamp = stamp("a.pdf@page=1,3-,rect=-5,20.5,10mm,50,opacity=0.3,rotate=-45")
    #expect(stamp.source == .file("a.pdf"))
    #expect(stamp.pages.words == "pages 1, 3-")
    #expect(stamp.opacity == 0.3 && stamp.rotation == -45)
    let area = stamp.area(on: PageSize(width: 200, height: 300))
    #expect(area.x == -5 && area.y == 300 - 20.5 - 50 && area.height == 50)
    #expect(abs(area.width - 28.346) < 0.001)
  }

  @Test(arguments: [
    "text:PAID@page=1, opacity=0.5", "text:PAID@ page=1 ,opacity=0.5",
    "text:PAID, page=1, opacity=0.5",
  ])
  func `blanks between options`(_ text: String) {
    let stamp = stamp(text)
    #expect(stamp.source == .text("PAID") && stamp.misread == nil)
    #expect(stamp.pages.words == "page 1" && stamp.opacity == 0.5)
  }

  @Test func `nothing said is the whole of every page`() {
    let stamp = stamp("text:DRAFT")
    #expect(stamp.source == .text("DRAFT"))
    #expect(stamp.pages == .all && stamp.rotation == 0)
    // Words across the page let it be read; in a rectangle of their own, and in a file, they are opaque.
    #expect(stamp.opacity == 0.3 && self.stamp("text:DRAFT@opacity=1").opacity == 1)
    #expect(self.stamp("text:PAID@rect=9,9,99,20").opacity == 1 && self.stamp("a.png").opacity == 1)
    #expect(
      stamp.area(on: PageSize(width: 200, height: 300))
        == Rectangle(x: 18, y: 18, width: 164, height: 264))
    // A stamp that is not text fills the page.
    #expect(
      self.stamp("a.png").area(on: PageSize(width: 200, height: 300))
        == Rectangle(x: 0, y: 0, width: 200, height: 300))
  }

  @Test(arguments: [
    ("a@page=0", "page takes first"), ("a@page=3-1", "page takes first"),
    ("a@rect=1,2,3", "rect takes x, y, width and height"),
    ("a@rect=0,0,0,5", "rect takes"), ("a,opacity=0", "opacity takes"),
    ("a@opacity=1.5", "opacity takes"), ("a@rotate=left", "rotate takes"),
    ("a@page=1,page=2", "page is given twice"),
  ])
  func `what looks like options and is none is remembered`(_ text: String, _ words: String) {
    let stamp = stamp(text)
    #expect(stamp.source == .file(text))
    #expect(stamp.misread?.contains(words) == true, "\(stamp.misread ?? "nothing")")
  }

  @Test(arguments: [
    ("text:PAID@rect=1,2", "rect takes x, y, width and height"),
    (
      "text:PAID@opacty=0.2",
      "there is no stamp option \"opacty\", only page, rect, opacity and rotate (did you mean \"opacity\"?)"
    ),
    ("text:PAID@last", "for these pages write @page=last"), ("text:PAID@1,3-", "@page=1,3-"),
    ("text:PAID@mid", "for a place write @rect="), ("text:PAID@Top-Right", "@rect="),
    ("text:PAID@frist", "@page=first"), ("text:PAID@page=1, opacty=0.3", "page takes first"),
    ("text:PAID@odd,opacity=0.3", "@page=odd"), ("text:Expo@7", "write @@ for an @ in the text"),
    ("text:PAID,rotat=45", "no stamp option \"rotat\""), ("text:x@y=1", "write @@ for an @"),
  ])
  func `a text that ends like options with a slip in them is refused`(
    _ text: String, _ words: String
  ) {
    var request = PrintRequest()
    let failure = #expect(throws: Failure.self) {
      try PrintOption.overlay.apply(text, to: &request)
    }
    #expect(
      failure?.code == .usage && failure?.message.contains(words) == true,
      "\(String(describing: failure))")
  }

  @Test(arguments: [
    ("text:a@@b=1", "a@b=1"), ("text:Expo@@7", "Expo@7"), ("text:me@lastly", "me@lastly"),
    ("text:me@home", "me@home"), ("text:info@example.com", "info@example.com"),
    ("text:n=3, x=4", "n=3, x=4"),
    ("text:a@@page=1", "a@page=1"),
  ])
  func `words that only look like options are words`(_ text: String, _ words: String) throws {
    var request = PrintRequest()
    try PrintOption.overlay.apply(text, to: &request)
    #expect(request.stamps.first?.source == .text(words))
  }

  @Test(arguments: [
    ("all", [0, 1, 2, 3, 4]), ("page=first", [0, nil, nil, nil, nil]),
    ("page=last", [nil, nil, nil, nil, 0]), ("page=odd", [0, nil, 1, nil, 2]),
    ("page=even", [nil, 0, nil, 1, nil]), ("page=2-", [nil, 0, 1, 2, 3]),
    ("page=4,1-2", [0, 1, nil, 2, nil]), ("page=9", [nil, nil, nil, nil, nil]),
  ])
  func `which of the named pages a page is`(_ text: String, _ positions: [Int?]) {
    let pages = stamp(text == "all" ? "a" : "a@\(text)").pages
    #expect((0..<5).map { pages.position(of: $0, in: 5) } == positions)
  }

  @Test func `options of settings are filled in, and taken back`() throws {
    let set = Stamp("a@page=1,opacity=0.5", isBelow: false).options
    let typed = Stamp("a@opacity=0.2", isBelow: false).options.over(set)
    #expect(typed.opacity == 0.2 && typed.pages?.words == "page 1")
    var request = PrintRequest()
    try PrintOption.overlay.apply("a", to: &request)
    try PrintOption.underlay.apply("b", to: &request)
    try PrintOption.overlay.apply("none", to: &request)
    #expect(request.stamps.map(\.name) == ["b"])
  }
}
