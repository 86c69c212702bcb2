#!/usr/bin/env python3
"""Makes one-page documents of the kinds that people print, with nothing but Python; the JPEG 2000 picture
by opj_compress, where it is installed.

usage: bench/one_page.py FOLDER
"""
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

from jpeg_file import jpeg
from pdf_file import PDFFile

WORDS = ("the of to and printer paper in is that tray which sheet for on it with as was ink margin be by this "
         "have page from colour letter office about order").split()


def lines(chance, count, size, x, y, lead, words=11, font="F"):
    out = ["BT /%s %g Tf %g %g Td %g TL" % (font, size, x, y, lead)]
    out += ["(%s) Tj T*" % " ".join(chance.choice(WORDS) for _ in range(words)) for _ in range(count)]
    return "\n".join(out + ["ET"])


def fonts(file, **names):
    members = [b"/%s %d 0 R" % (key.encode(), file.add(
        b"<< /Type /Font /Subtype /Type1 /BaseFont /%s >>" % name.encode())) for key, name in names.items()]
    return b"/Font << %s >>" % b" ".join(members)


def letter(path, chance):
    file = PDFFile()
    text = [lines(chance, 5, 10, 70, 740, 13, 3), lines(chance, 1, 12, 70, 620, 13, 6, "B"),
            lines(chance, 22, 11, 70, 590, 15, 13), lines(chance, 3, 10, 70, 200, 14, 2, "I")]
    file.page("\n".join(text), fonts(file, F="Times-Roman", B="Times-Bold", I="Times-Italic"))
    file.write(path)


def invoice(path, chance):
    file = PDFFile()
    side = 240
    logo = bytearray()
    for y in range(side):
        for x in range(side):
            r = math.hypot(x - 120, y - 120)
            logo += bytes((20, 90, 160)) if 60 < r < 110 else bytes((250, 170, 30)) if r < 45 else b"\xff\xff\xff"
    picture = file.stream(bytes(logo), b"/Type /XObject /Subtype /Image /Width %d /Height %d "
                          b"/ColorSpace /DeviceRGB /BitsPerComponent 8" % (side, side))
    text = ["q 90 0 0 90 440 720 cm /P Do Q", lines(chance, 6, 10, 60, 780, 13, 4),
            "0.85 0.9 0.95 rg 60 600 475 22 re f 0 g", lines(chance, 1, 11, 66, 607, 13, 8, "B")]
    for row in range(18):
        y = 580 - row * 22
        text.append("0.7 G 0.5 w 60 %d m 535 %d l S" % (y - 6, y - 6))
        text.append(lines(chance, 1, 9, 66, y, 12, 7) + "\nBT /F 9 Tf 480 %d Td (%.2f) Tj ET" % (y, chance.random() * 900))
    text.append("BT /B 12 Tf 420 160 Td (Total 4,711.08) Tj ET")
    file.page("\n".join(text), fonts(file, F="Helvetica", B="Helvetica-Bold") + b" /XObject << /P %d 0 R >>" % picture)
    file.write(path)


