"""Writes the JPEG files of the map tests: `python3 pictures.py` beside this file, with Pillow 11 or later.

A picture of 24 x 16 cells: white, but for a black block of 8 x 8 cells whose upper left corner is at column 8, row 0. Blocks of
JPEG are 8 x 8 as well, so that no shade runs over.
"""

from pathlib import Path

from PIL import Image, ImageDraw

HERE = Path(__file__).parent

for name, mode, white, options in [
    ("gray.jpg", "L", 255, {}),
    ("color.jpg", "RGB", (255, 255, 255), {"progressive": True, "subsampling": 0}),
]:
    picture = Image.new(mode, (24, 16), white)
    ImageDraw.Draw(picture).rectangle([8, 0, 15, 7], fill=0)
    picture.save(HERE / name, quality=95, **options)
