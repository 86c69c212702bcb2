import TestSupport
import Testing

/// The appearance of pictures: orientation, colors, and size.
@Suite(.inTurn) struct PicturePixelTests {
  /// Draws a picture over a whole sheet of 240 × 160 points.
  private func drawn(
    _ file: [UInt8], _ name: String, _ person: Person
  ) async throws -> Sheet {
    let sides = try await person.rendered(
      file, "--type", "document", "--paper", "240x160pt", "--scaling", "fill", "--resolution",
      "72", name: name)
    return try #require(sides.first)
  }

  /// Returns the color in the middle of the sheet.
  private func color(
    _ file: [UInt8], _ name: String, _ person: Person
  ) async throws -> [UInt8] {
    try await drawn(file, name, person).dot(120, 80)
  }

  /// Each format has its own way to a number, which means the same in all of them.
  @Test(
    arguments: (1...8).map { ($0, "jpg") } + ["png", "tif", "webp"].flatMap { [(5, $0), (8, $0)] })
  func `every EXIF orientation, in every format that has one`(
    _ orientation: Int, _ format: String
  ) async throws {
    let person = try await Person.anybody()
    let picture = PictureFile(cornersTurned: orientation)
    let file =
      switch format {
      case "jpg": try picture.jpeg()
      case "png": picture.png()
      case "tif": picture.tiff()
      default: try picture.webp()
      }
    let side = try await drawn(file, "corners.\(format)", person)
    let corners = [(20.0, 20.0), (220, 20), (20, 140), (220, 140), (120, 80)]
    let wanted: [[UInt8]] = [
      [255, 0, 0], [0, 255, 0], [0, 0, 255], [0, 0, 0], [255, 255, 255],
    ]
    for ((x, y), color) in zip(corners, wanted) {
      #expect(isNear(side.dot(x, y), color), "\(side.dot(x, y)) instead of \(color)")
    }
  }

  @Test(arguments: ["jpg", "png", "tif", "webp"])
  func `an embedded profile is respected`(_ format: String) async throws {
    let person = try await Person.anybody()
    var picture = PictureFile(color: [255, 0, 0])
    for (profile, wanted) in [
      ([], [255, 0, 0]), (TestProfile.swapped, [0, 255, 0]),
      // A profile for another color space, and an invalid one, are ignored.
      (TestProfile.redCyan, [255, 0, 0]), (Array("no profile at all".utf8), [255, 0, 0]),
    ] as [([UInt8], [UInt8])] {
      picture.profile = profile
      let file =
        switch format {
        case "jpg": try picture.jpeg()
        case "png": picture.png()
        case "tif": picture.tiff()
        default: try picture.webp()
        }
      let seen = try await color(file, "red.\(format)", person)
      #expect(isNear(seen, wanted), "\(seen) instead of \(wanted)")
    }
  }

  @Test(arguments: ["jpg", "png", "tif"])
  func `a gray picture has a profile for gray`(_ format: String) async throws {
    let person = try await Person.anybody()
    var picture = PictureFile(color: [0])
    picture.profile = TestProfile.negative
    let file =
      switch format {
      case "jpg": try picture.jpeg()
      case "png": picture.png()
      default: picture.tiff()
      }
    let seen = try await color(file, "gray.\(format)", person)
    #expect(isNear(seen, [255, 255, 255]), "\(seen)")
  }

  @Test func `four inks, as JPEG and TIFF store them, with a profile and without`() async throws {
    let person = try await Person.anybody()
    // Cyan is all of the first ink, which JPEGs store as 0, with Adobe's marker or without.
    var cyan = PictureFile(color: [255, 0, 0, 0])
    cyan.isInk = true
    var inverted = PictureFile(color: [0, 255, 255, 255])
    let files: [(String, [UInt8], [UInt8])] = [
      // TurboJPEG writes inks as Y, Cb, Cr and black; without Adobe's marker, 76, 84, 255 are read as the inks
      // themselves (T.871 §6.6).
      ("plain.jpg", try inverted.jpeg(isAdobe: false), [76, 84, 255]),
      ("adobe.jpg", try inverted.jpeg(), [0, 255, 255]),
      ("cyan.tif", cyan.tiff(), [0, 255, 255]),
    ]
    for (name, file, wanted) in files {
      let seen = try await color(file, name, person)
      #expect(isNear(seen, wanted), "\(name): \(seen)")
    }
    cyan.profile = TestProfile.redCyan
    inverted.profile = TestProfile.redCyan
    for (name, file) in [
      ("adobe.jpg", try inverted.jpeg()), ("cyan.tif", cyan.tiff()),
    ] {
      let seen = try await color(file, name, person)
      #expect(isNear(seen, [255, 0, 0]), "\(name) with a profile: \(seen)")
    }
  }

