package import PrintModel

/// A document that is no raster, to be drawn as the printer would: its pages as PWG Raster, upright, in
/// the order in which they come out.
package struct DrawingOrder: Sendable {
  /// The file that came.
  package var document: String
  package var mediaType: String
  /// Descriptor of the file that the raster is written to.
  package var output: Int32
  /// Medium it is printed on, margins and all.
  package var paper: Paper
  package var resolution: Resolution
  package var isColor: Bool
  package var sides: Sides
  /// The Job Template attributes: copies, page-ranges, print-scaling, orientation-requested, ….
  package var attributes: AttributeSet
}
