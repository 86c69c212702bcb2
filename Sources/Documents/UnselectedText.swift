// Text as it could be selected: Poppler notes it for every page that it draws as a screen shows it, letter by letter,
// and puts words and lines together at the page's end. Nobody selects anything here, and on a page of text it is a
// twentieth of the work.

/// In the place of Poppler's own, `ActualText::addChar`, with nothing.
@_cdecl("_ZN10ActualText7addCharEPK8GfxStateddddjiPKji")
public func noteNoLetter() {}