  @Test func `what is transparent is the paper`() async throws {
    let person = try await Person.anybody()
    for (alpha, wanted) in [(255, [255, 0, 0]), (128, [255, 127, 127]), (0, [255, 255, 255])] {
      let picture = PictureFile(color: [255, 0, 0, UInt8(alpha)])
      for (name, file) in [("red.png", picture.png()), ("red.tif", picture.tiff())] {
        let seen = try await color(file, name, person)
        #expect(isNear(seen, wanted.map { UInt8($0) }), "\(name), \(alpha): \(seen)")
      }
    }
  }

  @Test func `16 bits a color`() async throws {
    let person = try await Person.anybody()
    let seen = try await color(
      PictureFile(color: [200, 100, 50]).png(depth: 16), "deep.png", person)
    #expect(isNear(seen, [200, 100, 50]), "\(seen)")
    let gray = try await color(PictureFile(color: [100]).png(depth: 16), "gray.png", person)
    #expect(isNear(gray, [100, 100, 100]), "\(gray)")
  }

  @Test func `a picture is as large as it says`() async throws {
    let person = try await Person.anybody()
    var picture = PictureFile(width: 60, height: 30, color: [0, 0, 0])
    picture.orientation = 6
    for (resolution, width, height) in [(nil, 22.5, 45.0), (60, 36, 72), (300, 7.2, 14.4)] {
      picture.resolution = resolution
      for (name, file) in [
        ("a.png", picture.png()), ("a.jpg", try picture.jpeg()), ("a.tif", picture.tiff()),
      ] {
        let path = try person.document(file, name)
        let checked = try await person.airprint("check", "--json", path)
        let size = try #require(try checked.json.array?.first?.pageSizes?.array?.first)
        #expect(abs((size.width?.number ?? 0) - width) < 0.01, "\(name) \(checked.stdout)")
        #expect(abs((size.height?.number ?? 0) - height) < 0.01, "\(name)")
      }
    }
  }

  /// EXIF of a Nokia N70: 44 x 300 dpi.
  @Test func `a resolution that would squeeze the picture is an error in the file`() async throws {
    let person = try await Person.anybody()
    var picture = PictureFile(width: 60, height: 30, color: [0, 0, 0])
    picture.resolution = 300
    var file = picture.png()
    let place = try #require(file.firstRange(of: Array("pHYs".utf8))?.upperBound)
    // 44 dpi across; the checksum is not looked at before the picture is drawn.
    file.replaceSubrange(place..<place + 4, with: [0, 0, 6, 196])
    let checked = try await person.airprint("check", "--json", try person.document(file, "a.png"))
    let size = try checked.json.array?.first?.pageSizes?.array?.first
    #expect(size?.width == .number(45) && size?.height == .number(22.5), "\(checked.report)")
  }

