package import PrintModel

extension [UInt8] {
  /// This JPEG with its resolution in the JFIF header, in dots per inch (ITU-T T.871 §10.1).
  package func statingJPEG(_ resolution: Resolution) -> [UInt8] {
    guard count > 20, self[2] == 0xFF, self[3] == 0xE0, self[6..<10].elementsEqual("JFIF".utf8)
    else { return self }
    var file = self
    file[13] = 1
    for (place, dots) in [(14, resolution.x), (16, resolution.y)] {
      file[place] = UInt8(truncatingIfNeeded: dots >> 8)
      file[place + 1] = UInt8(truncatingIfNeeded: dots)
    }
    return file
  }
}
