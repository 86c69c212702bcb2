#!/usr/bin/env python3
"""Makes the bench's documents: text, vector, photo and mixed pages as PDF, A4, with nothing but Python.

usage: bench/documents.py FOLDER
"""
import math
import random
import sys

from pdf_file import PDFFile

WIDTH, HEIGHT = 595, 842
WORDS = "paper tray sheet roll margin printer receipt label colour photo envelope page ink line".split()


def pdf(path, pages, picture=None):
    """Writes pages (content streams) that share Helvetica and one picture (width, height, RGB bytes)."""
    file = PDFFile()
    resources = b"/Font << /F %d 0 R >>" % file.add(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    if picture:
        width, height, data = picture
        number = file.stream(
            data, b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB "
            b"/BitsPerComponent 8" % (width, height))
        resources += b" /XObject << /P %d 0 R >>" % number
    for page in pages:
        file.page(page, resources)
    file.write(path)


def text(chance):
    lines = ["BT /F 10 Tf 50 790 Td 13 TL"]
    for _ in range(56):
        lines.append("(%s) Tj T*" % " ".join(chance.choice(WORDS) for _ in range(13)))
    return "\n".join(lines + ["ET"])


def vector(chance):
    lines = []
    for number in range(400):
        x, y, r = chance.random() * WIDTH, chance.random() * HEIGHT, 5 + chance.random() * 60
        lines.append("%.2f %.2f %.2f RG %.1f w" % (
            chance.random(), chance.random(), chance.random(), .3 + 2 * chance.random()))
        points = [(x + r * math.cos(a * .7), y + r * math.sin(a * 1.3)) for a in range(13)]
        lines.append("%.1f %.1f m" % points[0])
        for a, b, c in zip(points[1::3], points[2::3], points[3::3]):
            lines.append("%.1f %.1f %.1f %.1f %.1f %.1f c" % (*a, *b, *c))
        lines.append("S" if number % 3 else "%.2f g f" % chance.random())
    return "\n".join(lines)


def photo(width, height):
    chance = random.Random(3)
    grain = bytes(chance.randrange(24) for _ in range(4096))
    data = bytearray()
    for y in range(height):
        for x in range(width):
            g = grain[(x * 31 + y * 17) % 4096]
            data += bytes((x * 200 // width + g, y * 200 // height + g, (x + y) * 100 // width % 200 + g))
    return width, height, bytes(data)


def main(folder):
    chance = random.Random(1)
    picture = photo(1200, 900)
    show = "q %d 0 0 %d %d %d cm /P Do Q"
    pdf(f"{folder}/text.pdf", [text(chance) for _ in range(20)])
    pdf(f"{folder}/vector.pdf", [vector(chance) for _ in range(10)])
    pdf(f"{folder}/photo.pdf", [show % (545, 409, 25, 400) for _ in range(10)], picture)
    pdf(f"{folder}/mixed.pdf", [text(chance) + "\n" + show % (240, 180, 300, 60) for _ in range(20)], picture)
    for count in 1, 10, 30, 100:
        pdf(f"{folder}/pages-{count}.pdf", [text(chance) for _ in range(count)])


main(sys.argv[1])
