#!/usr/bin/python3
"""A receipt from an order: airprint print --type receipt --renderer ./receipt.py order.json"""
import json, os, sys
from PIL import Image, ImageDraw, ImageFont

order = json.load(sys.stdin)
dpi = int(os.environ["AIRPRINT_RESOLUTION"])
pixels = lambda name: round(float(os.environ["AIRPRINT_" + name]) * dpi / 72)
left, room = pixels("PRINTABLE_X"), pixels("PRINTABLE_WIDTH")
lines = [order["shop"].center(32), ""]
for name, price in order["items"]:
    lines.append(f"{name[:23]:23} {price:8.2f}")
lines += ["=" * 32, f"{'Total':23} {sum(price for _, price in order['items']):8.2f}"]

font = ImageFont.truetype("DejaVuSansMono.ttf", room * 100 // 32 // 61)  # 32 columns, 0.602 em each
step = font.size * 5 // 4
height = step * (len(lines) + 1) if os.environ["AIRPRINT_ROLL"] == "1" else pixels("PAPER_HEIGHT")
page = Image.new("L", (pixels("PAPER_WIDTH"), height), "white")
for number, line in enumerate(lines):
    ImageDraw.Draw(page).text((left, pixels("PRINTABLE_Y") + number * step), line, "black", font)
page.save(sys.stdout.buffer, "PNG")
