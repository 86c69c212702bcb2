// Selectable text: Poppler records it letter by letter for every page that it draws as on a screen, and assembles words
// and lines at the page's end. It is not needed here, and takes a twentieth of the time of a page of text.

/// Replaces Poppler's function `ActualText::addChar`; does nothing.
@_cdecl("_ZN10ActualText7addCharEPK8GfxStateddddjiPKji")
public func noteNoLetter() {}
