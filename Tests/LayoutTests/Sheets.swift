import PrintModel

@testable import Layout

/// A sheet of 720 by 1080 points with unprintable margins of half an inch.
let sheet = Paper(
  name: "custom_10x15in", size: MediaSize(width: 25_400, length: 38_100),
  margins: Margins(top: 1_270, bottom: 1_270, left: 1_270, right: 1_270), isReady: true)

/// A roll of 216 points, of which 180 are printable, cut after one inch to 1440 points.
let roll = Paper(
  name: "roll_3in", size: MediaSize(width: 7_620, length: 50_800),
  margins: Margins(top: 635, bottom: 635, left: 635, right: 635), isRoll: true,
  cuts: 2_540...50_800, isReady: true)

func ticket(
  on paper: Paper = sheet, _ scaling: Scaling = .none, type: JobType = .document,
  _ change: (inout Ticket) -> Void = { _ in }
) -> Ticket {
  var ticket = Ticket(type: type, paper: paper, pages: [0])
  ticket.format = DocumentFormat.urf
  ticket.resolution = Resolution(100)
  ticket.scaling = scaling
  change(&ticket)
  return ticket
}

func document(_ width: Double, _ height: Double, content: Double? = nil) -> DocumentInfo {
  let size = PageSize(width: width, height: height)
  return DocumentInfo(
    mediaType: DocumentFormat.pdf,
    pages: [DocumentInfo.Page(size: size, contentHeight: content)])
}

func text(_ text: String) -> RunningText {
  RunningText(left: [], center: [.text(text)], right: [])
}

extension Transform {
  /// Returns true if they are equal to a hundredth of a point.
  func isNear(_ other: Transform) -> Bool {
    [
      xx - other.xx, yx - other.yx, xy - other.xy, yy - other.yy, x0 - other.x0, y0 - other.y0,
    ].allSatisfy { abs($0) < 0.01 }
  }
}

extension Rectangle {
  func isNear(_ other: Rectangle) -> Bool {
    [x - other.x, y - other.y, width - other.width, height - other.height]
      .allSatisfy { abs($0) < 0.01 }
  }
}