def form(path, chance):
    """Forty fields and twenty boxes, each with its own appearance."""
    file = PDFFile()
    font = file.add(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    resources = b"/Font << /F %d 0 R >>" % font
    fields, text = [], []

    def field(x, y, width, content, members):
        look = file.stream(content.encode(), b"/Type /XObject /Subtype /Form /BBox [0 0 %d 16] "
                           b"/Resources << %s >>" % (width, resources))
        fields.append(file.add(
            b"<< /Type /Annot /Subtype /Widget /F 4 /T (f%d) /Rect [%d %d %d %d] /AP << /N %d 0 R >> %s >>"
            % (len(fields), x, y, x + width, y + 16, look, members)))

    for row in range(20):
        y = 760 - row * 34
        for x in 60, 310:
            text.append("BT /F 8 Tf %d %d Td (%s) Tj ET" % (x, y + 20, chance.choice(WORDS)))
            words = " ".join(chance.choice(WORDS) for _ in range(4))
            field(x, y, 200, "0.93 0.95 1 rg 0 0 200 16 re f 0 g BT /F 10 Tf 3 4 Td (%s) Tj ET" % words,
                  b"/FT /Tx /V (%s) /DA (/F 10 Tf 0 g)" % words.encode())
        field(530, y, 16, "0 G 0.5 0.5 15 15 re S 3 3 m 13 13 l 3 13 m 13 3 l S", b"/FT /Btn")
    names = b" ".join(b"%d 0 R" % number for number in fields)
    file.page("\n".join(text), resources, members=b"/Annots [%s]" % names)
    file.write(path, b"/AcroForm << /Fields [%s] /DR << %s >> >>" % (names, resources))


def picture(path, name, data, width, height, space, members=b""):
    """A picture on nearly all of a page."""
    file = PDFFile()
    number = file.stream(data, b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /%s "
                         b"/BitsPerComponent 8 /Filter /%s %s" % (width, height, space, name, members), packed=False)
    tall = 545 * height // width
    file.page("q 545 0 0 %d 25 %d cm /P Do Q" % (tall, (842 - tall) // 2), b"/XObject << /P %d 0 R >>" % number)
    file.write(path)


def scan(path, chance):
    """A letter as an office scanner sends it: gray, 200 dpi, nearly all of it paper."""
    kinds = [[(chance.randrange(3), chance.randrange(-9, 10) or 1) for _ in range(9)] for _ in range(64)]

    def block(_, x, y):
        if y % 4 == 0 or not 20 < x < 190 or not 25 < y < 230 or chance.random() < .2:
            return 112 + chance.randrange(3), ()
        return chance.randrange(-60, 100), kinds[chance.randrange(64)]
    picture(path, b"DCTDecode", jpeg(1654, 2339, 1, block), 1654, 2339, b"DeviceGray")


def fax(path, chance):
    """A letter in black and white, 300 dpi, as a stencil: the way of scanners that save bytes."""
    width, height = 2480, 3508
    stride = (width + 7) // 8
    data = bytearray()
    for y in range(height):
        if y % 4 == 0:
            row = bytearray(b"\xff" * stride)
            if y % 40 < 22 and 200 < y < 3300:
                for x in range(30, stride - 30):
                    if chance.random() < .3:
                        row[x] = chance.choice((0x0F, 0x3C, 0x00, 0xF0, 0x81))
        data += row
    file = PDFFile()
    number = file.stream(bytes(data), b"/Type /XObject /Subtype /Image /Width %d /Height %d /ImageMask true "
                         b"/BitsPerComponent 1" % (width, height))
    file.page("q 595 0 0 842 0 0 cm /P Do Q", b"/XObject << /P %d 0 R >>" % number)
    file.write(path)


def cutout(path, chance):
    """A photo that is cut out by a soft mask, on a tinted page, as leaflets have them."""
    kinds = [[(chance.randrange(3), chance.randrange(-5, 6) or 1) for _ in range(5)] for _ in range(64)]

    def block(component, x, y):
        return int(math.sin(x / 17 + component) * math.cos(y / 23 - component) * 70), kinds[(x * 31 + y * 17) % 64]
    width, height = 1200, 1600
    mask = bytearray()
    for y in range(height):
        for x in range(width):
            edge = 1.05 - math.hypot((x - width / 2) / width, (y - height / 2) / height) * 2
            mask.append(max(0, min(255, int(edge * 2000))))
    file = PDFFile()
    size = b"/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 " % (width, height)
    shape = file.stream(bytes(mask), size + b"/ColorSpace /DeviceGray")
    photo = file.stream(jpeg(width, height, 3, block), size + b"/ColorSpace /DeviceRGB /Filter /DCTDecode "
                        b"/SMask %d 0 R" % shape, packed=False)
    text = ["0.93 0.96 1 rg 0 0 595 842 re f 0 g", lines(chance, 12, 11, 70, 780, 15, 13), "q 420 0 0 560 87 20 cm /P Do Q"]
    file.page("\n".join(text), fonts(file, F="Times-Roman") + b" /XObject << /P %d 0 R >>" % photo)
    file.write(path)


def cmyk(path, chance):
    kinds = [[(chance.randrange(4), chance.randrange(-5, 6) or 1) for _ in range(5)] for _ in range(64)]

    def block(component, x, y):
        wave = math.sin(x / 17 + component) * math.cos(y / 23 - component)
        return int(wave * 70 - 30), kinds[(x * 31 + y * 17 + component) % 64]
    picture(path, b"DCTDecode", jpeg(1600, 1200, 4, block), 1600, 1200, b"DeviceCMYK")


def jpeg2000(path, chance):
    width, height, data = 1600, 1200, bytearray(b"P6\n1600 1200\n255\n")
    grain = bytes(chance.randrange(24) for _ in range(4096))
    for y in range(height):
        for x in range(width):
            g = grain[(x * 31 + y * 17) % 4096]
            data += bytes((x * 200 // width + g, y * 200 // height + g, (x + y) * 100 // width % 200 + g))
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/picture.ppm", "wb") as file:
            file.write(data)
        subprocess.run(["opj_compress", "-i", f"{folder}/picture.ppm", "-o", f"{folder}/picture.jp2", "-r", "12"],
                       check=True, stdout=subprocess.DEVNULL)
        with open(f"{folder}/picture.jp2", "rb") as file:
            picture(path, b"JPXDecode", file.read(), width, height, b"DeviceRGB")


def street_map(path, chance):
    """100,000 lines."""
    out, file = ["0.4 w"], PDFFile()
    for number in range(5_000):
        x, y, angle = chance.random() * 595, chance.random() * 842, chance.random() * 7
        out.append("%.2f %.2f %.2f RG %.2f %.2f m" % (chance.random(), chance.random(), chance.random(), x, y))
        for _ in range(20):
            angle += chance.random() - .5
            x, y = x + 4 * math.cos(angle), y + 4 * math.sin(angle)
            out.append("%.2f %.2f l" % (x, y))
        out.append("S")
    file.page("\n".join(out))
    file.write(path)


def shading(path, chance):
    """Gradients along lines and in circles, behind text."""
    file, names, text = PDFFile(), [], []
    for number in range(24):
        ends = [b"[%.2f %.2f %.2f]" % (chance.random(), chance.random(), chance.random()) for _ in range(2)]
        function = b"<< /FunctionType 2 /Domain [0 1] /C0 %s /C1 %s /N 1.2 >>" % (*ends,)
        x, y = 40 + number % 4 * 130, 690 - number // 4 * 120
        kind = (b"/ShadingType 2 /Coords [%d %d %d %d]" % (x, y, x + 120, y + 110) if number % 2 else
                b"/ShadingType 3 /Coords [%d %d 5 %d %d 70]" % (x + 40, y + 60, x + 60, y + 55))
        names.append(b"/S%d %d 0 R" % (number, file.add(
            b"<< /ColorSpace /DeviceRGB %s /Function %s /Extend [true true] >>" % (kind, function))))
        text.append("q %d %d 120 110 re W n /S%d sh Q" % (x, y, number))
    text.append(lines(chance, 20, 9, 60, 760, 36, 14))
    file.page("\n".join(text), fonts(file, F="Helvetica") + b" /Shading << %s >>" % b" ".join(names))
    file.write(path)


def transparency(path, chance):
    """Groups that are half transparent, one on the other."""
    file, forms, states, text = PDFFile(), [], [], []
    for number in range(4):
        states.append(b"/G%d << /ca %.1f /CA %.1f >>" % (number, .3 + number / 10, .3 + number / 10))
    for number in range(30):
        shapes = ["%.2f %.2f %.2f rg" % (chance.random(), chance.random(), chance.random())]
        for _ in range(6):
            shapes.append("%d %d %d %d re f" % (chance.randrange(100), chance.randrange(100), 60, 40))
        forms.append(b"/X%d %d 0 R" % (number, file.stream(
            "\n".join(shapes).encode(), b"/Type /XObject /Subtype /Form /BBox [0 0 180 160] "
            b"/Group << /S /Transparency /I true /CS /DeviceRGB >>")))
        text.append("q /G%d gs 1 0 0 1 %d %d cm /X%d Do Q" % (
            number % 4, chance.randrange(30, 400), chance.randrange(40, 660), number))
    text.insert(15, lines(chance, 40, 10, 60, 770, 17, 12))
    file.page("\n".join(text), fonts(file, F="Helvetica") + b" /ExtGState << %s >> /XObject << %s >>"
              % (b" ".join(states), b" ".join(forms)),
              members=b"/Group << /S /Transparency /CS /DeviceRGB >>")
    file.write(path)


DOCUMENTS = dict(letter=letter, invoice=invoice, form=form, scan=scan, fax=fax, cutout=cutout, cmyk=cmyk,
                 jpeg2000=jpeg2000, map=street_map, shading=shading, transparency=transparency)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for name, make in DOCUMENTS.items():
        if name != "jpeg2000" or shutil.which("opj_compress"):
            make(f"{folder}/{name}.pdf", random.Random(name))


main(sys.argv[1])
