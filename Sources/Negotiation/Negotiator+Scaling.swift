internal import PrintModel

extension Negotiator {
  /// `--number-up`, which makes no sense on a roll or for a file that goes through as it is.
  mutating func chooseNumberUp(_ ticket: Ticket) throws(Failure) -> Int {
    guard request.numberUp > 1 else { return 1 }
    if ticket.paper.isRoll {
      try replaced(.numberUp, "1, a roll has no sheets to put \(request.numberUp) pages on")
      return 1
    }
    because("number-up: \(request.numberUp) pages on each side")
    return request.numberUp
  }

  /// A label whose pixels are exactly the printer's goes out pixel for pixel: barcodes stay sharp
  /// (lprint#77). The scale of the page's points that does it.
  mutating func pixelForPixel(_ ticket: Ticket) -> Double? {
    guard ticket.type == .label, request.scaling == nil, !ticket.isFramed,
      let image = document.image,
      let page = document.pages.first
    else { return nil }
    let width = ticket.paper.size.width.pixels(dpi: ticket.resolution.x)
    let length = ticket.paper.size.length.pixels(dpi: ticket.resolution.y)
    let isExact =
      ticket.paper.isRoll
      ? image.width == width
      : [image.width, image.height] == [width, length]
        || [image.height, image.width] == [width, length]
    guard isExact, ticket.resolution.isSquare else { return nil }
    because("scaling: pixel for pixel, the picture has the label's pixels")
    return Double(image.width) * 72 / Double(ticket.resolution.x) / page.size.width
  }

  /// What becomes of the first page's size, and whether its pixels will be seen.
  mutating func explainScaling(_ ticket: Ticket) {
    guard let first = ticket.pages.first, ticket.exactScale == nil, ticket.numberUp == 1 else {
      return
    }
    let page = document.pages[first].size
    let layout = SheetLayout(ticket)
    let scale = layout.scale(of: page)
    let percent = Int((scale * 100).rounded())
    var reason = "scaling: \(ticket.scaling.rawValue), \(percent) %"
    if ticket.scaling == .fill, !ticket.paper.isRoll {
      let lost = Int((layout.lost(of: page) * 100).rounded())
      reason += lost > 0 ? ", \(lost) % of the page is cut off" : ", nothing is cut off"
    }
    if layout.isTurned(page), request.orientation == .auto { reason += ", turned to the sheet" }
    because(reason)
    if ticket.paper.isRoll, scale < 0.995 {
      warn(
        "The page is \(page.media.width.inMillimetres) wide, wider than the \(ticket.paper.title) "
          + "prints: it is scaled to \(percent) %.")
    }
    let lost = layout.lost(of: page)
    if ticket.scaling == .none, lost >= 0.01 {
      let percent = Int((lost * 100).rounded())
      warn(
        "The page is larger than \(ticket.paper.title): at 100 % it loses \(percent) %. "
          + "--scaling fit shrinks it.")
    }
    warnOfCoarsePixels(ticket, page, scale: scale)
  }

  /// A picture with fewer pixels an inch than the eye wants.
  private mutating func warnOfCoarsePixels(_ ticket: Ticket, _ page: PageSize, scale: Double) {
    guard let image = document.image, page.width > 0, scale > 0 else { return }
    let dpi = Double(image.width) * 72 / (page.width * scale)
    let least = [.photo, .postcard].contains(ticket.type) ? 150.0 : 100.0
    guard dpi < least else { return }
    warn(
      "The picture has only \(Int(dpi.rounded())) dpi on \(ticket.paper.title); "
        + "it will look coarse.")
  }
}
