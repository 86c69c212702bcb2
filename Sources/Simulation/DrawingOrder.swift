package import PrintModel

/// An order to draw a document other than raster as the printer would: its pages as PWG Raster, upright, in the order
/// in which they are printed.
package struct DrawingOrder: Sendable {
  /// The received file.
  package var document: String
  package var mediaType: String
  /// Descriptor of the file to write the raster to.
  package var output: Int32
  /// Paper to print on, including its margins.
  package var paper: Paper
  package var resolution: Resolution
  package var isColor: Bool
  package var sides: Sides
  /// The Job Template attributes: copies, page-ranges, print-scaling, orientation-requested, ….
  package var attributes: AttributeSet
}

extension AttributeSet {
  /// True if a job asks for all copies of a sheet before the next sheet.
  package var isUncollated: Bool {
    string("multiple-document-handling") == "separate-documents-uncollated-copies"
  }
}
