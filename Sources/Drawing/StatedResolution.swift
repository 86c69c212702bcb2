package import PrintModel

extension [UInt8] {
  /// This PNG with its resolution in a pHYs chunk (PNG 3rd edition §11.3.4) after the header, in pixels per meter.
  package func statingPNG(_ resolution: Resolution) -> [UInt8] {
    let header = 8 + 25
    guard count > header, self[12..<16].elementsEqual("IHDR".utf8) else { return self }
    func number(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }
    }
    func perMeter(_ dots: Int) -> [UInt8] { number(UInt32((Double(dots) / 0.0254).rounded())) }
    let chunk = Array("pHYs".utf8) + perMeter(resolution.x) + perMeter(resolution.y) + [1]
    return self[..<header] + number(9) + chunk + number(chunk.pngChecksum) + self[header...]
  }

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

  /// PNG's CRC-32 (§5.5), for a few bytes.
  private var pngChecksum: UInt32 {
    ~reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
  }
}
