/// Escapes text for HTML and similar markup: a notification's body (Desktop Notifications Specification, "Markup"),
/// Pango's markup, a page, a quoted attribute.
///
/// Works on scalars: `<` followed by a mark is one Character other than `<`, but still starts a tag.
package func markupEscaped(_ text: String) -> String {
  var output = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": output.append(contentsOf: "&amp;".unicodeScalars)
    case "<": output.append(contentsOf: "&lt;".unicodeScalars)
    case ">": output.append(contentsOf: "&gt;".unicodeScalars)
    case "\"": output.append(contentsOf: "&quot;".unicodeScalars)
    case "'": output.append(contentsOf: "&#39;".unicodeScalars)
    default: output.append(scalar)
    }
  }
  return String(output)
}
