/// Dots per inch, across the feed direction and along it.
package struct Resolution: Sendable, Hashable, Codable {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  package init(_ both: Int) { self.init(x: both, y: both) }

  package var isSquare: Bool { x == y }
}

extension Resolution: CustomStringConvertible {
  package var description: String { isSquare ? "\(x)dpi" : "\(x)x\(y)dpi" }
}
