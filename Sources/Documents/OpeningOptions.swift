package import PrintModel

/// Input for opening a document beside its bytes.
package struct OpeningOptions: Sendable, Codable, Equatable {
  /// The type by the document's first bytes: see `DocumentFormat.sniff`.
  package var mediaType: String
  /// The files that it draws on (a receipt's pictures, a stamp on its pages), in the order of the
  /// descriptors that come with them.
  package var attachments: [Attachment] = []

  /// PNG pictures are pages in this resolution, one after the other in the file; nil: one picture.
  package var pageResolution: Resolution?

  /// Opens a protected PDF; never an argument, and in no message.
  package var password: String?

  /// The folder that a drawing's pictures are in; nil: it has none.
  package var folder: String?
  /// A converter made it: files that it brings along are the person's own, which the document fetched.
  package var refusesFiles = false
  /// It is itself drawn on the pages of another: what is transparent stays so.
  var isStamp = false
  /// Stamps drawn on its pages.
  package var stamps: [Stamping] = []

  package init(mediaType: String) { self.mediaType = mediaType }

  /// A stamp, and which of the attachments it is; none for a text.
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

    package init(name: String, mediaType: String) {
      self.name = name
      self.mediaType = mediaType
    }
  }
}
