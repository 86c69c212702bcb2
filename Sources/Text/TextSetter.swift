internal import CCairo
internal import CGLib
internal import CPango
internal import LateLibraries
internal import PrintModel

/// Measures and draws the paragraphs of one column of text with Pango, with the same layout for both.
final class TextSetter {
  private let layout: OpaquePointer
  private let style: TextStyle
  /// Indentation of the continuation of a broken line, in points.
  private var indent = 0.0
  /// Width of a column in Pango's units; 0 if the font is not monospaced.
  private let column: Int32
  /// Logical extents of a line of the font itself.
  private let plainLine: PangoRectangle
  /// True if the paragraph's lines are as high as `plainLine`, although fonts for other scripts are higher.
  private var isRuled = false
  /// The heights of long paragraphs measured so far, by their bytes.
  private var measured: [[UInt8]: [Double]] = [:]

  /// The font of a style: 10 points give 80 columns on A4 and Letter with their usual margins; 7 points give 48 columns
  /// on an 80 mm roll and 32 on a 58 mm one, as on receipt printers.
  static func fontDescription(_ style: TextStyle, isRoll: Bool) -> OpaquePointer? {
    let description = pango_font_description_new()
    pango_font_description_set_family(description, style.family ?? "Monospace")
    let size = style.size ?? (isRoll ? 7 : 10)
    pango_font_description_set_size(description, Int32(size * Double(PANGO_SCALE)))
    return description
  }

  /// Sets up a column `width` points wide.
  ///
  /// For drawing, `context` is the context to draw on.
  init(
    width: Double, isRoll: Bool, style: TextStyle, drawingOn context: OpaquePointer? = nil
  ) throws(Failure) {
    self.style = style
    layout = try unhintedLayout(for: context)
    let font = TextSetter.fontDescription(style, isRoll: isRoll)
    pango_layout_set_font_description(layout, font)
    pango_font_description_free(font)
    pango_layout_set_width(layout, Int32(clamping: Int(width * Double(PANGO_SCALE))))
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    pango_layout_set_justify(layout, style.alignment == .justify ? 1 : 0)
    setTabs(in: layout)
    column = TextSetter.column(of: layout)
    plainLine = logicalExtents(of: pango_layout_get_line_readonly(layout, 0))
  }

  private static func column(of layout: OpaquePointer) -> Int32 {
    let widths = ["iiii", "0000"].map { measuredWidth(of: $0, in: layout) }
    return abs(widths[0] - widths[1]) < 4 ? widths[1] / 4 : 0
  }

