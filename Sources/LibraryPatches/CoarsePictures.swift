internal import Synchronization

/// JPEG 2000 pictures of PDFs that are decoded at a half, a quarter or an eighth of their resolution, because their
/// pixels would take more memory than a worker has.
///
/// OpenJPEG (2.5) keeps four bytes for each sample of the whole picture, which is 420 MB for a sheet of A4 in color at
/// 600 dpi. But it can decode the picture in a smaller size (ISO 15444-1 §B.5), and Poppler draws that if the picture's
/// dictionary states that size, as `LargePictures` has it do.
package enum CoarsePictures {
  private struct Size: Hashable {
    var width: Int
    var height: Int
    var components: Int
  }

  /// How often pictures are halved.
  private static let halvings = Mutex<[Size: Int]>([:])
  /// The most that a picture was halved since the last `take`.
  private static let halved = Mutex(0)

  /// Has pictures of this size halved so often when they are decoded.
  package static func halve(width: Int, height: Int, components: Int, _ times: Int) {
    let size = Size(width: width, height: height, components: components)
    halvings.withLock { $0[size] = times }
  }

  private static let setReduction: (@convention(c) (OpaquePointer?, UInt32) -> Int32)? =
    libraryFunction("opj_set_decoded_resolution_factor")
  fileprivate static let readHeader:
    (
      @convention(c) (
        OpaquePointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt32>?>?
      ) -> Int32
    )? = libraryFunction("opj_read_header")

  /// Sets the resolution at which a picture is decoded whose header was read.
  ///
  /// - `image`: opj_image_t: left, top, right, bottom and the number of components (openjpeg.h).
  fileprivate static func reduce(_ codec: OpaquePointer?, _ image: UnsafePointer<UInt32>) {
    let size = Size(
      width: Int(image[2]) - Int(image[0]), height: Int(image[3]) - Int(image[1]),
      components: Int(image[4]))
    guard let times = halvings.withLock({ $0[size] }),
      setReduction?(codec, UInt32(times)) == 1
    else { return }
    halved.withLock { $0 = max($0, times) }
  }

  /// The share of the resolution at which pictures were decoded since the last call, in words; nil if all were decoded
  /// as they are.
  package static func take() -> String? {
    var times = 0
    halved.withLock { swap(&$0, &times) }
    return times == 0 ? nil : ["half", "a quarter", "an eighth"][times - 1]
  }
}

/// Replaces OpenJPEG's function (see `CoarsePictures`).
@_cdecl("opj_read_header")
public func readJPEG2000Header(
  _ stream: OpaquePointer?, _ codec: OpaquePointer?,
  _ image: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>?>?
) -> Int32 {
  let isRead = CoarsePictures.readHeader?(stream, codec, image) ?? 0
  if isRead == 1, let image = image?.pointee { CoarsePictures.reduce(codec, image) }
  return isRead
}
