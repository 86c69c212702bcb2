package import PrintModel
internal import SVG

/// Options for opening a document.
package struct OpeningOptions: Sendable, Codable, Equatable {
  /// The type recognized by the document's first bytes: see `DocumentFormat.sniff`.
  package var mediaType: String
  /// Files that it draws (a receipt's pictures, a stamp on its pages), in the order of the descriptors passed along
  /// with them.
  package var attachments: [Attachment] = []

  /// The resolution of PNG pictures that are pages, one after the other in the file; nil: one picture.
  package var pageResolution: Resolution?

  /// Opens a protected PDF; never passed as an argument, and not in any message.
  package var password: String?

  /// The folder of a drawing's pictures; nil: none.
  package var folder: String?
  /// Set for a converter's output: files embedded in it are the user's own, which the document has fetched.
  package var refusesFiles = false
  /// Set if it is drawn on the pages of another document: transparent areas stay transparent.
  var isStamp = false
  /// Stamps drawn on its pages.
  package var stamps: [Stamping] = []

  package init(mediaType: String) { self.mediaType = mediaType }

  /// The files in `folder` that it may draw, nearest first.
  package var filesInFolder: [String] { folder.map(DrawingFolder.files) ?? [] }

  /// A stamp, and the index of its attachment; nil for a text.
  package struct Stamping: Sendable, Codable, Equatable {
    package var stamp: Stamp
    package var attachment: Int?

    package init(_ stamp: Stamp, attachment: Int?) {
      self.stamp = stamp
      self.attachment = attachment
    }
  }

  /// A file that a document draws on.
  package struct Attachment: Sendable, Codable, Equatable {
    /// The document's own label.
    package var name: String
    package var mediaType: String
    /// A converter made it that knows the size of its place.
    package var isMade: Bool

    package init(name: String, mediaType: String, isMade: Bool = false) {
      self.name = name
      self.mediaType = mediaType
      self.isMade = isMade
    }
  }
}
