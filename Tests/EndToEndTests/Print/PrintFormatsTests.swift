import TestSupport
import Testing

/// The data that reaches the printer, for every kind of document and every format.
@Suite(.inTurn) struct PrintFormatsTests {
  @Test func `a PDF is drawn as URF, and its marks are where they belong`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let pdf = PDF(pages: [.a4(), .a4([PDF.Mark(x: 400, y: 700, width: 20, height: 40)])])
    let job = try await person.job(at: printer, pdf.bytes)
    #expect(job.contentType == "image/urf")
    #expect(job["document-format-supplied"] == "image/urf")
    let sheets = try printer.sheets(of: job)
    #expect(sheets.map(\.width) == [1240, 1240])
    #expect(sheets.map(\.height) == [1753, 1753])
    #expect(sheets.map(\.resolution) == [150, 150])
    let first = try #require(sheets[0].ink)
    #expect(first.isAt(72, 144, 72, 72), "\(first)")
    let second = try #require(sheets[1].ink)
    #expect(second.isAt(400, 700, 20, 40), "\(second)")
    await printer.stop()
  }

  @Test func `a document that is packed arrives as it was`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: ["keyword compression-supported gzip,none"])
    let pdf = PDF().bytes
    let plain = try await person.job(at: printer, pdf)
    let sent = try await person.airprint(
      "print", "-d", printer.uri, "--option", "compression=gzip", try person.document(pdf))
    #expect(sent.code == 0, "\(sent.report)")
    let packed = try await printer.jobs(atLeast: 2)[1]
    #expect(packed["compression-supplied"] == "gzip")
    #expect(plain["compression-supplied"] == nil, "loopback gains nothing")
    #expect(packed.document == plain.document)
    let refused = try await person.airprint(
      "print", "-d", printer.uri, "--option", "compression=lzw", try person.document(pdf))
    #expect(refused.code == 64, "\(refused.report)")
    #expect(refused.stderr.contains("supports gzip or none"), "\(refused.stderr)")
    await printer.stop()
  }

  @Test func `a PDF that is asked for as PDF arrives byte for byte`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let pdf = PDF().bytes
    let job = try await person.job(at: printer, pdf, "--format", "pdf")
    #expect(job.contentType == "application/pdf")
    #expect(job.document == pdf)
    await printer.stop()
  }

  @Test(arguments: [
    "mimeMediaType document-format-preferred application/pdf",
    "mimeMediaType document-format-supported application/octet-stream,application/pdf",
  ])
  func `a printer that prefers PDF, or reads nothing else, gets it byte for byte`(
    _ line: String
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [line])
    let pdf = PDF().bytes
    let job = try await person.job(at: printer, pdf)
    #expect(job.contentType == "application/pdf")
    #expect(job.document == pdf)
    await printer.stop()
  }

  @Test func `a printer that reads plain text alone gets text as it is, and nothing else`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [
      "mimeMediaType document-format-supported application/octet-stream,text/plain",
      "mimeMediaType document-format-preferred text/plain",
    ])
    let text = Array("Milk\nÄpfel\n".utf8)
    let file = person.path("list.txt")
    try text.write(to: file)
    let printed = try await person.airprint("print", "-d", printer.uri, file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stderr.contains("is sent the text unchanged"), "\(printed.stderr)")
    let job = try #require(try printer.jobs().first)
    #expect(job.contentType == "text/plain" && job.document == text)

    for (options, document) in [
      (["--number-up", "2"], file), ([], try person.document(PDF().bytes)),
    ] {
      let refused = try await person.airprint(["print", "-d", printer.uri] + options + [document])
      #expect(refused.code == 76, "\(refused.report)")
      #expect(refused.stderr.contains("application/octet-stream and text/plain"))
    }
    #expect(try printer.jobs().count == 1)
    await printer.stop()
  }

  @Test func `a printer's own language arrives as it is, and is printed nowhere else`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [
      "mimeMediaType document-format-supported "
        + "application/octet-stream,image/urf,application/vnd.zebra-zpl,application/vnd.example"
    ])
    let label = Array("^XA^FO50,50^FDHello^FS^XZ\n".utf8)
    let file = person.path("label.txt")
    try label.write(to: file)
    for (options, type) in [
      ([], "application/vnd.zebra-zpl"), (["--from", "zpl"], "application/vnd.zebra-zpl"),
      (["-o", "document-format=application/vnd.example"], "application/vnd.example"),
      (["-o", "raw=application/vnd.example"], "application/vnd.example"),
      (["--from", "txt"], "image/urf"),
    ] {
      let count = try printer.jobs().count
      let printed = try await person.airprint(["print", "-d", printer.uri] + options + [file])
      #expect(printed.code == 0, "\(printed.report)")
      let job = try #require(try await printer.jobs(atLeast: count + 1).last)
      #expect(job["document-format-supplied"] == type, "\(options)")
      #expect((job.document == label) == (type != "image/urf"), "\(options)")
    }
    let count = try printer.jobs().count
    let commands = person.path("pages.prn")
    try Array("\u{1B}%-12345X@PJL JOB\n\u{1B}EHello\u{0C}".utf8).write(to: commands)
    let refused = try await person.airprint("print", "-d", printer.uri, commands)
    #expect(refused.code == 65 && refused.stderr.contains("The file is PCL"), "\(refused.report)")
    let checked = try await person.airprint("check", commands)
    #expect(checked.code == 0 && checked.stderr.contains("PCL, which"), "\(checked.report)")
    let drawn = try await person.airprint("render", commands, "-o", person.path("out.pwg"))
    #expect(drawn.code == 65 && drawn.stderr.contains("The file is PCL"), "\(drawn.report)")
    #expect(try printer.jobs().count == count)
    await printer.stop()
  }

  /// Checks two pages, and copies that the printer makes.
  @Test func `a printer that reads PostScript alone gets that`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [
      "mimeMediaType document-format-supported application/octet-stream,application/postscript",
      "mimeMediaType document-format-preferred application/postscript",
    ])
    let pages: [PDF.Page] = [.a4(), .a4([PDF.Mark(x: 400, y: 700, width: 20, height: 40)])]
    let job = try await person.job(
      at: printer, PDF(pages: pages).bytes, "--copies", "2", "--sides", "long")
    #expect(job.contentType == "application/postscript")
    #expect(job["sides"] == "two-sided-long-edge")
    #expect(job["copies"] == "2")
    #expect(job["media-col"]?.contains("x-dimension=21000 y-dimension=29700") == true)
    #expect(String(decoding: job.document.prefix(15), as: UTF8.self) == "%!PS-Adobe-3.0\n")
    #expect(job.document.allSatisfy { $0 < 0x80 }, "fit for any line")
    let file = person.path("sent.ps")
    try job.document.write(to: file)
    // Left, bottom, right and top of each page's marks, in points, including all pixels that they touch.
    let read = try await person.bench.run([
      "gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=bbox", file,
    ])
    #expect(read.code == 0, "\(read.report)")
    let boxes = (read.stdout + read.stderr).split(separator: "\n")
      .filter { $0.hasPrefix("%%BoundingBox:") }
      .map { $0.split(separator: " ").dropFirst().compactMap { Int($0) } }
    let marks = [[72, 626, 144, 698], [400, 102, 420, 142]]
    #expect(boxes.count == 2)
    for (box, mark) in zip(boxes, marks) {
      #expect(
        box.count == 4 && zip(box, mark).allSatisfy { abs($0 - $1) <= 1 }, "\(box) for \(mark)")
    }
    await printer.stop()
  }

  @Test func `PWG Raster goes to a printer that reads no URF`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [
      "mimeMediaType document-format-supported application/octet-stream,image/pwg-raster"
    ])
    let job = try await person.job(at: printer, PDF(pages: [.a4()]).bytes)
    #expect(job.contentType == "image/pwg-raster")
    let sheet = try #require(try printer.sheets(of: job).first)
    #expect(sheet.pageSize == (595, 841))
    #expect(try #require(sheet.ink).isAt(72, 144, 72, 72))
    await printer.stop()
  }

  @Test func `a baseline JPEG arrives byte for byte`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let jpeg = try Picture(width: 600, height: 900, black: (60, 90)).jpeg()
    let job = try await person.job(at: printer, jpeg, "--type", "photo", name: "photo.jpg")
    #expect(job.contentType == "image/jpeg")
    #expect(job.document == jpeg)
    // As a photo: on photo paper, borderless, in the best quality.
    #expect(job["media-col"]?.contains("x-dimension=10160 y-dimension=15240") == true)
    #expect(job["print-scaling"] == "fill")
    #expect(job["print-quality"] == "high")
    await printer.stop()
  }

  @Test(arguments: ["png", "gif"])
  func `a picture is drawn onto the photo paper to its edges`(_ kind: String) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let picture = Picture(width: 200, height: 300, black: (50, 60))
    let bytes = try kind == "png" ? picture.png() : picture.gif()
    let job = try await person.job(
      at: printer, bytes, "--type", "photo", name: "picture.\(kind)")
    #expect(job.contentType == "image/urf")
    let sheet = try #require(try printer.sheets(of: job).first)
    // 4 by 6 inches; a quarter of the width and a fifth of the height are black.
    #expect((sheet.width, sheet.height) == (600, 900))
    let ink = try #require(sheet.ink)
    #expect(ink.isAt(0, 0, 72, 86.4), "\(ink)")
    #expect(sheet.bytesPerPixel == 3)
    await printer.stop()
  }

  @Test func `a JPEG that needs turning or another format is drawn`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let jpeg = try Picture(width: 300, height: 200, black: (300, 100)).jpeg()
    let job = try await person.job(
      at: printer, jpeg, "--type", "photo", "--format", "urf", name: "wide.jpg")
    let sheet = try #require(try printer.sheets(of: job).first)
    // A landscape picture on portrait paper is turned, so that its upper half is one of the long halves.
    let ink = try #require(sheet.ink)
    #expect(ink.isAt(0, 0, 144, 432) || ink.isAt(144, 0, 144, 432), "\(ink)")
    await printer.stop()
  }

  @Test func `a gray printer gets gray pixels`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.till()
    let page = PDF.Page(
      width: 204, height: 400, marks: [PDF.Mark(x: 0, y: 0, width: 50, height: 50)])
    let job = try await person.job(at: printer, PDF(pages: [page]).bytes, "--type", "receipt")
    #expect(try printer.sheets(of: job).map(\.bytesPerPixel) == [1])
    #expect(job["print-color-mode"] == "monochrome")
    await printer.stop()
  }

  @Test(arguments: [[], ["-"]])
  func `a document comes from standard input`(_ arguments: [String]) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let pdf = PDF().bytes
    let printed = try await person.airprint(
      ["print", "-d", printer.uri, "--format", "pdf"] + arguments, input: pdf)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stdout.isEmpty)
    #expect(printed.stderr.contains("Printed standard input on Office: 1 page on A4"))
    #expect(try printer.jobs().map(\.document) == [pdf])
    await printer.stop()
  }

  @Test func `several files are one job each, in their order`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let files = try ["one", "two", "three"].map { (name: String) in
      try person.document(PDF(title: name).bytes, "\(name).pdf")
    }
    let printed = try await person.airprint(
      ["print", "-d", printer.uri, "--format", "pdf"] + files)
    #expect(printed.code == 0, "\(printed.report)")
    let jobs = try printer.jobs()
    #expect(jobs.map { $0["job-name"] } == ["one.pdf", "two.pdf", "three.pdf"])
    #expect(jobs.map(\.document) == (try files.map { try bytes(of: $0) }))
    await printer.stop()
  }
}
