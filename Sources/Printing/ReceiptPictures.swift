internal import Documents
internal import Glibc
internal import PrintModel
internal import System

/// The pictures that a receipt names, opened for its workers, which open nothing by themselves.
///
/// They are taken from the folder that the receipt is in (the current one for standard input) and from
/// nowhere else: a receipt may be made of what a customer typed. What can't be loaded is left out, with
/// a sentence in `warnings`.
final class ReceiptPictures {
  private(set) var attachments: [OpeningOptions.Attachment] = []
  /// One for each of `attachments`, open as long as this object lives.
  private(set) var descriptors: [Int32] = []
  private(set) var warnings: [String] = []

  /// Nothing of what a till prints is larger.
  private static let largestFile = 64 << 20

  /// None for a document that is no receipt.
  ///
  /// `assets` is their folder where it is not the receipt's. The failure is exit 65, with the line that is wrong.
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
        warnings.append("Skipping picture \(name): \(error.message)")
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
    // Not to wait for whoever would write into a pipe.
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

  /// The picture's media type, if it is one, lies in the folder wherever links lead, and is no larger
  /// than pictures are.
  private static func mediaType(_ file: Int32, in folder: Int32) throws(Failure) -> String {
    // Asked of the kernel after the file was opened: nobody can change it in between.
    guard let path = place(of: file), let root = place(of: folder),
      path.hasPrefix(root == "/" ? root : root + "/")
    else { throw Failure(.unreadable, "it is not in the receipt's folder.") }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= largestFile
    else { throw Failure(.unreadable, "it is not a file of up to \(largestFile >> 20) MB.") }
    let type = try InputFile.sniff(file)
    guard type.hasPrefix("image/"), !DocumentFormat.isRaster(type) else {
      throw Failure(.document, "it is not a picture.")
    }
    return type
  }

  /// proc(5): the name of an open file, without links.
  private static func place(of descriptor: Int32) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
