internal import CJBIG2
internal import CQPDF
package import LateLibraries

extension LibraryVersion {
  package static var ofPDFRepair: [GraphicsLibraries: LibraryVersion] {
    [
      .pdfObjects: LibraryVersion(
        built: dotted(QPDF_MAJOR_VERSION, QPDF_MINOR_VERSION, QPDF_PATCH_VERSION),
        words: { qpdf_get_qpdf_version() }),
      .jbig2: LibraryVersion(
        built: dotted(JBIG2_VERSION_MAJOR, JBIG2_VERSION_MINOR), loaded: { nil }),
    ]
  }
}