  @Test func `a TIFF file has pages, each of its own size`() async throws {
    let person = try await Person.anybody()
    var pages = [
      PictureFile(width: 100, height: 50, color: [255, 0, 0]),
      PictureFile(width: 30, height: 60, color: [0]),
      PictureFile(width: 80, height: 80, color: [0, 0, 255]),
    ]
    for index in pages.indices { pages[index].resolution = 72 }
    let file = PictureFile.tiff(pages)
    let sides = try await person.rendered(
      file, "--paper", "100x100pt", "--resolution", "72", name: "fax.tif")
    #expect(sides.map { $0.dot(50, 50) } == [[255, 0, 0], [0, 0, 0], [0, 0, 255]])
    let inks = try sides.map { try #require($0.ink) }
    #expect(inks[0].isAt(0, 25, 100, 50), "\(inks[0])")
    #expect(inks[1].isAt(35, 20, 30, 60), "\(inks[1])")
    let checked = try await person.airprint(
      "check", "--json", try person.document(file, "scan.tif"))
    let report = try checked.json.array?.first
    #expect(report?.pages == .number(3) && report?.type == .string("document"))
  }

  @Test func `JPEG: damage in its middle is told of, a few bytes too many are not`() async throws {
    let person = try await Person.anybody()
    let whole = try Picture(width: 200, height: 150, isNoise: true).jpeg()
    var (damaged, padded) = (whole, whole)
    for place in 0..<1_000 { damaged[whole.count / 2 + place] = 0 }
    padded.insert(contentsOf: [0, 0], at: whole.count - 2)
    let cut = Array(whole.prefix(whole.count / 2))
    for (file, losses) in [(whole, 0), (padded, 0), (damaged, 1), (cut, 1)] {
      let page = RawPDF("200 0 0 150 0 0 cm /X Do", resources: "/XObject << /X 5 0 R >>").with {
        $0.stream(
          5,
          "/Subtype /Image /Width 200 /Height 150 /BitsPerComponent 8 /ColorSpace /DeviceRGB "
            + "/Filter /DCTDecode", file)
      }
      for (bytes, name) in [(file, "photo.jpg"), (page.bytes, "photo.pdf")] {
        let checked = try await person.airprint(
          "check", "--json", try person.document(bytes, name))
        let told = try checked.json.array?.first?["losses"]?.array
        #expect(told?.count == losses, "\(checked.report)")
      }
    }
  }

  /// libtiff decodes a fax with damaged lines, and complains.
  @Test func `TIFF: a damaged fax is told of`() async throws {
    let person = try await Person.anybody()
    func tag(_ number: Int, _ value: Int) -> [UInt8] {
      little(number, 2) + little(3, 2) + little(1, 4) + little(value, 4)
    }
    let page = PictureFile(width: 64, height: 64, color: [255])
    let words = "The picture is damaged or cut short"
    for pages in [[page], [PictureFile(width: 64, height: 64, color: [255, 0, 0]), page]] {
      // One bit, and the code of group 4 faxes (ITU-T T.6): each 1 is a white line, and seven digits are an extension.
      let fax = PictureFile.tiff(pages).replacing(tag(258, 8), with: tag(258, 1))
      var file = Array(fax)
      let compression = try #require(file.ranges(of: tag(259, 1)).last)
      file.replaceSubrange(compression, with: tag(259, 4))
      file[try #require(file.ranges(of: page.pixels).last).lowerBound + 4] = 2
      let drawn = try await person.airprint(
        "render", try person.document(file, "fax.tif"), "-o", person.path("out.pwg"))
      let told = pages.count == 1 ? words : "Page 2: \(words)"
      #expect(drawn.code == 0 && drawn.stderr.contains(told), "\(drawn.report)")
    }
  }

  @Test func `other formats, by content and by name`() async throws {
    let person = try await Person.anybody()
    let red = PictureFile(width: 8, height: 8, color: [255, 0, 0])
    var bitmap = Array("BM".utf8) + little(54 + 192, 4) + [0, 0, 0, 0] + little(54, 4)
    bitmap += little(40, 4) + little(8, 4) + little(8, 4) + little(1, 2) + little(24, 2)
    bitmap += Array(repeating: 0, count: 24) + (0..<64).flatMap { _ in [0, 0, 255] as [UInt8] }
    var targa: [UInt8] = [0, 0, 2] + Array(repeating: 0, count: 9)
    targa += little(8, 2) + little(8, 2) + [24, 0]
    targa += (0..<64).flatMap { _ in [0, 0, 255] as [UInt8] }
    let packed = red.png()
    let icon = joined(
      little(0, 2), little(1, 2), little(1, 2), [8, 8, 0, 0], little(1, 2), little(24, 2),
      little(packed.count, 4), little(22, 4), packed)
    let xpm =
      "/* XPM */\nstatic char *a[] = {\n\"8 8 1 1\",\n\". c #FF0000\",\n"
      + Array(repeating: "\"........\"", count: 8).joined(separator: ",\n") + "};\n"
    let jp2 = try PictureFile.redJPEG2000
    let appleIcon = joined(
      Array("icns".utf8), [0, 0, 1, 1],
      Array("ic10".utf8), [0, 0, 0, UInt8(8 + jp2.count)], jp2)
    let files: [(name: String, bytes: [UInt8], type: String)] = [
      ("a.jp2", jp2, "image/jp2"), ("a.j2k", Array(jp2.suffix(156)), "image/jp2"),
      ("a.icns", appleIcon, "image/x-icns"),
      ("a.bmp", bitmap, "image/bmp"),
      ("a.ico", icon, "image/vnd.microsoft.icon"),
      ("wrong.png", Array("P6 8 8 255\n".utf8) + red.pixels, "image/x-portable-anymap"),
      ("a.heic", try PictureFile.redHEIC, "image/heif"),
      ("a.avif", try PictureFile.redAVIF, "image/avif"),
    ]
    for (name, file, type) in files {
      let seen = try await color(file, name, person)
      #expect(isNear(seen, [255, 0, 0]), "\(name): \(seen)")
      let checked = try await person.airprint("check", "--json", try person.document(file, name))
      #expect(try checked.json.array?.first?.mediaType == .string(type), "\(name)")
    }
    // gdk-pixbuf reads the rarer formats, or reports that it needs to start programs for them, which a worker may
    // not.
    let rare = try await person.airprint("check", try person.document(targa, "a.tga"))
    if rare.code == 0 {
      #expect(isNear(try await color(targa, "a.tga", person), [255, 0, 0]))
    } else {
      let isSaid = rare.stderr.contains("image/x-tga in separate programs")
      #expect(rare.code == 65 && isSaid, "\(rare.report)")
    }
    for whole in [try PictureFile.redHEIC, try PictureFile.redAVIF, jp2] {
      let cut = try person.document(Array(whole.prefix(200)), "cut")
      let refused = try await person.airprint("check", cut)
      #expect(refused.code == 65 && refused.stderr.contains("cut short"), "\(refused.report)")
    }
    // Its loader writes a file, which no worker may do.
    let refused = try await person.airprint(
      "check", try person.document(Array(xpm.utf8), "a.xpm"))
    #expect(refused.code == 65 && refused.stderr.contains("image/x-xpixmap"), "\(refused.report)")
  }

  @Test func `JPEG 2000: what is transparent is the paper`() async throws {
    let person = try await Person.anybody()
    let side = try #require(
      try await person.rendered(
        try PictureFile.halfJPEG2000, "--paper", "80x80pt", "--resolution", "100", "--color",
        "color", "--scaling", "fill", name: "half.jp2"
      ).first)
    #expect(isNear(side.dot(40, 20), [255, 0, 0]) && isNear(side.dot(40, 60), [255, 255, 255]))
    #expect(isNear(side.dot(10, 30), [255, 0, 0]) && isNear(side.dot(70, 50), [255, 255, 255]))
  }

  /// Poppler leaves out the opacity.
  @Test func `JPEG 2000: gray with transparent parts is refused`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(try PictureFile.grayJPEG2000, "a.jp2")
    let refused = try await person.airprint("check", file)
    #expect(refused.code == 65 && refused.stderr.contains("transparent"), "\(refused.report)")
  }

