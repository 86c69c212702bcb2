#!/usr/bin/env python3
"""Draws documents with airprint, pdftoppm, mutool and gs, and lists what airprint draws otherwise than all of them.

    Tools/compare/compare.py [--airprint FILE] [--dpi N]... [--pages N] [--jobs N] [--direct] FILE|FOLDER...

Every page goes on a sheet of its own size. It is cut into cells of 1/25 in, and a cell differs from a
program's when it is off by a quarter wherever it is moved by one pixel. A page agrees with a program when 1
cell of 2,400 differs at most. Printed are, a line each: pages that agree with no program (though two are drawn),
pages that are blank where two programs have ink (but for annotations that gs, too, keeps from paper), files that
are refused where two programs have ink, pages that take more than 18 s of the processor's time, programs that
end in any other way, and the sums. From 300 dpi on strokes are looked for, too: pixels that are dark in all
programs' pages, and have nothing near them in airprint's. The exit status is 1 when there is a blank page, a
failure, a slow page, a lost stroke, or more than one refused file. At more than one resolution all that is done
for each.

With --direct airprint is compared with itself: pages that are kept as a list and played in bands with the same drawn
at once (preview). They are the same but for the edges of pictures; the exit status is 1 where they are not.
"""

import argparse
import concurrent.futures
import json
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

PROGRAMS = ["pdftoppm", "mutool", "gs"]
MOST_SECONDS = 120
# The share of a page's cells, and the difference of a byte's values.
AGREEING = 1 / 2400
OFF = 64
# Seconds of the processor's time for a page.
MOST_TIME = 18
# Pixels around a stroke in which airprint must have drawn something, and the most that may be lost.
NEAR = 4
MOST_LOST = 60


def run(command):
    """Exit status and what was said; a program that takes too long has failed."""
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=MOST_SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return -1, b"", "takes too long"
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip()


def read_pwg(path):
    """The first page of a PWG Raster file (PWG 5102.4) of 24 bits a pixel: width, height, bytes."""
    with open(path, "rb") as file:
        data = file.read()
    head = data[4:4 + 1796]
    width, height = struct.unpack(">II", head[372:380])
    octets = struct.unpack(">I", head[388:392])[0] // 8
    line_length = width * octets
    place = 4 + 1796
    lines = []
    while len(lines) < height:
        repeat = data[place] + 1
        place += 1
        line = bytearray()
        while len(line) < line_length:
            code = data[place]
            place += 1
            if code < 128:
                line += data[place:place + octets] * (code + 1)
                place += octets
            else:
                count = (257 - code) * octets
                line += data[place:place + count]
                place += count
        lines += [bytes(line[:line_length])] * repeat
    return width, height, b"".join(lines[:height]), octets


def read_ppm(path):
    """A binary PPM or PGM file: width, height, bytes, bytes of a pixel."""
    with open(path, "rb") as file:
        data = file.read()
    head = re.match(rb"(P[56])\s+(?:#[^\n]*\s+)*(\d+)\s+(\d+)\s+(\d+)\s", data)
    if not head:
        raise ValueError("no PPM")
    octets = 3 if head[1] == b"P6" else 1
    return int(head[2]), int(head[3]), data[head.end():], octets


