internal import AirprintContext
internal import Conversion
internal import Documents
internal import Glibc
internal import PrintModel
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
  /// Exit 66 for a file that can't be read, 78 if a setting names it, 65 for one that can't be drawn; the message names
  /// the stamp.
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
        let failure = error.of(stamp.typed)
        guard error.code == .unreadable else { throw failure }
        throw try context.settings.configuration().blaming(failure, for: path)
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
      losses += made.losses.map { $0.of(stamp.typed) }
      (descriptor, mediaType) = (made.descriptor, made.mediaType)
    }
    places.append(descriptors.count)
    owners.append(file)
    descriptors.append(descriptor)
    attachments.append(
      OpeningOptions.Attachment(
        name: path, mediaType: mediaType, isMade: file.chain?.namesPaper == true))
  }
}

extension Stamp {
  /// Opens its file.
  ///
  /// Callers name the stamp in failures.
  func opened(_ path: String, _ context: Context) throws(Failure) -> InputFile {
    guard path != "-", !path.isEmpty else {
      throw .usage("takes a file, or text: and a text.")
    }
    do throws(Failure) {
      return try InputFile(path, context)
    } catch {
      if error.code == .unreadable, let misread {
        throw .usage("\(misread), and no file has this name.")
      }
      throw error
    }
  }
}

/// The pictures that a receipt names, opened for its workers, which open no files themselves.
///
/// They must be in the receipt's folder (the current one for standard input): a receipt may contain text that a
/// customer typed. A picture that can't be loaded is skipped, and told in `losses`.
final class ReceiptPictures {
  private(set) var attachments: [OpeningOptions.Attachment] = []
  /// One for each of `attachments`, open as long as this object exists.
  private(set) var descriptors: [Int32] = []
  private(set) var losses: [Loss] = []

  /// Largest file; nothing that a till prints is larger.
  private static let largestFile = 64 << 20

  /// Opens the pictures; none for a document that is not a receipt.
  ///
  /// `assets` is their folder if it is not the receipt's. Exit 65 with the invalid line.
  init(of file: InputFile, assets: String? = nil) throws(Failure) {
    guard file.mediaType == DocumentFormat.receipt else { return }
    let names = try picturesOfReceipt(file.descriptor)
    guard !names.isEmpty else { return }
    let slash = file.path.lastIndex(of: "/")
    let path = assets ?? slash.map { String(file.path[...$0]) } ?? "."
    let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    for name in names {
      do throws(Failure) {
        let (descriptor, type) = try ReceiptPictures.open(name, in: folder)
        descriptors.append(descriptor)
        attachments.append(OpeningOptions.Attachment(name: name, mediaType: type))
      } catch {
        losses.append(
          Loss(.file, "The picture \(name) is missing from the receipt: \(error.message)"))
      }
    }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  private static func open(
    _ name: String, in folder: Int32
  ) throws(Failure) -> (descriptor: Int32, mediaType: String) {
    guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
      throw .unreadable("it is not in the receipt's folder.")
    }
    // Do not wait for a writer if this is a pipe.
    let opened = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else {
      throw .unreadable("\(SystemError()).")
    }
    do throws(Failure) {
      return (opened, try mediaType(opened, in: folder))
    } catch {
      close(opened)
      throw error
    }
  }

  /// Returns the media type of a picture in the folder, after resolving links, that is no larger than allowed.
  private static func mediaType(_ file: Int32, in folder: Int32) throws(Failure) -> String {
    // Ask the kernel after the file was opened: the answer can't change afterwards.
    guard let path = place(of: file), let root = place(of: folder),
      path.hasPrefix(root == "/" ? root : root + "/")
    else { throw .unreadable("it is not in the receipt's folder.") }
    guard let status = FileStatus(descriptor: file), status.kind == S_IFREG,
      status.st_size <= largestFile
    else { throw .unreadable("it is not a file of up to \(largestFile >> 20) MB.") }
    let type = try InputFile.sniff(file)
    guard type.hasPrefix("image/"), !DocumentFormat.isRaster(type) else {
      throw .document("it is not a picture.")
    }
    return type
  }

  /// Returns the path of an open file, without links (proc(5)).
  private static func place(of descriptor: Int32) -> String? {
    Context.linkTarget("\(Context.descriptors)\(descriptor)")
  }
}
