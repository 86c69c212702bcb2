internal import CQPDF
internal import Glibc

/// An object of a PDF (ISO 32000-1 §7.3), with references followed.
///
/// Names have no slash. What an object is not has a neutral value: null, 0, nothing.
package struct PDFObject {
  let file: PDFFile
  let handle: qpdf_oh

  init(_ file: PDFFile, _ handle: qpdf_oh) {
    self.file = file
    self.handle = handle
  }

  private var data: qpdf_data? { file.data }

  package var isNull: Bool { qpdf_oh_is_null(data, handle) != 0 }
  package var isArray: Bool { qpdf_oh_is_array(data, handle) != 0 }
  package var isDictionary: Bool { qpdf_oh_is_dictionary(data, handle) != 0 }
  package var isStream: Bool { qpdf_oh_is_stream(data, handle) != 0 }
  package var isTrue: Bool {
    qpdf_oh_is_bool(data, handle) != 0 && qpdf_oh_get_bool_value(data, handle) != 0
  }

  /// The object's number; 0 for a direct object.
  package var id: Int32 { qpdf_oh_get_object_id(data, handle) }

  package var integer: Int { isInteger ? Int(qpdf_oh_get_int_value(data, handle)) : 0 }
  var isInteger: Bool { qpdf_oh_is_integer(data, handle) != 0 }

  package var number: Double? {
    qpdf_oh_is_number(data, handle) != 0 ? qpdf_oh_get_numeric_value(data, handle) : nil
  }

  package var name: String? {
    guard qpdf_oh_is_name(data, handle) != 0 else { return nil }
    return qpdf_oh_get_name(data, handle).map { String(cString: $0 + 1) }
  }

  /// A text string (§7.9.2.2).
  var text: String? {
    guard qpdf_oh_is_string(data, handle) != 0 else { return nil }
    return qpdf_oh_get_utf8_value(data, handle).map { String(cString: $0) }
  }

  // MARK: Members

  /// A member of a dictionary, or of a stream's dictionary; null if there is none, which removes it when it is set.
  package internal(set) subscript(name: String) -> PDFObject {
    get { PDFObject(file, qpdf_oh_get_key_if_dict(data, dictionary, "/" + name)) }
    nonmutating set {
      qpdf_oh_replace_or_remove_key(data, dictionary, "/" + name, newValue.handle)
    }
  }

  func remove(_ name: String) { qpdf_oh_remove_key(data, dictionary, "/" + name) }

  /// A dictionary with the same members, that is no object of its own.
  var directCopy: PDFObject {
    let copy = qpdf_oh_new_dictionary(data)
    for name in names(atMost: 5_000) {
      qpdf_oh_replace_key(data, copy, name, qpdf_oh_get_key(data, handle, name))
    }
    return PDFObject(file, copy)
  }

  private var dictionary: qpdf_oh { isStream ? qpdf_oh_get_dict(data, handle) : handle }

  /// A dictionary's members.
  package func values(atMost most: Int = 5_000) -> [PDFObject] {
    names(atMost: most).map { PDFObject(file, qpdf_oh_get_key(data, handle, $0)) }
  }

  /// The names of a dictionary's members, with their slashes.
  private func names(atMost most: Int) -> [String] {
    guard isDictionary else { return [] }
    var names: [String] = []
    qpdf_oh_begin_dict_key_iter(data, handle)
    while names.count < most, qpdf_oh_dict_more_keys(data) != 0,
      let name = qpdf_oh_dict_next_key(data)
    {
      names.append(String(cString: name))
    }
    return names
  }

  /// An array's elements.
  package func items(atMost most: Int = 10_000) -> [PDFObject] {
    guard isArray else { return [] }
    return (0..<min(Int(qpdf_oh_get_array_n_items(data, handle)), max(0, most))).map {
      PDFObject(file, qpdf_oh_get_array_item(data, handle, Int32($0)))
    }
  }

  package var numbers: [Double] { items(atMost: 16).map { $0.number ?? 0 } }

  /// The object, or the elements of an array: a page's contents, a filter.
  package var oneOrAll: [PDFObject] { isArray ? items() : [self] }

  // MARK: Streams

  /// A stream's data, unpacked; nil: it is no stream, states that it is longer than `most` bytes, or is damaged.
  ///
  /// - `isPacked`: as it is in the file.
  package func data(atMost most: Int, isPacked: Bool = false) -> [UInt8]? {
    guard isStream, (0...max(0, most)).contains(self["Length"].integer) else { return nil }
    var bytes: UnsafeMutablePointer<UInt8>?
    var (count, isUnpacked) = (0, QPDF_FALSE)
    let status = qpdf_oh_get_stream_data(
      data, handle, isPacked ? qpdf_dl_none : qpdf_dl_generalized, &isUnpacked, &bytes, &count)
    defer { free(bytes) }
    guard status & QPDF_ERRORS == 0, isPacked || isUnpacked != 0 else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  /// Replaces a stream's data by bytes that are not packed.
  func replaceData(with bytes: [UInt8]) {
    let null = qpdf_oh_new_null(data)
    qpdf_oh_replace_stream_data(data, handle, bytes, bytes.count, null, null)
  }
}

extension PDFObject {
  /// True for an annotation that is printed according to its flags (ISO 32000-1 §12.5.3).
  package var isPrintedAnnotation: Bool {
    // Hidden is 2, Print 4, NoView 32.
    self["F"].integer & 6 == 4
  }
}
