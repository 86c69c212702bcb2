/// A problem with raster data, in a sentence or two; `message` contains the place.
///
/// It is exit 65 for the data of a document or a client, and exit 70 for data that airprint writes.
package struct RasterError: Error, Sendable, Equatable {
  package enum Code: Sendable {
    /// The bytes are neither URF nor PWG Raster.
    case notRaster
    /// The data stops in the middle of a header or a line.
    case short
    /// A header or a line contradicts itself.
    case damaged
    /// Valid, but a color space, depth or order that is not supported, here or by the format.
    case unsupported
    /// More pixels or pages than anybody prints.
    case tooLarge
    /// The bytes could not be read.
    case unreadable
  }

  package var code: Code
  package var message: String
  /// The page, from 1; nil before the first.
  package var page: Int?
  /// The line of that page, from 1; nil in its header.
  package var line: Int?

  package init(_ code: Code, _ message: String, page: Int? = nil, line: Int? = nil) {
    self.code = code
    self.message = message
    self.page = page
    self.line = line
  }
}

extension RasterError: CustomStringConvertible {
  package var description: String { message }
}
