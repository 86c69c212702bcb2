import FoundationEssentials
import Testing

/// Pictures that none of our encoders can write, red and 16 by 16 pixels, made by libheif's heif-enc.
extension PictureFile {
  /// JP2 of 8 × 8 pixels; the last 156 bytes are the codestream.
  static var redJPEG2000: [UInt8] {
    get throws {
      Array(
        try #require(
          Data(
            base64Encoded: """
              AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAACAAAAAgAAwcHAAAAAAAPY29scgEA\
              AAAAABAAAACkanAyY/9P/1EALwAAAAAACAAAAAgAAAAAAAAAAAAAAAgAAAAIAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAAB\
              AAMEBAAB/1wADUBASEhQSEhQSEhQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS40/5AACgAAAAAAIwAB\
              /5PPtAQA34AIB9+ACAeAgICAgICAgID/2Q==
              """)))
    }
  }

  /// 8 x 8 red pixels, the lower half transparent.
  static var halfJPEG2000: [UInt8] {
    get throws {
      Array(
        try #require(
          Data(
            base64Encoded: """
              AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAABPanAyaAAAABZpaGRyAAAACAAAAAgABAcHAAAAAAAPY29scgEAAAAA\
              ABAAAAAiY2RlZgAEAAAAAAABAAEAAAACAAIAAAADAAMAAQAAAAAA1GpwMmP/T/9RADIAAAAAAAgAAAAIAAAAAAAAAAAAAAAIAAAA\
              CAAAAAAAAAAAAAQHAQEHAQEHAQEHAQH/UgAMAAAAAQAABAQAAf9cAARAQP9kACUAAUNyZWF0ZWQgYnkgT3BlbkpQRUcgdmVyc2lv\
              biAyLjUuNP+QAAoAAAAAAFkAAf+Tz7QUFABcr4ffgCgRUFSjb9+AKBFQVKNv34GAOw0M09Y61tnAMJCDD6AYR5inEfcpoj7lNEfc\
              poj7lNEfcpoj7lNEfcpoj7lNEf9//9k=
              """)))
    }
  }

  /// 8 x 8 gray pixels, half of them translucent, made by Pillow.
  static var grayJPEG2000: [UInt8] {
    get throws {
      Array(
        try #require(
          Data(
            base64Encoded: """
              AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAABDanAyaAAAABZpaGRyAAAACAAAAAgAAgcHAAAAAAAPY29scgEAAAAA\
              ABEAAAAWY2RlZgACAAAAAAABAAEAAQAAAAAAxmpwMmP/T/9RACwAAAAAAAgAAAAIAAAAAAAAAAAAAAAIAAAACAAAAAAAAAAAAAIH\
              AQEHAQH/UgAMAAAAAQADBAQAAf9cAA1AQEhIUEhIUEhIUP9kACUAAUNyZWF0ZWQgYnkgT3BlbkpQRUcgdmVyc2lvbiAyLjUuNP+Q\
              AAoAAAAAAEgAAf+TwHQQCc+0CAQfx9oEAAG/p+AECE/D6gQACRUpw6PtBQADtXAZf8PqBgAXK86x/3+j7QcADyesh0j/f//Z
              """)))
    }
  }

  /// A gray picture in JPEG 2000 (ISO 15444-1 Annex A), which can be halved five times: all of its packets are empty.
  static func grayJPEG2000(_ width: Int, _ height: Int, components: Int) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let size = number(width) + number(height)
    let origin = number(0) + number(0)
    var code: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51, 0, UInt8(38 + 3 * components), 0, 0]
    code += size + origin + size + origin + [0, UInt8(components)]
    for _ in 0..<components { code += [7, 1, 1] }
    code += [0xFF, 0x52, 0, 12, 0, 0, 0, 1, 0, 5, 4, 4, 0, 1, 0xFF, 0x5C, 0, 19, 0x40]
    code += Array(repeating: 0x48, count: 16)
    code += [0xFF, 0x90, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF, 0x93]
    return code + Array(repeating: 0, count: 6 * components) + [0xFF, 0xD9]
  }

  /// HEVC in a grid, as iPhones write it.
  static var redHEIC: [UInt8] {
    get throws {
      Array(
        try #require(
          Data(
            base64Encoded: """
              AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA\
              AAAAAAAAAAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAABAAEAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEA\
              AAAAAAAAKwACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAV\
              aW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAA\
              AQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFluqumubgQEDAgAAA\
              AwCAAAADAIQiAAEABkQBwXPBiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4\
              aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAADNt\
              ZGF0AAAAJygBrxkhYEJA712lv/+Iyv+YgX+u1t8pkoCmlwTXiJkLA4GAjZGdOA==
              """)))
    }
  }

  /// AV1 in the same container.
  static var redAVIF: [UInt8] {
    get throws {
      Array(
        try #require(
          Data(
            base64Encoded: """
              AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA\
              AAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAHwAAACNpaW5mAAAA\
              AAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIABoAAAAAMYXYx\
              Q4EADAAAAAAUaXNwZQAAAAAAAAAQAAAAEAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYIDhAAA\
              ACdtZGF0EgAKCRgM/9ggQEDQgDIQGwAaaaaEAACpjnYoRLYTdw==
              """)))
    }
  }
}
