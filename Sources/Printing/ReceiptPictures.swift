internal import AirprintContext
internal import Documents
internal import FoundationEssentials
internal import Glibc
internal import PrintModel
internal import System

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
      throw Failure(.unreadable, "it is not in the receipt's folder.")
    }
    // Do not wait for a writer if this is a pipe.
    let opened = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else {
      throw Failure(.unreadable, "\(SystemError()).")
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
    else { throw Failure(.unreadable, "it is not in the receipt's folder.") }
    guard let status = FileStatus(descriptor: file), status.kind == S_IFREG,
      status.st_size <= largestFile
    else { throw Failure(.unreadable, "it is not a file of up to \(largestFile >> 20) MB.") }
    let type = try InputFile.sniff(file)
    guard type.hasPrefix("image/"), !DocumentFormat.isRaster(type) else {
      throw Failure(.document, "it is not a picture.")
    }
    return type
  }

  /// Returns the path of an open file, without links (proc(5)).
  private static func place(of descriptor: Int32) -> String? {
    Context.linkTarget("\(Context.descriptors)\(descriptor)")
  }
}
