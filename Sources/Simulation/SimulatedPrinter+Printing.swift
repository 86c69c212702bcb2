internal import Drawing
internal import FoundationEssentials
internal import Glibc
internal import PrintModel
internal import Raster
internal import System

// The work of the printing thread: prints jobs one after the other, one side at a time.

/// The reason a job was not printed completely.
enum JobStop: Error {
  case ended(SimulatedJob.EndState)
  /// job-state-reasons has this reason before aborted-by-system.
  case aborted(_ reason: String? = nil, message: String)
}

extension SimulatedPrinter {
  /// Prints one job until it is completed, canceled or aborted.
  func print(_ id: Int) {
    let job = state.withLock { state -> SimulatedJob? in
      guard var job = state[job: id], job.state == .pending else { return nil }
      // A printer that is stopped stays so.
      if !state.isStopped { state.changed = .now }
      state.current = id
      job.become(.processing, ["job-printing"], "Printing.")
      job.processing = (.now, uptime)
      state[job: id] = job
      setStopped(state.isStopped, id, &state)
      return job
    }
    guard let job, let spool = job.spool, let path = job.folder else { return }
    var pages: [PrinterEvent.Page] = []
    var stop: JobStop?
    do throws(Failure) {
      let folder = try JobFolder(path, in: options.folder)
      do throws(JobStop) {
        try printPages(of: job, spool, folder)
      } catch {
        stop = error
      }
      try folder.finish()
      pages = folder.pages
    } catch {
      tell(.failed(error))
      stop = .aborted(message: error.message)
    }
    spool.refuse()
    switch stop {
    case nil:
      end(id, .completed, ["job-completed-successfully"], "Printed.", pages)
    case .ended(let how):
      let state: JobState = how == .shutDown ? .aborted : .canceled
      end(
        id, state, [how.reason], how == .shutDown ? "The printer was switched off." : "Canceled.",
        pages)
    case .aborted(let reason, let message): abort(id, message, for: reason, pages)
    }
  }

  private func printPages(
    of job: SimulatedJob, _ spool: Spool, _ folder: JobFolder
  ) throws(JobStop) {
    let format = job.format ?? ""
    if DocumentFormat.isRaster(format) {
      let copies = min(max(AttributeSet(job.template).number("copies") ?? 1, 1), 999)
      let isUncollated = AttributeSet(job.template).isUncollated
      var printed = 0
      for _ in 0..<(isUncollated ? 1 : copies) {
        let bytes = SheetBytes { spool.read(at: $0, into: $1) }
        printed = try printRaster(
          of: job, spool, folder, bytes, isUpright: false, after: printed,
          copies: isUncollated ? copies : 1)
      }
      return
    }
    guard spool.awaitWhole() else { throw unfinished(job.id, spool, nil) }
    guard profile.formats.contains(format) else {
      throw .aborted(
        "unsupported-document-format",
        message: "A document of type \(format) can't be printed here.")
    }
    let attributes = AttributeSet(job.template)
    let (_, paper) = try awaitPaper(job.id, side: 1, wanted: PaperWanted(attributes))
    let name = "\(job.folder ?? "")/.drawing"
    let drawing = options.folder.create(name)
    guard drawing >= 0 else { throw .aborted(message: cannotWrite(name).message) }
    options.folder.remove(name)
    let bytes = SheetBytes(of: drawing)
    let sides = Sides(rawValue: attributes.string("sides") ?? "") ?? .oneSided
    let order = DrawingOrder(
      document: options.folder.held(spool.path), mediaType: format, output: drawing,
      paper: margins(of: paper, sides: sides),
      // No more than pictures have.
      resolution: profile.resolutions.last { $0.x <= 300 } ?? profile.resolutions[0],
      isColor: profile.isColor
        && attributes.string("print-color-mode")?.hasSuffix("monochrome") != true,
      sides: profile.sheetBack == nil ? .oneSided : sides, attributes: attributes)
    do {
      try options.draw(order)
    } catch {
      throw .aborted("document-format-error", message: error.message)
    }
    _ = try printRaster(of: job, spool, folder, bytes, isUpright: true, after: 0, copies: 1)
  }

  /// Sides of a job that are printed: a page of white is 60 bytes of raster, and pictures of 77 KB.
  private static let mostSides = 10_000

