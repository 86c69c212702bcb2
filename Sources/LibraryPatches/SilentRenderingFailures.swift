internal import CCairo
internal import CLibraryPatches
package import PrintModel

/// Problems of Poppler's cairo renderer for which it leaves something out without an error: fonts that it can't create,
/// which it only writes of to standard error, pictures of which a side is longer than cairo's longest, 32,767 pixels,
/// characters that a font of drawings (Type 3) doesn't have, in place of which it draws the first one, and the colors of
/// drawings.
package enum SilentRenderingFailures {
  /// Set by Poppler, on the only thread that draws.
  nonisolated(unsafe) fileprivate static var lacksPicture = false

  /// Starts to read what libraries write to standard error.
  package static func listen() { complaints_listen() }

  /// The reason for which Splash has to draw what was drawn since the last call; nil: there is none.
  package static func take() -> SplashReason? {
    defer { lacksPicture = false }
    let complaints = complaints_take() + glyphs_take(other_glyph)
    let lacksColors = glyphs_take(lost_colors) != 0
    return complaints != 0 || lacksPicture ? .leftOut : lacksColors ? .colorFont : nil
  }
}

/// Replaces cairo's function (see `SilentRenderingFailures`): a picture that is too long is an error that Poppler ignores.
@_cdecl("cairo_image_surface_create")
public func createPicture(
  _ format: Int32, _ width: Int32, _ height: Int32
) -> OpaquePointer? {
  let picture = own_cairo_image_surface_create()?(cairo_format_t(format), width, height)
  if HairlineStrokes.isEnforced, cairo_surface_status(picture) == CAIRO_STATUS_INVALID_SIZE {
    SilentRenderingFailures.lacksPicture = true
  }
  return picture
}

/// Fonts that a PDF doesn't include, and others with which its text was drawn.
package enum SubstitutedFonts {
  package struct Font {
    package var name: String
    package var substitute: String
    /// True if its letters are not those of the text.
    package var isWrong: Bool
  }

  /// Those with which text was drawn since the last call, and which look otherwise.
  package static func take() -> [Font] {
    var fonts: [Font] = []
    var font = substituted_font()
    while fonts_take(&font) != 0 {
      fonts.append(
        Font(
          name: String(cString: font.family),
          substitute: font.drawn.map { String(cString: $0) } ?? "",
          isWrong: font.is_wrong))
    }
    return fonts
  }
}

/// Text of a PDF that Poppler draws at the end of a path, instead of where it is.
package enum MisplacedText {
  /// True when there was any since the last call.
  package static func take() -> Bool { places_take() != 0 }
}

/// Pictures that Poppler, or any library by libjpeg, draws without an error although bytes of them are damaged or
/// missing.
package enum DamagedPictures {
  /// True when there was one on this thread since the last call.
  package static func take() -> Bool { pictures_take() != 0 }
}
