internal import PrintModel
internal import Printers

extension Sequence<FoundPrinter> {
  /// Sorts by name in natural order; printers with the same name by their URIs.
  func sortedByName() -> [FoundPrinter] {
    let named: [(order: NaturalOrder, found: FoundPrinter)] = map { found in
      (NaturalOrder(found.printer.name), found)
    }
    let sorted = named.sorted { one, other in
      one.order == other.order
        ? one.found.printer.uri < other.found.printer.uri : one.order < other.order
    }
    return sorted.map(\.found)
  }
}
