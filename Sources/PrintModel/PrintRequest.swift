/// All options of one job, combined from the command line, the environment and the settings.
///
/// Negotiation chooses the values of unset members.
package struct PrintRequest: Sendable, Equatable {
  /// The type that was named; a guessed type is not stored here.
  package var type: JobType?
  package var copies = 1
  /// True to print all copies of a sheet before the next sheet.
  package var isUncollated = false
  package var pages: PageRanges?
  package var pageSet = PageSet.all
  /// True to print the last sheet first.
  package var isReversed = false
  /// True for the pages of a booklet: all sheets folded in the middle together.
  package var isBooklet = false
  package var paper: [MediaSelector] = []
  package var tray: String?
  /// `--first-page-tray`: the tray of the first sheet.
  package var firstPageTray: String?
  package var mediaType: String?
  package var borderless: Bool?
  package var cutLength = CutLength.auto
  package var sides: SidesOption?
  package var color: ColorOption?
  package var quality: Quality?
  package var resolution: Resolution?
  package var scaling: Scaling?
  package var orientation = OrientationOption.auto
  package var rotation = Rotation.none
  package var numberUp = 1
  /// `--number-up 3x8`: the places of `numberUp` pages.
  package var grid: PageGrid?
  package var poster: Poster?
  package var pageBorder = PageBorder.none
  package var position: Position?
  /// `--margins`: from the paper's edges as its reader holds it.
  package var margins: Margins?
  package var header: RunningText?
  package var footer: RunningText?
  /// `--overlay` and `--underlay`, in the order given.
  package var stamps: [Stamp] = []
  package var format = FormatOption.auto
  /// `--assets`: the folder of an HTML page's pictures and style sheets, if that is not its own.
  package var assets: String?
  /// `--from`: the document's type, as a media type or a file's suffix.
  package var from: String?
  /// `--font`, `--align` and `--text-color`.
  package var text = TextStyle()
  /// `--renderer`: a program, or the name of one in the configuration.
  package var renderer: String?
  /// `--alternate`: files that replace the document on their paper.
  package var alternates: [Alternate] = []
  /// `-o raw`: the file is sent to the printer unchanged, and not inspected.
  package var isRaw = false
  /// The options that are an attribute, as it is sent: `--speed`, by long option name.
  ///
  /// print-darkness is in percent of the printer's range.
  package var attributes: [String: Attribute] = [:]
  /// `title`: the job's name; empty: it has none that says anything.
  package var title: String?
  /// `-U`: requesting-user-name of the job, instead of the name of who runs airprint.
  package var user: String?
  /// `-o NAME=VALUE`, in the order given.
  package var options: [JobOption] = []
  /// The time that a time of day among them refers to (`--hold 18:00`), in seconds since 1970.
  package var holdEnd: Int?
  /// True to print on paper that is not loaded, or a type that the printer does not serve.
  package var force = false
  /// True to fail rather than replace an option that the printer can't grant.
  package var strict = false
  /// `--preset`: the name of values that the printer keeps for a job.
  package var preset: String?
  /// The options from settings, by long option name, with the file's name.
  ///
  /// If the document contradicts a setting, it is ignored with a reason, whereas a typed option is an error.
  package var fromSettings: [String: String] = [:]
  /// The options that were given, typed or in settings, by long option name; not with `auto`, which is no wish.
  package private(set) var given: Set<String> = []

  package init() {}

  /// Records where an option's value comes from: nil if it was typed.
  package mutating func give(_ option: String, from file: String?, isWish: Bool = true) {
    fromSettings[option] = file
    if isWish { given.insert(option) } else { given.remove(option) }
  }

  /// Returns true for an option that was typed.
  package func isTyped(_ option: String) -> Bool {
    given.contains(option) && fromSettings[option] == nil
  }

  /// `--odd` and `--even`: pages of the document by their number; sides if there are several pages on each.
  package enum PageSet: String, Sendable, CaseIterable {
    case all, even, odd

    /// Returns true for the page with this index, from 0.
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

  /// `--position`: position of a page that is smaller than its sheet.
  package enum Position: String, Sendable, CaseIterable {
    case top, center
  }

  /// `--format`.
  package enum FormatOption: String, Sendable, CaseIterable {
    case auto, pdf, urf, pwg, jpeg, ps

    /// The requested media type; nil for auto.
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
    /// At the end of the content.
    case auto
    /// The longest cut that the printer supports.
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

    /// Returns true if it is for this paper: within 0.5 mm, in either orientation.
    package func isFor(_ paper: Paper) -> Bool {
      switch self.paper {
      case .best: false
      case .roll(let width, _):
        paper.isRoll && width.distance(to: paper.size.width) <= MediaSize.near
      case .sheet(let size, _): !paper.isRoll && size.matchesEitherWay(paper.size)
      }
    }
  }

  /// An option given as text: an IPP attribute or, in a job's record, a print option by its long name.
  package struct JobOption: Codable, Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }
}
