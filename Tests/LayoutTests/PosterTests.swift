import PrintModel
import Testing

@testable import Layout

/// `--poster`: a page over several sheets, of which each prints 648 by 1008 points.
@Suite struct PosterTests {
  private let poster = Poster(columns: 2, rows: 2)
  private let page = PageSize(width: 720, height: 1080)

  private func layout(_ poster: Poster, _ scaling: Scaling = .fit) -> SheetLayout {
    SheetLayout(ticket(scaling) { $0.poster = poster })
  }

  @Test(
    arguments: [
      // 1267.65 by 1987.65 points, as the overlap is 28.35.
      (Poster(columns: 2, rows: 2), Scaling.fit, PageSize(width: 720, height: 1080), .none, 1.7606),
      (Poster(columns: 2, rows: 2), .fill, PageSize(width: 720, height: 1080), .none, 1.8404),
      (Poster(columns: 2, rows: 2), .none, PageSize(width: 720, height: 1080), .none, 1),
      // Two landscape sheets, one above the other: 1008 by 1267.65 points.
      (
        Poster(columns: 1, rows: 2), .fit, PageSize(width: 720, height: 1080), .counterclockwise,
        1.1738
      ),
      (Poster(columns: 2, rows: 1), .fit, PageSize(width: 1080, height: 720), .none, 1.1738),
      (
        Poster(columns: 4, rows: 1), .fit, PageSize(width: 3000, height: 500), .counterclockwise,
        1.296
      ),
    ] as [(Poster, Scaling, PageSize, Rotation, Double)])
  func `a page is as large as the sheets allow`(
    _ poster: Poster, _ scaling: Scaling, _ page: PageSize, _ rotation: Rotation, _ scale: Double
  ) {
    let layout = layout(poster, scaling)
    #expect(layout.rotation(of: page) == rotation)
    #expect(abs(layout.scale(of: page) - scale) < 0.001, "\(layout.scale(of: page))")
  }

  @Test(arguments: [Rotation.none, .half])
  func `the sheets' parts meet, and the last reach the page's end`(_ rotation: Rotation) throws {
    let layout = SheetLayout(
      ticket(.fit) {
        $0.poster = poster
        $0.rotation = rotation
      })
    let pages = document(720, 1080)
    let parts = try (0..<4).map { sheet -> Rectangle in
      let placed = layout.place(0, of: pages, cell: sheet)
      return placed.transform.inverse.apply(try #require(placed.clip))
    }
    let overlap = Poster.overlap.points / layout.scale(of: page)
    for (one, other) in [(0, 1), (2, 3)] {
      #expect(abs(parts[one].x + parts[one].width - overlap - parts[other].x) < 0.001, "\(parts)")
      #expect(parts[one].y == parts[other].y)
    }
    for (one, other) in [(0, 2), (1, 3)] {
      #expect(abs(parts[one].y + parts[one].height - overlap - parts[other].y) < 0.001, "\(parts)")
    }
    #expect(abs(parts[0].x) < 0.001 && abs(parts[3].x + parts[3].width - 720) < 0.001, "\(parts)")
    #expect(parts[0].y <= 0 && parts[3].y + parts[3].height >= 1080)
  }

  @Test func `marks are where sheets are cut and glued`() {
    let places = (0..<4).map { layout(poster).place(0, of: document(720, 1080), cell: $0).marks }
    let (cut, glue) = (36.0, 36 + 648 - Poster.overlap.points)
    // At both ends of each line; of the upright ones:
    let across = places.map { Set($0.filter { $0.width < $0.height }.map(\.x)) }
    #expect(across == [[glue], [cut], [glue], [cut]])
    #expect(places.map(\.count) == [4, 4, 4, 4])
    #expect(places.joined().allSatisfy { min($0.width, $0.height) == 0.5 })
    let one = layout(Poster(columns: 3, rows: 1)).place(0, of: document(720, 1080), cell: 1).marks
    #expect(one.count == 4 && one.allSatisfy { $0.width < $0.height || $0.width > 1 })
  }
}
