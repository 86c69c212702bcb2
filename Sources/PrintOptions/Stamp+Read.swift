package import PrintModel

extension Stamp {
  /// Parses `FILE[@page=1,3-|first|last|odd|even][,rect=x,y,w,h][,opacity=0.3][,rotate=45]`.
  ///
  /// A file's name may contain `@` and commas: it ends at the last `@` that is followed by a list of options, else at
  /// the first such comma. `text:PAID` is a text; `@@` in it is a literal `@`.
  package init(_ text: String, isBelow: Bool) {
    let (name, options, misread) = Stamp.split(text)
    guard name.hasPrefix("text:") else {
      self.init(source: .file(name), isBelow: isBelow, options: options)
      self.misread = misread ?? StampOptions.forgottenPage(in: name[...])
      return
    }
    let words = name.dropFirst(5)
    self.init(
      source: .text(String(words).replacing("@@", with: "@")), isBelow: isBelow, options: options)
    self.misread = misread ?? StampOptions.slip(in: words)
  }

  private static func split(
    _ text: String
  ) -> (name: String, options: StampOptions, misread: String?) {
    let places =
      text.indices.filter { text[$0] == "@" }.reversed() + text.indices.filter { text[$0] == "," }
    var misread: String?
    for place in places {
      let rest = text[text.index(after: place)...]
      guard StampOptions.isBegun(rest) else { continue }
      // `@@` in a text is a literal `@`.
      if text.hasPrefix("text:"), text[place] == "@", text[text.index(before: place)] == "@" {
        continue
      }
      // A comma after an invalid option does not make that part of the name.
      if misread != nil, text[place] == "," { break }
      do {
        return (String(text[..<place]), try StampOptions(rest), nil)
      } catch {
        misread = misread ?? error.description
      }
    }
    return (text, StampOptions(), misread)
  }

  /// The option to which it belongs.
  package var option: PrintOption { isBelow ? .underlay : .overlay }
}
