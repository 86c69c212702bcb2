#!/usr/bin/env python3
"""Looks for losses that airprint does not tell: it makes documents, moves, hides or cuts what is in them at random, and
compares what `airprint check` and `print --dry-run` say with what was done to them.

usage: Tools/losses/losses.py AIRPRINT [--printer inkjet|receipt|label] [--cases 300] [--seed 1] [--keep FOLDER] [FILE...]

Files are documents that lose nothing: what is told of them is a false alarm. Each line of the report is a case of which
nothing was told though something is lost, or the reverse; the exit status is 1 if there is any.
"""

import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib

PAGE = (595.28, 841.89)


def png(width, height, rows):
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def noise(chance, width, height):
    return [bytes(chance.randrange(256) for _ in range(3 * width)) for _ in range(height)]


def picture(chance):
    """A picture's name and bytes, and the least bytes of it of which something can be drawn."""
    width, height = chance.randrange(40, 120), chance.randrange(40, 120)
    rows = noise(chance, width, height)
    if chance.random() < 0.5:
        return "png", png(width, height, rows), 2_000
    return "ppm", b"P6 %d %d 255\n" % (width, height) + b"".join(rows), 1_000


def pdf(content, page=PAGE, extra=""):
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {page[0]} {page[1]}] /Contents 4 0 R "
        f"/Resources << /Font << /F 5 0 R >> >> {extra} >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    text = "%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{body}\nendobj\n"
    start = len(text)
    text += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    text += "".join(f"{place:010} 00000 n \n" for place in places)
    return (text + f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").encode()


class Case:
    """A document: what was done to it, if something of it is lost, and the options for it."""

    def __init__(self, kind, suffix, data, is_lost, beside=()):
        self.kind, self.suffix, self.data, self.is_lost = kind, suffix, data, is_lost
        self.beside = beside


def moved(chance, paper):
    """A mark at a random place of a page as large as the sheet, or as wide as the roll, printed at 100 %."""
    printable, page = paper["printableRect"], (paper["width"], 500) if paper["roll"] else PAGE
    width, height = chance.uniform(6, page[0] / 10), chance.uniform(6, 60)
    # A roll is cut where the page ends.
    edge = chance.choice(["left", "right"] if paper["roll"] else ["left", "right", "top", "bottom"])
    depth = chance.choice([chance.uniform(1, 12), chance.uniform(12, 60)])
    x, y = chance.uniform(page[0] / 9, page[0] * 2 / 3), chance.uniform(70, page[1] - 190)
    if edge == "left": x = depth
    if edge == "right": x = page[0] - depth - width
    if edge == "top": y = depth
    if edge == "bottom": y = page[1] - depth - height
    beyond = max(
        printable["x"] - x, printable["y"] - y,
        x + width - printable["x"] - printable["width"],
        y + height - printable["y"] - printable["height"])
    if 0 < beyond < 3: return moved(chance, paper)
    content = f"0 g {x:.2f} {page[1] - y - height:.2f} {width:.2f} {height:.2f} re f"
    content += f" {page[0] / 2} 250 30 30 re f"
    return Case(f"mark {depth:.1f} points from the {edge}", "pdf", pdf(content, page), beyond > 0)


def cut(chance):
    """A picture of which the end is missing, or nothing."""
    suffix, data, least = picture(chance)
    if chance.random() < 0.3: return Case("whole picture", suffix, data, False)
    end = chance.randrange(least, len(data) * 97 // 100)
    return Case(f"{suffix} of {len(data)} bytes cut at {end}", suffix, data[:end], True)


def damaged(chance):
    """A PNG of which some bytes are others."""
    rows = noise(chance, 80, 80)
    data = bytearray(png(80, 80, rows))
    place = chance.randrange(200, len(data) - 200)
    for index in range(place, place + 16): data[index] ^= chance.randrange(1, 256)
    return Case(f"png with other bytes at {place}", "png", bytes(data), True)


def text(chance):
    """A text with a character that is cut, or that no font has."""
    words = " ".join(chance.choice(["Größe", "Straße", "naïve", "plain"]) for _ in range(50)) + " über\n"
    data = words.encode()
    how = chance.choice(["whole", "byte", "unknown"])
    if how == "byte": data += b"\xff\xfe\n"
    if how == "unknown": data += "\U000E1234 \uE123\n".encode()
    return Case(f"text: {how}", "txt", data, how != "whole")


def drawing(chance):
    """A drawing with a picture that is there, hidden, or broken, or with words that only browsers show."""
    how = chance.choice(["whole", "gone", "broken", "inside", "outside", "comment", "words", "choice"])
    good = png(20, 20, noise(chance, 20, 20))
    part = {
        "gone": "<image href='{name}-gone.png' width='50' height='50'/>",
        "broken": "<image href='{name}.png' width='50' height='50'/>",
        "whole": "<image href='{name}.png' width='50' height='50'/>",
        "inside": "<image href='data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==' width='50' height='50'/>",
        "outside": "<use href='{name}-gone.svg#a'/>",
        "comment": "<!-- <image href='{name}-gone.png' width='50' height='50'/> -->",
        "words": "<foreignObject width='90' height='90'><p xmlns='http://www.w3.org/1999/xhtml'>x</p></foreignObject>",
        "choice": "<switch><foreignObject width='90' height='90' requiredExtensions='x'><p>x</p></foreignObject>"
        "<text y='50'>x</text></switch>",
    }[how]
    beside = [("png", good[:60] if how == "broken" else good)] if how in ("broken", "whole") else []
    body = f"<svg xmlns='http://www.w3.org/2000/svg' width='200' height='200'><rect width='9' height='9'/>{part}</svg>"
    return Case(f"drawing: {how}", "svg", body, how not in ("whole", "comment", "choice"), beside)


def receipt(chance):
    """A receipt with a picture that is there, gone or cut, and words of any length."""
    how = chance.choice(["whole", "gone", "cut"])
    rows = noise(chance, 100, 60)
    data = png(100, 60, rows)
    beside = [("png", data[:chance.randrange(2_000, len(data) - 500)] if how == "cut" else data)]
    words = "W" * chance.randrange(1, 200)
    body = f"image: {'{name}-gone.png' if how == 'gone' else '{name}.png'}\n{words} | 1.00\nTotal | 2.00\n"
    return Case(f"receipt: {how}", "receipt", body, how != "whole", beside)


def told(answers):
    """What is told of each file: the words of its losses, or why it is refused."""
    found = []
    for line in answers:
        reasons = [loss["reason"] for loss in line.get("losses") or []]
        found.append(reasons + ([line["reason"]] if line.get("reason") else []))
    return found


def answers_in(text):
    """The values of JSON, one after the other."""
    answers, place = [], 0
    while place < len(text.rstrip()):
        answer, place = json.JSONDecoder().raw_decode(text, place + len(text[place:]) - len(text[place:].lstrip()))
        answers += answer if isinstance(answer, list) else [answer]
    return answers


def run(options, command, files):
    """The program's JSON for the files, in pieces."""
    found = []
    for start in range(0, len(files), 25):
        piece = files[start:start + 25]
        outcome = subprocess.run(
            [options.airprint, *command, *piece], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            timeout=900)
        answers = answers_in(outcome.stdout)
        if len(answers) != len(piece):
            sys.exit(f"losses: {command}: {len(answers)} answers for {len(piece)} files: {outcome.stderr[-2000:]}")
        found += told(answers)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("airprint")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--printer", default="inkjet")
    options = parser.parse_intermixed_args()
    printer = os.environ.get("AIRPRINT_PRINTER")
    if printer is None:
        words = " ".join(f"'{word}'" for word in [sys.executable, *sys.argv])
        sys.exit(subprocess.run(
            [options.airprint, "simulate", options.printer, "--port", "0", "--exec", words]).returncode)
    sheet = ["--paper", "A4"] if options.printer == "inkjet" else []
    paper = json.loads(subprocess.check_output([options.airprint, "paper", printer, *sheet, "--json"]))
    chance = random.Random(options.seed)
    folder = options.keep or tempfile.mkdtemp(prefix="airprint-losses-")
    os.makedirs(folder, exist_ok=True)
    kinds = [lambda: moved(chance, paper)] * 2 + [
        lambda: cut(chance), lambda: damaged(chance), lambda: text(chance), lambda: drawing(chance),
        lambda: receipt(chance)]
    cases = [kinds[number % len(kinds)]() for number in range(options.cases)]
    paths = []
    for number, case in enumerate(cases):
        for suffix, data in [(case.suffix, case.data), *case.beside]:
            if isinstance(data, str): data = data.replace("{name}", f"case-{number}").encode()
            with open(f"{folder}/case-{number}.{suffix}", "wb") as file: file.write(data)
        paths.append(f"{folder}/case-{number}.{case.suffix}")
    there = ["print", "--dry-run", "--json", "-d", printer]
    wrong = []
    silent = alarms = 0
    for name, command in [("check", ["check", "--json"]), ("print", [*there, "--scaling", "none"])]:
        for case, path, reasons in zip(cases, paths, run(options, command, paths)):
            # Without a printer, its margins are not known.
            is_lost = case.is_lost and not (name == "check" and case.kind.startswith("mark"))
            if bool(reasons) == is_lost: continue
            silent, alarms = silent + is_lost, alarms + (not is_lost)
            wrong.append(f"{'silent' if is_lost else 'false alarm'}: {name}: {case.kind}: {path} {reasons}")
    for paper in ["A4", "letter"] if options.files else []:
        for path, reasons in zip(options.files, run(options, [*there, "--force", "--paper", paper], options.files)):
            if not reasons: continue
            alarms += 1
            wrong.append(f"false alarm: {paper}: {path} {reasons}")
    for line in wrong: print(line)
    print(f"{len(cases)} cases, {len(options.files)} files: {silent} silent, {alarms} false alarms")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
