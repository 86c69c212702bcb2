"""Baseline JPEG files (ITU-T T.81) whose coefficients are invented: what a decoder does with them is what
it does with a photograph's, and nothing has to be transformed first."""

DC_COUNTS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
# The usual table for AC coefficients is long; 8 bits for each of these is equivalent.
AC_CODES = [0x00, 0xF0] + [run << 4 | size for size in range(1, 8) for run in range(16)]


def huffman(counts, symbols):
    """The bits of each symbol: code and length (T.81 annex C)."""
    codes, code, places = {}, 0, iter(symbols)
    for length, count in enumerate(counts, 1):
        for _ in range(count):
            codes[next(places)] = (code, length)
            code += 1
        code <<= 1
    return codes


def magnitude(value):
    size = abs(value).bit_length()
    return size, value if value >= 0 else value + (1 << size) - 1


class Scan:
    def __init__(self):
        self.bits, self.count, self.out = 0, 0, bytearray()

    def put(self, value, length):
        self.bits, self.count = self.bits << length | value, self.count + length
        while self.count >= 8:
            self.count -= 8
            byte = self.bits >> self.count
            self.out.append(byte)
            if byte == 0xFF:
                self.out.append(0)
            self.bits &= (1 << self.count) - 1


def jpeg(width, height, components, block):
    """A JPEG of so many components; `block(component, x, y)` gives the mean of eight by eight pixels
    (-128…127) and their coefficients, as pairs of zeros before it and value."""
    ac_counts = [0] * 7 + [len(AC_CODES)] + [0] * 8
    dc, ac = huffman(DC_COUNTS, range(12)), huffman(ac_counts, AC_CODES)

    def segment(marker, body):
        return bytes([0xFF, marker]) + (len(body) + 2).to_bytes(2, "big") + body

    scan, last = Scan(), [0] * components
    for y in range((height + 7) // 8):
        for x in range((width + 7) // 8):
            for component in range(components):
                mean, coefficients = block(component, x, y)
                size, bits = magnitude(mean - last[component])
                last[component] = mean
                scan.put(*dc[size])
                scan.put(bits, size)
                for zeros, value in coefficients:
                    size, bits = magnitude(value)
                    scan.put(*ac[zeros << 4 | size])
                    scan.put(bits, size)
                scan.put(*ac[0])
    scan.put(0x7F, 7)
    ids = range(1, components + 1)
    # The first coefficient is eight times the mean, in units of 1.
    table = bytes([0, 8] + [4 + place // 4 for place in range(1, 64)])
    frame = bytes([8]) + height.to_bytes(2, "big") + width.to_bytes(2, "big") + bytes([components])
    return (
        b"\xff\xd8" + segment(0xDB, table) + segment(0xC0, frame + bytes(b for i in ids for b in (i, 0x11, 0)))
        + segment(0xC4, bytes([0x00] + DC_COUNTS) + bytes(range(12)))
        + segment(0xC4, bytes([0x10] + ac_counts) + bytes(AC_CODES))
        + segment(0xDA, bytes([components]) + bytes(b for i in ids for b in (i, 0)) + b"\x00\x3f\x00")
        + bytes(scan.out) + b"\xff\xd9")