  /// sYCC: what is stored as red is a bright green.
  @Test func `JPEG 2000: brightness and color differences become colors`() async throws {
    let person = try await Person.anybody()
    var file = try PictureFile.redJPEG2000
    let place = try #require(file.indices.first { file[$0...].starts(with: Array("colr".utf8)) })
    file[place + 10] = 18
    let seen = try await color(file, "a.jp2", person)
    #expect(isNear(seen, [76, 255, 29]), "\(seen)")
  }

  @Test func `JPEG 2000: brightness and color differences may be transparent`() async throws {
    let person = try await Person.anybody()
    var file = try PictureFile.halfJPEG2000
    let place = try #require(file.indices.first { file[$0...].starts(with: Array("colr".utf8)) })
    file[place + 10] = 18
    let side = try await drawn(file, "half.jp2", person)
    #expect(isNear(side.dot(120, 20), [76, 255, 29]), "\(side.dot(120, 20))")
    #expect(isNear(side.dot(120, 140), [255, 255, 255]), "\(side.dot(120, 140))")
  }

  @Test func `JPEG 2000: a fourth channel is an opacity if the file doesn't say what it is`()
    async throws
  {
    let person = try await Person.anybody()
    var file = try PictureFile.halfJPEG2000
    let place = try #require(file.indices.first { file[$0...].starts(with: Array("cdef".utf8)) })
    file.replaceSubrange(place..<place + 4, with: Array("free".utf8))
    let side = try await drawn(file, "half.jp2", person)
    #expect(isNear(side.dot(120, 20), [255, 0, 0]), "\(side.dot(120, 20))")
    #expect(isNear(side.dot(120, 140), [255, 255, 255]), "\(side.dot(120, 140))")
  }

