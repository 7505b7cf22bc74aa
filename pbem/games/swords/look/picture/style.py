"""The colours and classes of the picture, in one style sheet. What differs by colour differs by form, too."""

from __future__ import annotations

from ...rules.names import PICTS

INK, SEPIA, PAPER, SEA, SEA_INK = "#33230f", "#5f4526", "#f7edd3", "#b1cbce", "#244f58"
TINTS = ("#f0e2bb", "#e8d4a2", "#e3ddb4", "#ecd3a8")
GOLD, RED, TABLE = "#e0a91f", "#a3241c", "#e6dcc0"
COLOURS = {
    "pink": ("#b83a72", "#7f1f4b", "#de7fa9", PAPER),
    "yellow": ("#e3b023", "#a07409", "#f6d675", INK),
    "black": ("#2d2a28", "#0c0b0a", "#6b6660", PAPER),
    "white": ("#f4f1ea", "#b7b0a2", "#ffffff", INK),
    PICTS: ("#2f62a8", "#183b70", "#7fa5da", PAPER),
}
"""Colour of cubes -> its front, its side, its top, and the colour of text on the front."""
MARKS = {
    "pink": "M0-5A5 5 0 1 1-.01-5z", "yellow": "M0-5.6L5.4 4.4H-5.4z", "black": "M-4.6-4.6H4.6V4.6H-4.6z",
    "white": "M0-6L6 0 0 6-6 0z", PICTS: "M-1.8-5.6H1.8V-1.8H5.6V1.8H1.8V5.6H-1.8V1.8H-5.6V-1.8H-1.8z",
}  # fmt: skip
"""The form that goes with each colour: circle, triangle, square, diamond, cross."""
SHEET = f"""
.sw text{{font-family:"pbem Sans",sans-serif;fill:{INK};font-size:22px}}
.sw .serif{{font-family:"pbem Serif",serif}}
.sw .italic{{font-family:"pbem Serif Italic",serif}}
.sw .mid{{text-anchor:middle}}
.sw .end{{text-anchor:end}}
.sw .land{{stroke:{SEPIA};stroke-width:1.4;stroke-linejoin:round}}
.sw .t0{{fill:{TINTS[0]}}}
.sw .t1{{fill:{TINTS[1]}}}
.sw .t2{{fill:{TINTS[2]}}}
.sw .t3{{fill:{TINTS[3]}}}
.sw .border{{fill:none;stroke:{SEPIA};stroke-width:2.4;stroke-dasharray:9 5}}
.sw .touched{{fill:none;stroke:#000;stroke-opacity:0;stroke-width:26}}
.sw .hill{{fill:none;stroke:#8d7443;stroke-width:1.2;stroke-opacity:.55;stroke-linejoin:round}}
.sw .lane{{fill:none;stroke:{SEA_INK};stroke-width:3;stroke-dasharray:3 8;stroke-linecap:round}}
.sw .line{{fill:none;stroke:{SEPIA};stroke-width:4}}
.sw .sea-name{{fill:{SEA_INK};letter-spacing:2px;font-size:24px}}
.sw .halo{{paint-order:stroke;stroke:{PAPER};stroke-width:6;stroke-linejoin:round;stroke-opacity:.95}}
.sw .region{{font-size:25px}}
.sw .token{{fill:{PAPER};stroke:{SEPIA};stroke-width:2}}
.sw .fought .token{{fill:{GOLD};stroke:{RED};stroke-width:4}}
.sw .token-number{{font-size:23px}}
.sw .number{{font-size:23px}}
.sw .fort{{fill:#cfc4ae;stroke:{INK};stroke-width:1.5;stroke-linejoin:round}}
.sw .castle{{font-size:18px}}
.sw .wall{{fill:none;stroke:#2f62a8;stroke-width:13;stroke-linecap:butt}}
.sw .wall-top{{fill:none;stroke:{PAPER};stroke-width:5;stroke-dasharray:7 7}}
.sw .blue{{fill:#2f62a8;stroke:#102a52;stroke-width:1.5}}
.sw .panel{{fill:{PAPER};stroke:{SEPIA};stroke-width:1.5}}
.sw .square{{fill:#efe3c2;stroke:#a98f5e;stroke-width:1.2}}
.sw .flipped .square{{fill:#fff7dd;stroke:{GOLD};stroke-width:3}}
.sw .icon{{fill:none;stroke:{SEPIA};stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}}
.sw .solid{{fill:{SEPIA}}}
.sw .name{{font-size:27px}}
.sw .corner{{font-size:20px}}
.sw .big{{font-size:50px}}
.sw .note{{fill:{SEPIA};font-size:20px}}
.sw .course{{fill:none;stroke-linejoin:round}}
.sw .rule{{fill:none;stroke:{SEPIA};stroke-width:2}}
.sw .leads{{fill:{GOLD};stroke:{INK};stroke-width:1.5;stroke-linejoin:round}}
"""
"""All classes of the picture; `.sw` keeps them from affecting the rest of a page."""