  /// The font family used in place of a missing one; nil if the requested family exists.
  static func replacement(of style: TextStyle) throws(Failure) -> String? {
    guard let wanted = style.family else { return nil }
    try GraphicsLibraries.text.load()
    let map = pango_cairo_font_map_get_default()
    guard let pango = pango_font_map_create_context(map) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(pango)) }
    let description = fontDescription(style, isRoll: false)
    defer { pango_font_description_free(description) }
    guard let font = pango_context_load_font(pango, description) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(font)) }
    let found = pango_font_describe(font)
    defer { pango_font_description_free(found) }
    guard let family = pango_font_description_get_family(found) else { return nil }
    let name = String(cString: family)
    // Generic names, for which the system has some font.
    let kinds = [
      "monospace", "mono", "sans", "sans-serif", "serif", "system-ui", "cursive", "fantasy",
    ]
    let isThere = name.lowercased() == wanted.lowercased() || kinds.contains(wanted.lowercased())
    return isThere ? nil : name
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

  /// The height of every line of a paragraph, in points.
  ///
  /// A repetitive line of several megabytes arrives in pieces, each of which takes Pango milliseconds: a known piece is
  /// not measured again.
  func heights(of paragraph: TextLine) -> [Double] {
    guard paragraph.text.utf8.count >= 512, paragraph.spans.isEmpty else {
      return measure(paragraph)
    }
    let bytes = Array(paragraph.text.utf8)
    if let known = measured[bytes] { return known }
    let heights = measure(paragraph)
    if measured.count == 64 { measured.removeAll() }
    measured[bytes] = heights
    return heights
  }

  private func measure(_ paragraph: TextLine) -> [Double] {
    set(paragraph)
    return (0..<pango_layout_get_line_count(layout)).map { index in
      Double(extents(pango_layout_get_line_readonly(layout, index)).height) / Double(PANGO_SCALE)
    }
  }

  /// The distance from the top of an entry's first line to its baseline, in points.
  func ascent(of entry: TextEntry) -> Double {
    set(entry.paragraph)
    guard let line = pango_layout_get_line_readonly(layout, Int32(entry.lines.lowerBound)) else {
      return 0
    }
    return -Double(extents(line).y) / Double(PANGO_SCALE)
  }

  /// A line's logical extents.
  private func extents(_ line: UnsafeMutablePointer<PangoLayoutLine>?) -> PangoRectangle {
    var logical = logicalExtents(of: line)
    if isRuled { (logical.y, logical.height) = (plainLine.y, plainLine.height) }
    return logical
  }

  /// Draws lines of a paragraph, `x` points from the page's left.
  func draw(_ entry: TextEntry, at x: Double, on context: OpaquePointer) {
    set(entry.paragraph)
    let ink = style.color
    cairo_set_source_rgb(
      context, Double(ink.red) / 255, Double(ink.green) / 255, Double(ink.blue) / 255)
    var y = entry.top
    for index in entry.lines {
      let x = index > 0 ? x + indent : x
      guard let line = pango_layout_get_line_readonly(layout, Int32(index)) else { return }
      let logical = extents(line)
      let scale = Double(PANGO_SCALE)
      cairo_move_to(context, x + offset(of: line, logical) / scale, y - Double(logical.y) / scale)
      pango_cairo_show_layout_line(context, line)
      y += Double(logical.height) / scale
    }
  }

  /// Right-to-left paragraphs are aligned at the right, unless another alignment is requested.
  private func offset(
    of line: UnsafeMutablePointer<PangoLayoutLine>, _ logical: PangoRectangle
  ) -> Double {
    let isRightToLeft = pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL
    let room = Double(pango_layout_get_width(layout) - logical.width)
    return switch style.alignment {
    case .left: -Double(logical.x)
    case .right: room
    case .center: room / 2
    case .start, .justify: isRightToLeft ? room : -Double(logical.x)
    }
  }

  private func set(_ paragraph: TextLine) {
    let text = paragraph.text
    let attributes = TextSetter.attributes(paragraph)
    widen(WideCharacters(in: text), of: text, attributes)
    pango_layout_set_attributes(layout, attributes)
    pango_attr_list_unref(attributes)
    indentContinuation(of: text)
    // An empty line is as high as any other.
    pango_layout_set_text(layout, text.isEmpty ? " " : text, -1)
  }

  /// Makes each wide character in a row of a table two columns wide.
  private func widen(_ wide: WideCharacters, of text: String, _ attributes: OpaquePointer?) {
    isRuled = column > 0 && wide.isRuled
    guard column > 0, !wide.runs.isEmpty else { return }
    // Measured in one line, and without the attributes of the last paragraph.
    let width = pango_layout_get_width(layout)
    pango_layout_set_width(layout, -1)
    pango_layout_set_indent(layout, 0)
    pango_layout_set_attributes(layout, nil)
    defer { pango_layout_set_width(layout, width) }
    for run in wide.runs {
      let bytes = text.utf8.dropFirst(run.bytes.lowerBound).prefix(run.bytes.count)
      let width = measuredWidth(of: String(decoding: bytes, as: UTF8.self), in: layout)
      // Pango puts half of it on each side, but none at the start of a line.
      let sides = Int32(2 * run.count - (run.bytes.lowerBound == 0 ? 1 : 0))
      let missing = 2 * column * Int32(run.count) - width
      guard let attribute = pango_attr_letter_spacing_new(2 * missing / sides) else { continue }
      attribute.pointee.start_index = UInt32(run.bytes.lowerBound)
      attribute.pointee.end_index = UInt32(run.bytes.upperBound)
      pango_attr_list_insert(attributes, attribute)
    }
  }

  /// Indents the continuation of a broken line like its start, unless that is in the right half of the column.
  private func indentContinuation(of text: String) {
    indent = 0
    pango_layout_set_indent(layout, 0)
    let start = text.utf8.prefix { $0 == 0x20 || $0 == 0x09 }
    guard !start.isEmpty, text.utf8.count - start.count > 16,
      [.start, .left].contains(style.alignment)
    else { return }
    let width = measuredWidth(of: String(start) ?? "", in: layout)
    guard width > 0, width < pango_layout_get_width(layout) / 2 else { return }
    pango_layout_set_indent(layout, -width)
    indent = Double(width) / Double(PANGO_SCALE)
  }

  /// Pango's attributes of the spans, and of the whole text: where a long word is broken, as in code and addresses, no
  /// hyphen is added that the text does not have.
  private static func attributes(_ paragraph: TextLine) -> OpaquePointer? {
    let list = pango_attr_list_new()
    if !paragraph.text.hasSoftHyphens {
      pango_attr_list_insert(list, pango_attr_insert_hyphens_new(0))
    }
    for span in paragraph.spans {
      var attributes: [UnsafeMutablePointer<PangoAttribute>?] = []
      if span.look.isBold { attributes.append(pango_attr_weight_new(PANGO_WEIGHT_BOLD)) }
      if span.look.isItalic { attributes.append(pango_attr_style_new(PANGO_STYLE_ITALIC)) }
      if span.look.isUnderlined {
        attributes.append(pango_attr_underline_new(PANGO_UNDERLINE_SINGLE))
      }
      if let color = span.look.color {
        let (red, green, blue) = (UInt16(color[0]), UInt16(color[1]), UInt16(color[2]))
        attributes.append(pango_attr_foreground_new(red * 257, green * 257, blue * 257))
      }
      for case let attribute? in attributes {
        attribute.pointee.start_index = UInt32(span.bytes.lowerBound)
        attribute.pointee.end_index = UInt32(span.bytes.upperBound)
        pango_attr_list_insert(list, attribute)
      }
    }
    return list
  }
}
