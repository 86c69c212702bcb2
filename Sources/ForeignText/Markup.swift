/// Escapes text for where HTML or a kind of it is read: a notification's body (Desktop Notifications Specification,
/// "Markup"), Pango's markup, a page, an attribute in quotes.
///
/// By scalars: `<` with a mark behind it is one Character that is not `<`, and a tag all the same.
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
