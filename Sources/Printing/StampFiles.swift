internal import AirprintContext
internal import Conversion
internal import Documents
internal import PrintModel
internal import PrintOptions
internal import System

/// The files that are drawn on a document's pages, open as long as the document exists.
struct StampFiles {
  private let wanted: [Stamp]
  private(set) var attachments: [OpeningOptions.Attachment] = []
  private(set) var descriptors: [Int32] = []
  /// Index of each stamp's file; nil for a text.
  private var places: [Int?] = []
  /// They close the descriptors.
  private(set) var owners: [AnyObject] = []
  /// What is missing from them since they were converted.
  private(set) var losses: [Loss] = []

  /// Opens the files; `page` is the size of the document's first page.
  ///
  /// Exit 66 for a file that can't be read, 65 for one that can't be drawn; the message names the stamp.
  init(
    _ stamps: [Stamp], for page: PageSize, _ context: Context, _ cancellation: Cancellation
  ) throws(Failure) {
    wanted = stamps
    for stamp in stamps {
      guard case .file(let path) = stamp.source else {
        places.append(nil)
        continue
      }
      do throws(Failure) {
        try add(stamp, path, page, context, cancellation)
      } catch {
        throw stamp.failure(error)
      }
    }
  }

  /// Returns the worker's input if these files come after `first` others.
  func stampings(after first: Int) -> [OpeningOptions.Stamping] {
    zip(wanted, places).map { stamp, place in
      OpeningOptions.Stamping(stamp, attachment: place.map { first + $0 })
    }
  }

  private mutating func add(
    _ stamp: Stamp, _ path: String, _ page: PageSize, _ context: Context,
    _ cancellation: Cancellation
  ) throws(Failure) {
    let file = try stamp.opened(path, context)
    var (descriptor, mediaType) = (file.descriptor, file.mediaType)
    if let chain = file.chain {
      let made = try chain.run(
        on: file.descriptor, suffix: file.suffix, base: file.folder, box: stamp.box(on: page),
        context, cancellation)
      owners.append(made)
      losses += made.losses.map { $0.of("--\(stamp.optionName) \(stamp.name)") }
      (descriptor, mediaType) = (made.descriptor, made.mediaType)
    }
    places.append(descriptors.count)
    owners.append(file)
    descriptors.append(descriptor)
    attachments.append(OpeningOptions.Attachment(name: path, mediaType: mediaType))
  }
}

extension Stamp {
  /// Opens its file.
  ///
  /// Callers name the stamp in failures with `failure`.
  func opened(_ path: String, _ context: Context) throws(Failure) -> InputFile {
    guard path != "-", !path.isEmpty else {
      throw Failure(.usage, "takes a file, or text: and a text.")
    }
    do throws(Failure) {
      return try InputFile(path, context)
    } catch {
      if error.code == .unreadable, let misread {
        throw Failure(.usage, "\(misread), and no file has this name.")
      }
      throw error
    }
  }

  /// Returns a failure of its file, with the stamp's name.
  func failure(_ error: Failure) -> Failure {
    error.of("--\(option.rawValue) \(name)")
  }
}
