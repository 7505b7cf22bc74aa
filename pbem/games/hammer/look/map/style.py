"""The colours and classes of the map, in one style sheet. What differs by colour differs by form, too.

Every pair of letters and ground that the map uses is named in `PAIRS`, and its contrast is computed by a test.
"""

from __future__ import annotations

INK, SEPIA, PAPER, SEA = "#33230f", "#5f4526", "#f7edd3", "#b1cbce"
TINTS = ("#f0e2bb", "#e8d4a2", "#e3ddb4", "#ecd3a8")
FOREIGN, BEYOND = "#e8cdbd", "#d9d2bd"
MAJOR, MINOR = "#27623a", "#a3241c"
ENGLISH, ENGLISH_DARK, ENGLISH_PALE = "#9c2a22", "#5e1410", "#f8e6da"
SCOTTISH, SCOTTISH_DARK, SCOTTISH_PALE = "#28538c", "#142c52", "#e4eef7"
GOLD, SEA_INK = "#e0a91f", "#244f58"

PAIRS = {
    "names on the land": (INK, (*TINTS, FOREIGN, PAPER)),
    "towns and notes on the land": (SEPIA, (*TINTS, FOREIGN, PAPER)),
    "names of the sea": (SEA_INK, (SEA,)),
    "an English label": (ENGLISH_DARK, (ENGLISH_PALE,)),
    "a Scottish label": (SCOTTISH_DARK, (SCOTTISH_PALE,)),
    "numbers on English red": (PAPER, (ENGLISH, ENGLISH_DARK)),
    "numbers on Scottish blue": (PAPER, (SCOTTISH, SCOTTISH_DARK)),
    "how many stand there": (INK, (PAPER,)),
}
"""Kind of text -> its colour, and the colours behind it."""

SHEET = f"""
.hm text{{font-family:"pbem Sans",sans-serif;fill:{INK}}}
.hm .serif{{font-family:"pbem Serif",serif}}
.hm .italic{{font-family:"pbem Serif Italic",serif}}
.hm .mid{{text-anchor:middle}}
.hm .end{{text-anchor:end}}
.hm .land{{stroke:{SEPIA};stroke-width:1.1;stroke-linejoin:round}}
.hm .t0{{fill:{TINTS[0]}}}
.hm .t1{{fill:{TINTS[1]}}}
.hm .t2{{fill:{TINTS[2]}}}
.hm .t3{{fill:{TINTS[3]}}}
.hm .foreign{{fill:{FOREIGN}}}
.hm .beyond{{fill:{BEYOND}}}
.hm .line{{fill:none;stroke-linecap:round;stroke-linejoin:round}}
.hm .casing{{stroke:{PAPER};stroke-width:7.5;stroke-opacity:.75}}
.hm .major{{stroke:{MAJOR};stroke-width:5}}
.hm .core{{stroke:{PAPER};stroke-width:1.7}}
.hm .minor{{stroke:{MINOR};stroke-width:3;stroke-dasharray:7 5;stroke-linecap:butt}}
.hm .river{{stroke:#5f93a5;stroke-width:1.5;stroke-opacity:.75}}
.hm .loch{{stroke:#5f93a5;stroke-width:4.6}}
.hm .loch-water{{stroke:#cfe3e6;stroke-width:2.4}}
.hm .hill{{fill:none;stroke:#8d7443;stroke-width:1;stroke-opacity:.6;stroke-linejoin:round}}
.hm .town{{font-size:10.5px;fill:{SEPIA}}}
.hm .sea-name{{fill:{SEA_INK};letter-spacing:2px}}
.hm .area{{font-size:16px;letter-spacing:.7px}}
.hm .halo{{paint-order:stroke;stroke:{PAPER};stroke-width:5.5;stroke-linejoin:round;stroke-opacity:.96}}
.hm .home{{font-size:12.5px;fill:{SEPIA}}}
.hm .limit{{font-size:10.5px;fill:{PAPER}}}
.hm .scroll{{fill:{PAPER};stroke:{SEPIA};stroke-width:1.4}}
.hm .rule{{fill:none;stroke:{SEPIA};stroke-width:.8}}
.hm .english .body{{fill:{ENGLISH}}}
.hm .english .edge{{fill:{ENGLISH_DARK}}}
.hm .english .label{{fill:{ENGLISH_PALE}}}
.hm .scottish .body{{fill:{SCOTTISH}}}
.hm .scottish .edge{{fill:{SCOTTISH_DARK}}}
.hm .scottish .label{{fill:{SCOTTISH_PALE}}}
.hm .english{{color:{ENGLISH_DARK}}}
.hm .scottish{{color:{SCOTTISH_DARK}}}
.hm .ink,.hm .face text{{fill:currentColor}}
.hm .stroke{{fill:none;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round}}
.hm .shade{{fill:#000;fill-opacity:.28}}
.hm .light{{fill:none;stroke:#fff;stroke-opacity:.45;stroke-width:1}}
.hm .grain{{fill:none;stroke:#000;stroke-opacity:.16;stroke-width:.9}}
.hm .pale{{fill:{PAPER}}}
.hm .gold{{fill:{GOLD}}}
.hm .going{{opacity:.5}}
.hm .acts{{fill:{GOLD};fill-opacity:.45}}
.hm .known{{fill:none;stroke:{GOLD};stroke-width:3.2}}
.hm .strength{{font-size:22px}}
.hm .rating{{font-size:10px}}
.hm .count{{font-size:15px}}
.hm .move{{fill:none;stroke-linecap:round;stroke-linejoin:round}}
.hm .move .under{{stroke:{PAPER};stroke-width:8;stroke-opacity:.9}}
.hm .move .over{{stroke-width:4}}
.hm .move.main .under{{stroke-width:11}}
.hm .move.main .over{{stroke-width:6.4}}
.hm .move.english .over{{stroke:{ENGLISH}}}
.hm .move.scottish .over{{stroke:{SCOTTISH};stroke-dasharray:11 6;stroke-linecap:butt}}
.hm .move .tip{{stroke:{PAPER};stroke-width:1.6}}
.hm .move.english .tip{{fill:{ENGLISH}}}
.hm .move.scottish .tip{{fill:{SCOTTISH}}}
.hm .used text{{fill:{PAPER};font-size:11.5px}}
.hm .used .body{{stroke:{PAPER};stroke-width:1.4}}
.hm .contested{{fill:url(#hm-hatch)}}
.hm .fought{{fill:none;stroke:{GOLD};stroke-width:4;stroke-linejoin:round}}
.hm .big{{font-size:34px;letter-spacing:1px}}
.hm .head{{font-size:16px}}
.hm .card{{font-size:11px}}
.hm .row{{font-size:14px}}
.hm .number{{font-size:15px}}
.hm .small{{font-size:12.5px}}
.hm .now{{fill:{INK}}}
.hm .now-text{{fill:{PAPER}}}
"""
"""All classes of the map; `.hm` keeps them from affecting the rest of a page."""