def processor_time():
    """Seconds that programs took that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Picture:
    """A page's pixels, of which the means of cells can be had, moved by a pixel or not."""

    def __init__(self, width, height, data, octets):
        self.width, self.height, self.octets = width, height, octets
        self.data = data
        self.known = {}

    def has_ink(self):
        """True when a page has a mark: ten pixels that are not nearly white."""
        return len(self.data.translate(None, bytes(range(224, 256)))) >= 10 * self.octets

    def dark(self, limit, width, height):
        """One byte a pixel of the upper left part as a number: 1 where a channel is darker than `limit`."""
        dark = bytes(value < limit for value in range(256))
        bits = 0
        for index in range(self.octets):
            rows = self.data[index::self.octets].translate(dark)
            if self.width != width or self.height != height:
                rows = b"".join(
                    rows[y * self.width:y * self.width + width] for y in range(height))
            bits |= int.from_bytes(rows, "little")
        return bits

    def cells(self, cell, across, down, x0=0, y0=0):
        """Means of `across` x `down` cells from a pixel on, one channel after the other; white is outside."""
        key = (cell, across, down, x0, y0)
        if key not in self.known:
            self.known[key] = b"".join(
                self.channel(index, cell, across, down, x0, y0) for index in range(3))
        return self.known[key]

    def channel(self, index, cell, across, down, x0, y0):
        # Sums up a whole row of cells at once, as one number of 32-bit digits.
        index = min(index, self.octets - 1)
        length = self.width * self.octets
        means = bytearray()
        white = b"\xff" * (across * cell)
        for row in range(down):
            total = 0
            for y in range(y0 + row * cell, y0 + row * cell + cell):
                if 0 <= y < self.height:
                    line = self.data[y * length + index:(y + 1) * length:self.octets]
                    line = line[x0:] if x0 >= 0 else b"\xff" * -x0 + line
                    line = (line + white)[:across * cell]
                else:
                    line = white
                for x in range(cell):
                    digits = bytearray(across * 4)
                    digits[::4] = line[x::cell]
                    total += int.from_bytes(digits, "little")
            sums = memoryview(total.to_bytes(across * 4, "little")).cast("I")
            means += bytes(value // (cell * cell) for value in sums)
        return bytes(means)

    def differing(self, other, cell):
        """Part of the cells in which the pictures differ."""
        across = -(-max(self.width, other.width) // cell)
        down = -(-max(self.height, other.height) // cell)
        count = across * down
        ours = self.cells(cell, across, down)
        theirs = other.cells(cell, across, down)
        left = {
            place % count for place, (a, b) in enumerate(zip(ours, theirs)) if abs(a - b) > OFF}
        for y in (-1, 0, 1):
            for x in (-1, 0, 1):
                # Shifting by a pixel can't help if so much is different.
                if (x, y) == (0, 0) or not left or len(left) > count / 4:
                    continue
                moved = other.cells(cell, across, down, x, y)
                left = {
                    place for place in left
                    if any(abs(ours[place + c * count] - moved[place + c * count]) > OFF
                           for c in range(3))}
        return len(left) / max(1, count)


def grown(bits, width, by):
    """The same with everything that is near, in rows of `width` bytes."""
    for step in (8, 8 * width):
        sides = bits
        for distance in range(1, by + 1):
            sides |= bits << step * distance | bits >> step * distance
        bits = sides
    return bits


def lost(ours, others):
    """Number of pixels that are dark in all of at least two pictures, and have nothing near them in ours."""
    if len(others) < 2:
        return 0
    width = min(picture.width for picture in [ours, *others])
    height = min(picture.height for picture in [ours, *others])
    near = grown(ours.dark(240, width, height), width, NEAR)
    theirs = others[0].dark(176, width, height)
    for picture in others[1:]:
        # The same stroke may be a pixel off.
        theirs &= grown(picture.dark(176, width, height), width, 1)
    return bin(theirs & ~near).count("1")


def draw_other(program, file, page, dpi, folder, is_printed=True):
    """A page as another program draws it; nil when it does not.

    gs alone tells paper from the screen.
    """
    out = os.path.join(folder, program)
    if program == "pdftoppm":
        command = ["pdftoppm", "-q", "-r", str(dpi), "-cropbox", "-f", str(page), "-l", str(page),
                   "-singlefile", file, out]
        result = out + ".ppm"
    elif program == "mutool":
        result = out + ".ppm"
        command = ["mutool", "draw", "-q", "-r", str(dpi), "-c", "rgb", "-F", "ppm", "-o", result,
                   file, str(page)]
    else:
        result = out + ".gs.ppm"
        command = ["gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=ppmraw", "-dUseCropBox",
                   f"-dPrinted={str(is_printed).lower()}", "-dTextAlphaBits=4",
                   "-dGraphicsAlphaBits=4", f"-r{dpi}", f"-dFirstPage={page}", f"-dLastPage={page}",
                   f"-sOutputFile={result}", file]
    run(command)
    try:
        picture = Picture(*read_ppm(result))
        os.remove(result)
        return picture
    except (OSError, ValueError, IndexError):
        return None


def paper(size):
    """The argument of --paper for a sheet as large as a page."""
    return "{:.2f}x{:.2f}mm".format(size["width"] * 25.4 / 72, size["height"] * 25.4 / 72)


def pages_of(report, options):
    """Page, size and resolution of a file's first pages, at each resolution that is asked for."""
    for index, size in enumerate(report["pageSizes"][:options.pages]):
        # The sheet is at most 17 in, whatever the page; a card's is not drawn in 20 pixels.
        scale = min(1, 1224 / max(size["width"], size["height"]))
        for dpi in options.dpi:
            # airprint's smallest sheet is 10 mm wide.
            if min(size["width"], size["height"]) >= 29 and dpi * scale >= 8:
                yield index + 1, size, max(1, round(dpi * scale))


def draw(airprint, file, page, size, dpi, folder):
    """A page as airprint draws it, or what it says."""
    out = os.path.join(folder, "airprint.pwg")
    status, _, said = run(
        [airprint, "render", file, "-o", out, "--paper", paper(size), "--resolution", str(dpi), "--color",
         "color", "--scaling", "none", "-P", str(page), "--format", "pwg"])
    if status != 0:
        return None, f"exit {status}: {said.splitlines()[-1] if said else ''}"
    try:
        return Picture(*read_pwg(out)), said
    except (OSError, IndexError, struct.error):
        return None, "an unreadable raster"


def draw_directly(airprint, file, page, size, dpi, folder):
    """A page as airprint draws it without a list, in one picture, which mutool unpacks; nil when it does not."""
    png, ppm = os.path.join(folder, "direct.png"), os.path.join(folder, "direct.ppm")
    run([airprint, "preview", "--no-printer", file, "-o", png, "--paper", paper(size), "--resolution",
         str(dpi), "--color", "color", "--scaling", "none", "-P", str(page)])
    run(["mutool", "draw", "-q", "-r", str(dpi), "-c", "rgb", "-F", "ppm", "-o", ppm, png])
    try:
        picture = Picture(*read_ppm(ppm))
        os.remove(png)
        os.remove(ppm)
        return picture
    except (OSError, ValueError):
        return None


def compare_directly(file, options):
    """The same as compare, for a list against drawing without one."""
    findings = []
    with tempfile.TemporaryDirectory(prefix="compare") as folder:
        status, out, _ = run([options.airprint, "check", "--json", file])
        report = json.loads(out)[0] if status == 0 else {"pageSizes": []}
        for page, size, dpi in pages_of(report, options):
            listed, _ = draw(options.airprint, file, page, size, dpi, folder)
            direct = draw_directly(options.airprint, file, page, size, dpi, folder)
            if not listed or not direct:
                findings.append(("alone", page, ""))
                continue
            part = listed.differing(direct, max(1, dpi // 25))
            findings.append(
                ("agrees", page, "") if part <= AGREEING
                else ("list differs", page, f"{part:.2%} at {dpi} dpi"))
    return findings


def refusal(code, inked):
    """The kind of a finding about a file that is not drawn; `inked`: the programs that do, and have ink."""
    if code != 65:
        return "fails"
    return "refused" if len(inked) >= 2 else "refused by most"


def is_for_screen(printed, file, page, dpi, folder):
    """True when all that is on a page is for the screen alone: annotations without the flag Print."""
    if printed is None or printed.has_ink():
        return False
    shown = draw_other("gs", file, page, dpi, folder, is_printed=False)
    return shown is not None and shown.has_ink()


def compare(file, options, programs):
    """What there is to say of one file: a list of (kind, page, words)."""
    findings = []
    with tempfile.TemporaryDirectory(prefix="compare") as folder:
        status, out, _ = run([options.airprint, "check", "--json", file])
        try:
            report = json.loads(out)[0]
        except (ValueError, IndexError):
            report = {"exitCode": status, "message": "no report", "pageSizes": []}
        if report["exitCode"] != 0:
            drawn = {p: draw_other(p, file, 1, 30, folder) for p in programs}
            inked = [p for p, picture in drawn.items() if picture and picture.has_ink()]
            return [(refusal(report["exitCode"], inked), 1, f"{report['message']} ({', '.join(inked)})")]
        for page, size, dpi in pages_of(report, options):
            began = processor_time()
            ours, said = draw(options.airprint, file, page, size, dpi, folder)
            took = processor_time() - began
            if took > MOST_TIME:
                findings.append(("slow", page, f"{dpi} dpi: {took:.1f} s of the processor's time"))
            others = {p: draw_other(p, file, page, dpi, folder) for p in programs}
            others = {p: picture for p, picture in others.items() if picture}
            inked = [p for p, picture in others.items() if picture.has_ink()]
            if ours is None:
                code = int(said.split()[1].rstrip(":")) if said.startswith("exit") else 70
                findings.append((refusal(code, inked), page, f"{dpi} dpi: {said} ({', '.join(inked)})"))
                continue
            if (len(inked) >= 2 and not ours.has_ink()
                    and not is_for_screen(others.get("gs"), file, page, dpi, folder)):
                findings.append(("blank", page, f"{dpi} dpi: {', '.join(inked)} have ink; said: {said}"))
                continue
            gone = lost(ours, list(others.values())) if dpi >= 300 else 0
            if gone > MOST_LOST:
                findings.append(("strokes lost", page, f"{dpi} dpi: {gone} pixels"))
            cell = max(1, dpi // 25)
            parts = {p: ours.differing(picture, cell) for p, picture in others.items()}
            if not parts or min(parts.values()) <= AGREEING:
                findings.append(("agrees" if parts else "alone", page, ""))
                continue
            kind = "differs" if len(parts) > 1 else "agrees"
            words = f"{dpi} dpi: " + ", ".join(f"{p} {part:.2%}" for p, part in parts.items())
            if kind == "differs":
                between = [
                    f"{a}/{b} {others[a].differing(others[b], cell):.2%}"
                    for a in others for b in others if a < b]
                words += f" (among themselves {', '.join(between)})"
            findings.append((kind, page, words))
    return findings


def files_in(places):
    for place in places:
        if os.path.isdir(place):
            for folder, _, names in sorted(os.walk(place)):
                yield from (os.path.join(folder, n) for n in sorted(names) if n.endswith(".pdf"))
        else:
            yield place


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--airprint", default=".build/release/airprint")
    parser.add_argument("--dpi", type=int, action="append", help="100 when it is not given")
    parser.add_argument("--direct", action="store_true", help="compare a list with direct drawing")
    parser.add_argument("--pages", type=int, default=5, help="of each document, from the first on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("places", nargs="+")
    options = parser.parse_args()
    options.airprint = os.path.abspath(options.airprint)
    options.dpi = options.dpi or [100]
    programs = [p for p in PROGRAMS if shutil.which(p)]
    if options.direct and "mutool" not in programs:
        sys.exit("compare --direct needs mutool (mupdf-tools).")
    if len(programs) < 2 and not options.direct:
        sys.exit("compare needs two of pdftoppm, mutool (mupdf-tools) and gs (ghostscript).")
    sums = {}
    files = list(files_in(options.places))
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        runs = [
            pool.submit(compare_directly, file, options) if options.direct
            else pool.submit(compare, file, options, programs) for file in files]
        for file, one in zip(files, runs):
            for kind, page, words in one.result():
                sums[kind] = sums.get(kind, 0) + 1
                if kind not in ("agrees", "alone"):
                    print(f"{kind}: {os.path.basename(file)}, page {page}: {words}", flush=True)
    if options.direct:
        print(f"{len(files)} files: {sums.get('agrees', 0)} pages are the same without a list, "
              f"{sums.get('list differs', 0)} are not, {sums.get('alone', 0)} were not compared.")
        sys.exit(1 if sums.get("list differs", 0) else 0)
    pages = sum(sums.get(kind, 0) for kind in ("agrees", "differs", "blank"))
    print(f"{len(files)} files; of {pages} pages {sums.get('agrees', 0)} agree with "
          f"{' or '.join(programs)} ({sums.get('agrees', 0) / max(1, pages):.1%}), "
          f"{sums.get('blank', 0)} are blank, {sums.get('refused', 0)} refused where two draw them; "
          f"{sums.get('strokes lost', 0)} have lost strokes, {sums.get('slow', 0)} take too long, "
          f"{sums.get('fails', 0)} fail.")
    is_bad = any(sums.get(kind, 0) for kind in ("blank", "strokes lost", "slow", "fails"))
    sys.exit(1 if is_bad or sums.get("refused", 0) > 1 else 0)


if __name__ == "__main__":
    main()
