/// Everything the user asks of one job, after the command line, the environment and the settings
/// have been laid over each other.
///
/// Unset members leave the choice to negotiation.
package struct PrintRequest: Sendable, Equatable {
  /// The type that was named; a type guessed from the document is not kept here.
  package var type: JobType?
  package var copies = 1
  package var pages: PageRanges?
  package var pageSet = PageSet.all
  /// The last sheet first.
  package var isReversed = false
  /// Pages of a booklet: sheets that are folded in the middle, as one.
  package var isBooklet = false
  package var paper: [MediaSelector] = []
  package var tray: String?
  package var mediaType: String?
  package var borderless: Bool?
  package var cutLength = CutLength.auto
  package var sides: SidesOption?
  package var color: ColorOption?
  package var quality: Quality?
  package var resolution: Resolution?
  package var scaling: Scaling?
  package var orientation = OrientationOption.auto
  package var numberUp = 1
  package var pageBorder = PageBorder.none
  package var position: Position?
  /// `--margins`: from the paper's edges as the page's reader holds it.
  package var margins: Margins?
  package var header: RunningText?
  package var footer: RunningText?
  /// `--overlay` and `--underlay`, in the order given.
  package var stamps: [Stamp] = []
  package var format = FormatOption.auto
  /// `--assets`: where an HTML page's pictures and style sheets are, when that is not its own folder.
  package var assets: String?
  /// `--from`: the document's type, as a media type or a file's suffix.
  package var from: String?
  /// `--font`, `--align` and `--text-color`.
  package var text = TextStyle()
  /// `--renderer`: a program, or a name that the configuration has for one.
  package var renderer: String?
  /// `--alternate`: files that take the document's place on their paper.
  package var alternates: [Alternate] = []
  /// `-o raw`: the file is sent to the printer unchanged and unread.
  package var isRaw = false
  /// `-o NAME=VALUE`, in the order given.
  package var options: [JobOption] = []
  /// The moment that a time of the day among them means (`--hold 18:00`), in seconds since 1970.
  package var holdEnd: Int?
  /// Print on paper that is not loaded, or a type that the printer does not serve.
  package var force = false
  /// Fail rather than replace an option that the printer can't grant.
  package var strict = false
  /// The options that came from settings, by long option name, with the file's name: where the document contradicts
  /// one it is dropped with a reason, where one typed now is an error.
  package var fromSettings: [String: String] = [:]

  package init() {}

  /// `--odd` and `--even`: of the pages of the document, by their number; of sides, where several pages are on one.
  package enum PageSet: String, Sendable, CaseIterable {
    case all, even, odd

    /// True for the page with this index, from 0.
    package func contains(_ index: Int) -> Bool {
      switch self {
      case .all: true
      case .even: index % 2 == 1
      case .odd: index % 2 == 0
      }
    }
  }

  /// `--output-order`.
  package enum OutputOrder: String, Sendable, CaseIterable {
    case normal, reverse
  }

  /// `--sides`.
  package enum SidesOption: String, Sendable, CaseIterable {
    case one, long, short, auto
  }

  /// `--color`.
  package enum ColorOption: String, Sendable, CaseIterable {
    case auto, color, gray
  }

  /// `--orientation`.
  package enum OrientationOption: String, Sendable, CaseIterable {
    case auto, portrait, landscape
  }

  /// `--position`: where a page lies that is smaller than its sheet.
  package enum Position: String, Sendable, CaseIterable {
    case top, center
  }

  /// `--format`.
  package enum FormatOption: String, Sendable, CaseIterable {
    case auto, pdf, urf, pwg, jpeg, ps

    /// The media type that is asked for; nil for auto.
    package var mediaType: String? {
      switch self {
      case .auto: nil
      case .pdf: DocumentFormat.pdf
      case .urf: DocumentFormat.urf
      case .pwg: DocumentFormat.pwg
      case .jpeg: DocumentFormat.jpeg
      case .ps: DocumentFormat.postscript
      }
    }
  }

  /// `--cut-length`: where a roll is cut.
  package enum CutLength: Sendable, Equatable {
    /// Lower end of the content.
    case auto
    /// The longest cut that the printer makes.
    case max
    case length(Hundredths)
  }

  /// `--alternate PAPER=FILE`.
  package struct Alternate: Sendable, Equatable {
    package var paper: MediaSelector
    package var file: String

    package init(paper: MediaSelector, file: String) {
      self.paper = paper
      self.file = file
    }

    /// True when it is for this paper: within 0.5 mm, either way round.
    package func isFor(_ paper: Paper) -> Bool {
      func near(_ one: Hundredths, _ other: Hundredths) -> Bool { one.distance(to: other) <= 50 }
      func near(_ one: MediaSize, _ other: MediaSize) -> Bool {
        near(one.width, other.width) && near(one.length, other.length)
      }
      switch self.paper {
      case .best: return false
      case .roll(let width, _): return paper.isRoll && near(width, paper.size.width)
      case .sheet(let size, _):
        return !paper.isRoll && (near(size, paper.size) || near(size.rotated, paper.size))
      }
    }
  }

  /// An IPP attribute given as text.
  package struct JobOption: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }
}
