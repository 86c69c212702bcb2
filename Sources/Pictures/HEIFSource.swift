internal import CHEIF
internal import Drawing
internal import LateLibraries
internal import PrintModel

/// The main picture of a HEIF or AVIF file, decoded by libheif, which also turns it upright.
final class HEIFSource: PictureSource {
  let width: Int
  let height: Int
  let hasAlpha: Bool
  let hasMore: Bool
  private(set) var profile: [UInt8] = []

  private let image: OpaquePointer
  private let pixels: UnsafePointer<UInt8>
  private let stride: Int
  private var next = 0

  /// Reads `bytes` completely, so that it is not needed later.
  init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try GraphicsLibraries.heif.load()
    let context = heif_context_alloc()
    defer { heif_context_free(context) }
    let most = PictureLimits.loaded(bytes.count)
    // Limit of the longer side; the area is checked below.
    heif_context_set_maximum_image_size_limit(context, Int32(clamping: 65_535))
    try HEIFSource.check(
      heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil))
    var handle: OpaquePointer?
    try HEIFSource.check(heif_context_get_primary_image_handle(context, &handle))
    guard let handle else { throw DamagedPicture.failure(nil) }
    defer { heif_image_handle_release(handle) }
    try PictureLimits.check(
      Int(heif_image_handle_get_width(handle)), Int(heif_image_handle_get_height(handle)),
      most: most)
    hasMore = heif_context_get_number_of_top_level_images(context) > 1
    hasAlpha = heif_image_handle_has_alpha_channel(handle) != 0
    let count = heif_image_handle_get_raw_color_profile_size(handle)
    if (1...(16 << 20)).contains(count) {
      var profile = [UInt8](repeating: 0, count: count)
      let result = heif_image_handle_get_raw_color_profile(handle, &profile)
      if result.code == heif_error_Ok { self.profile = profile }
    }
    var decoded: OpaquePointer?
    try HEIFSource.check(
      heif_decode_image(
        handle, &decoded, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, nil))
    guard let image = decoded else { throw DamagedPicture.failure(nil) }
    var stride: Int32 = 0
    let (width, height) = (
      Int(heif_image_get_width(image, heif_channel_interleaved)),
      Int(heif_image_get_height(image, heif_channel_interleaved))
    )
    guard
      let pixels = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride),
      width > 0, height > 0, Int(stride) >= 4 * width
    else {
      heif_image_release(image)
      throw DamagedPicture.failure(nil)
    }
    (self.image, self.pixels, self.stride) = (image, pixels, Int(stride))
    (self.width, self.height) = (width, height)
  }

  deinit { heif_image_release(image) }

  func readRow(to row: UnsafeMutablePointer<UInt32>) -> Bool {
    guard next < height else { return false }
    let line = pixels + next * stride
    for column in 0..<width {
      let pixel = line + 4 * column
      row[column] =
        UInt32(pixel[3]) << 24 | UInt32(pixel[0]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[2])
    }
    next += 1
    return true
  }

  private static func check(_ result: heif_error) throws(Failure) {
    guard result.code != heif_error_Ok else { return }
    if result.code == heif_error_Unsupported_filetype
      || result.subcode == heif_suberror_Unsupported_codec
    {
      throw .document(
        "The picture can't be read: libheif has no decoder for it here. Install one (on Debian: "
          + "libheif-plugin-libde265 for HEIC, libheif-plugin-dav1d for AVIF).")
    }
    let words = result.message.map { " (libheif: \(String(cString: $0)))" } ?? ""
    throw DamagedPicture.failure("it is damaged or cut short\(words)")
  }
}