  @Test func `JPEG 2000: a picture of one pixel prints`() async throws {
    let person = try await Person.anybody()
    let dot = try await color(
      PictureFile.grayJPEG2000(1, 1, components: 3), "dot.j2k", person)
    #expect(isNear(dot, [128, 128, 128]), "\(dot)")
  }

  @Test func `WebP: an animation's first picture is where it is on the canvas`() async throws {
    let person = try await Person.anybody()
    let picture = PictureFile(width: 12, height: 8, color: [255, 0, 0])
    // A dot of the canvas is ten points.
    let sheet = try await drawn(
      try picture.webp(on: (width: 24, height: 16, x: 10, y: 6)), "a.webp", person)
    #expect(sheet.ink?.isAt(100, 60, 120, 80) == true, "\(String(describing: sheet.ink))")
    #expect(isNear(sheet.dot(150, 100), [255, 0, 0]))
  }

  /// Photoshop's saved selections.
  @Test func `TIFF: a channel of no stated meaning is no opacity`() async throws {
    let person = try await Person.anybody()
    var picture = PictureFile(color: [0, 0, 255, 0])
    picture.extraSample = 0
    let seen = try await color(picture.tiff(), "a.tif", person)
    #expect(isNear(seen, [0, 0, 255]), "\(seen)")
  }

  @Test(arguments: [([100, 128], 177), ([100, 0], 255), ([100, 255], 100)])
  func `TIFF: a gray has an opacity`(_ stored: [UInt8], _ printed: Int) async throws {
    let person = try await Person.anybody()
    let seen = try await color(PictureFile(color: stored).tiff(), "a.tif", person)
    #expect(seen.allSatisfy { abs(Int($0) - printed) < 4 }, "\(seen)")
  }

  @Test func `TIFF: four inks of 16 bits`() async throws {
    let person = try await Person.anybody()
    // Each ink has a high byte of 0 or 255; two pixels of a byte a channel become one.
    var picture = PictureFile(width: 48, height: 16, color: [0, 0, 0, 0])
    picture.pixels = (0..<24 * 16).flatMap { _ in [0, 0, 255, 255, 255, 255, 0, 0] as [UInt8] }
    picture.isInk = true
    picture.width = 24
    var file = picture.tiff()
    let bits = try #require(
      file.indices.first { file[$0...].starts(with: [8, 0, 8, 0, 8, 0, 8, 0]) })
    for channel in 0..<4 { file[bits + 2 * channel] = 16 }
    let seen = try await color(file, "a.tif", person)
    #expect(seen[0] > 200 && seen[1] < 80 && seen[2] < 80, "\(seen)")
  }

  /// The grid's points may be farther apart than its samples in the file (XRsiz, YRsiz).
  @Test func `JPEG 2000: a picture has as many pixels as samples`() async throws {
    let person = try await Person.anybody()
    var bare = Array(try PictureFile.redJPEG2000.suffix(156))
    // The grid and its tile are 16 x 16 points, and each component has a sample for every second one.
    for place in [8, 12, 24, 28] { bare[place + 3] = 16 }
    for component in 0..<3 { (bare[43 + 3 * component], bare[44 + 3 * component]) = (2, 2) }
    let side = try #require(
      try await person.rendered(
        bare, "--paper", "80x80pt", "--resolution", "100", "--color", "color", "--scaling", "fill",
        name: "a.j2k"
      ).first)
    for place in [10.0, 40, 70] { #expect(isNear(side.dot(place, place), [255, 0, 0])) }
  }

  @Test func `JPEG 2000: a picture of which nothing can be decoded is refused`() async throws {
    let person = try await Person.anybody()
    var damaged = try PictureFile.redJPEG2000
    // COD, the marker of the coding style, with a size of 0.
    let place = try #require(damaged.indices.last { damaged[$0...].starts(with: [0xFF, 0x52]) })
    damaged[place + 3] = 0
    let refused = try await person.airprint(
      "render", try person.document(damaged, "a.jp2"), "-o", person.path("a.pwg"))
    #expect(refused.code == 65 && refused.stderr.contains("damaged"), "\(refused.report)")
  }
}

private func isNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
  one.count == other.count && zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= 24 }
}