  /// Prints the raster in `bytes`, and returns the number of the job's sides so far, in whole sheets if two-sided:
  /// every copy begins on a front.
  ///
  /// `isUpright`: the client has not turned back sides; `after`: the number of sides of previous copies; `copies`: of
  /// each sheet before the next one.
  private func printRaster(
    of job: SimulatedJob, _ spool: Spool, _ folder: JobFolder, _ bytes: SheetBytes,
    isUpright: Bool, after: Int, copies: Int
  ) throws(JobStop) -> Int {
    var isDuplex = false
    var sides = 0
    var printed = after
    var sheet: [ReadSide] = []
    do {
      let raster = try options.decode { bytes.next($0) }
      while let header = try raster.nextPage() {
        sides += 1
        guard printed + copies <= Self.mostSides else {
          throw JobStop.aborted(message: "The job has more than \(Self.mostSides) sides.")
        }
        if sides == 1,
          let all = header.totalPages > 0 ? header.totalPages : raster.announcedPages
        {
          state.withLock { $0[job: job.id]?.allImpressions = all }
        }
        isDuplex = self.sides(AttributeSet(job.template), header).isDuplex
        sheet.append(try readSide(raster, header, printed, sides, job, isUpright: isUpright))
        // A single copy's fronts need not wait for their backs.
        guard copies == 1 || !isDuplex || sides % 2 == 0 || sheet.last?.problem != nil else {
          continue
        }
        for _ in 0..<copies { try printed = put(sheet, after: printed, of: job, folder) }
        sheet = []
      }
      for _ in 0..<copies { try printed = put(sheet, after: printed, of: job, folder) }
      if sides == 0 {
        throw JobStop.aborted("document-format-error", message: "The raster has no pages.")
      }
      if isEnded(job.id) || spool.end.isBroken { throw unfinished(job.id, spool, nil) }
    } catch let error as Failure {
      throw unfinished(job.id, spool, error)
    } catch let stop as JobStop {
      throw stop
    } catch {
      throw .aborted(message: "\(error)")
    }
    return isDuplex ? (printed + 1) / 2 * 2 : printed
  }

  /// A side as it is on the paper, and why its document ends within it.
  private struct ReadSide {
    var canvas: Canvas
    var page: PrinterEvent.Page
    var problem: Failure?
  }

  /// Waits until a side can be printed, and reads all of it that is available.
  ///
  /// `printed`: the number of sides so far; `side`: its number in the document.
  private func readSide(
    _ raster: any SheetRaster, _ header: RasterPage, _ printed: Int, _ side: Int,
    _ job: SimulatedJob, isUpright: Bool
  ) throws -> ReadSide {
    let number = printed + 1
    let attributes = AttributeSet(job.template)
    let sides = self.sides(attributes, header)
    let isBack = sides.isDuplex && side % 2 == 0
    let (tray, paper) = try awaitPaper(
      job.id, side: number, wanted: PaperWanted(attributes, header, side: side))
    if header.pixels.colors > 1, !profile.isColor, !isUpright {
      throw JobStop.aborted(
        "document-unprintable-error",
        message: "Page \(number) is in color, which this printer can't print.")
    }
    let sheet = cut(margins(of: paper, sides: sides), header)
    var picture = try SheetPicture(sheet.size, header.resolution, isGray: !profile.isColor)
    var problem: Failure?
    do throws(Failure) {
      while let line = try raster.nextLine() {
        picture.add(line.pixels, channels: header.pixels.colors, rows: line.rows)
        if isEnded(job.id) { break }
      }
    } catch {
      problem = error
    }
    let turn =
      isBack && !isUpright
      ? BackSideTransform.back(of: profile.sheetBack ?? .normal, sides: sides) : .none
    let (canvas, resolution) = picture.finish(
      turned: turn, printable: sheet.printableRect, showsMargins: options.showsPrintableArea,
      sheet.isRoll ? .cut : sheet.isBorderless ? .borderless : .sheet)
    let page = PrinterEvent.Page(
      job: job.id, number: number, sheet: number, isBack: isBack, isDuplex: sides.isDuplex,
      paper: sheet.title, size: sheet.size, tray: tray, resolution: resolution,
      isColor: profile.isColor && header.pixels.colors > 1, file: "")
    return ReadSide(canvas: canvas, page: page, problem: problem)
  }

