import PrintModel
import Testing

@testable import Text

/// The position of a few lines on an envelope or a label.
@Suite struct TextBlocksTests {
  private func blocks(
    _ text: String, _ arrangement: PageBox.Arrangement, _ width: Double, _ height: Double,
    margin: Double = 9, style: TextStyle = TextStyle()
  ) throws -> [TextBlock]? {
    let box = PageBox(
      size: PageSize(width: width, height: height),
      content: Rectangle(
        x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin),
      isRoll: false, text: style, arrangement: arrangement)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return try BlockSetter(box: box).blocks(lines)
  }

  private static let address = "Jane Doe\n1 Main Street\nSpringfield"

  // DL, and North America's #10.
  @Test(arguments: [
    (PageBox.Arrangement.envelope, 624.0, 312.0, 312.0, 113.4),
    (.envelopeOfNorthAmerica, 684.0, 297.0, 287.0, 104.0),
  ])
  func `an address stands where the post looks for it, in the size that it reads`(
    _ arrangement: PageBox.Arrangement, _ width: Double, _ height: Double, _ left: Double,
    _ top: Double
  ) throws {
    let blocks = try #require(try blocks(Self.address, arrangement, width, height))
    #expect(blocks.count == 1)
    let block = try #require(blocks.first)
    #expect(block.style.size == 12 && block.entries.count == 3)
    #expect(abs(block.x - left) < 1 && abs((block.entries.first?.top ?? 0) - top) < 1)
    #expect(block.entries.map(\.top) == block.entries.map(\.top).sorted())
    #expect((block.entries.last?.top ?? height) < height - 42)
  }

  @Test func `a block before the address is the sender, small and in the corner`() throws {
    let text = "\n  \nACME\nPO Box 1\n\n\(Self.address)\n\n"
    let blocks = try #require(try blocks(text, .envelope, 624, 312))
    #expect(blocks.map(\.entries.count) == [2, 3])
    #expect(blocks.map(\.style.size) == [8, 12])
    #expect(blocks[0].x == 21 && blocks[0].entries[0].top == 21)
    // All blocks but the last belong to the sender.
    let three = try #require(try self.blocks("a\n\nb\n\nc", .envelope, 624, 312))
    #expect(three.map(\.entries.count) == [3, 1])
  }

  @Test func `a label has its text as large as fits, in the middle, unbroken`() throws {
    let (width, height) = (255.0, 82.0)
    let large = try #require(try blocks("\n42\n", .label, width, height)?.first)
    let small = try #require(try blocks(Self.address, .label, width, height)?.first)
    let (most, least) = (large.style.size ?? 0, small.style.size ?? 0)
    #expect(most > 30 && most <= 96 && least > 10 && least < most)
    #expect(large.entries.count == 1 && small.entries.allSatisfy { $0.lines == 0..<1 })
    #expect(large.entries[0].top >= 9 && large.entries[0].top < height / 2)
    // Two millimeters would be a waste, and letters at the edge look cut off.
    #expect(small.x > 11 && small.x < 9 + 5)
    // A requested size is not exceeded.
    var style = TextStyle()
    style.size = 10
    let asked = try blocks("42", .label, width, height, style: style)
    #expect(asked?.first?.style.size == 10)
  }

  @Test func `text that leaves its place in the smallest type is no label and no address`() throws {
    let long = Array(repeating: "A line of a letter that nobody writes on a label", count: 60)
      .joined(separator: "\n")
    #expect(try blocks(long, .label, 255, 82) == nil)
    #expect(try blocks(long, .envelope, 624, 312) == nil)
    // Long lines are broken first.
    let broken = try #require(
      try blocks(String(repeating: "word ", count: 60), .label, 255, 82)?.first)
    #expect(broken.style.size == 5 && broken.entries[0].lines.count > 1)
    #expect(try blocks(" \n\n", .label, 255, 82)?.isEmpty == true)
  }
}
