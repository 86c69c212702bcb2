internal import PrintModel
internal import Printers

extension Sequence<FoundPrinter> {
  /// Sorts by name in natural order; printers with the same name by their URIs.
  func sortedByName() -> [FoundPrinter] { sortedByName { $0 } }
}

extension Sequence {
  /// Sorts by the names of printers in natural order; those with the same name by their URIs.
  func sortedByName(_ printer: (Element) -> FoundPrinter) -> [Element] {
    let named: [(order: NaturalOrder, element: Element)] = map { element in
      (NaturalOrder(printer(element).printer.name), element)
    }
    let sorted = named.sorted { one, other in
      one.order == other.order
        ? printer(one.element).printer.uri < printer(other.element).printer.uri
        : one.order < other.order
    }
    return sorted.map(\.element)
  }
}