  /// Puts sides of a sheet out, and returns the number of sides so far.
  private func put(
    _ sheet: [ReadSide], after printed: Int, of job: SimulatedJob, _ folder: JobFolder
  ) throws -> Int {
    var number = printed
    for side in sheet {
      var page = side.page
      // Every copy begins on a front.
      number += page.isDuplex && !page.isBack && number % 2 == 1 ? 2 : 1
      page.number = number
      page.sheet = page.isDuplex ? (number + 1) / 2 : number
      page.file = folder.file(number)
      try folder.add(side.canvas, page)
      if options.hasPrintTimes, profile.pagesPerMinute > 0 {
        pause(.milliseconds(60_000 / profile.pagesPerMinute), job.id)
      }
      count(page)
      tell(.printed(page))
      if let problem = side.problem { throw problem }
      if let ending = ending(of: job.id) { throw JobStop.ended(ending) }
    }
    return number
  }

  private func count(_ page: PrinterEvent.Page) {
    state.withLock { state in
      state.impressions += 1
      state[job: page.job]?.impressions = page.number
      state[job: page.job]?.sheets = page.sheet
    }
  }

  private func sides(_ attributes: AttributeSet, _ header: RasterPage) -> Sides {
    guard profile.sheetBack != nil else { return .oneSided }
    return attributes.string("sides").flatMap(Sides.init(rawValue:)) ?? header.sides
  }

  /// The paper with the margins for these sides: two-sided sheets may have larger ones.
  private func margins(of paper: Paper, sides: Sides) -> Paper {
    guard sides.isDuplex, let margins = profile.duplexMargins else { return paper }
    var paper = paper
    paper.margins = margins
    return paper
  }

  /// Cuts a roll where the page ends, within the cutter's limits.
  private func cut(_ paper: Paper, _ header: RasterPage) -> Paper {
    guard paper.isRoll else { return paper }
    var paper = paper
    // Rounded up, so that the cut has as many pixels as the page.
    let length = Hundredths((header.height * 2540 + header.resolution.y - 1) / header.resolution.y)
    let cuts = paper.cuts ?? 0...Hundredths(.max)
    paper.size.length = min(max(length, cuts.lowerBound), cuts.upperBound)
    return paper
  }

  /// The reason a document stopped before its end.
  private func unfinished(_ id: Int, _ spool: Spool, _ error: Failure?) -> JobStop {
    if let ending = ending(of: id) { return .ended(ending) }
    switch spool.end {
    case .damaged: return .aborted("compression-error", message: Self.damagedDocument)
    case .lost:
      return .aborted(
        "submission-interrupted",
        message: "The connection broke before the document was complete.")
    case .open, .whole:
      return .aborted(
        error?.code == .fault ? nil : "document-format-error",
        message: error?.message ?? "The document is not complete.")
    }
  }

  // MARK: A job's end

  func ending(of id: Int) -> SimulatedJob.EndState? { state.withLock { $0[job: id]?.ending } }

  func isEnded(_ id: Int) -> Bool { ending(of: id) != nil }

  /// Waits, unless the job is being ended.
  private func pause(_ length: Duration, _ id: Int) {
    _ = state.wait(until: .now + length) { $0[job: id]?.ending }
  }

  /// Ends a job that the printer can't print; job-state-reasons gets `reason`, and aborted-by-system.
  func abort(
    _ id: Int, _ message: String, for reason: String? = nil, _ pages: [PrinterEvent.Page] = []
  ) {
    end(id, .aborted, [reason, "aborted-by-system"].compactMap { $0 }, message, pages)
  }

  /// Moves a job to its final state, and writes its result to its folder.
  func end(
    _ id: Int, _ final: JobState, _ reasons: [String], _ message: String,
    _ pages: [PrinterEvent.Page] = []
  ) {
    let job = state.withLock { state -> SimulatedJob? in
      guard var job = state[job: id], !job.state.isOver else { return nil }
      let before = state.printerState
      if state.current == id { state.current = nil }
      state.neededPaper = nil
      if state.printerState != before { state.changed = .now }
      job.become(final, reasons, message)
      job.completed = (.now, uptime)
      job.closeDocument()
      state[job: id] = job
      let isForgotten = state.armed.contains { $0.kind == .forget } || job.ending == .restarted
      if isForgotten { state.jobs.removeAll { $0.id == id } }
      // Printers remember completed jobs for a short time only, and our memory is limited, too.
      let over = state.jobs.filter(\.state.isOver)
      if over.count > 500, let oldest = over.first {
        state.jobs.removeAll { $0.id == oldest.id }
      }
      return job
    }
    guard let job else { return }
    if let folder = job.folder {
      do throws(Failure) {
        try JobFolder.describe(job, pages, in: folder, of: options.folder)
      } catch {
        tell(.failed(error))
      }
    }
    tell(.ended(job))
  }
}
