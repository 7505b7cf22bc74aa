"""The colours and classes of the picture, in one style sheet. A clan is told by its name; its tartan is an ornament."""

from __future__ import annotations

INK, PAPER, TABLE, BACK, PALE, GOLD, BLUE, THREAD = (
    "#2b2015",
    "#fbf5e4",
    "#d5dcc4",
    "#28455c",
    "#5f4f3c",
    "#d9a520",
    "#244f86",
    "#c9b98c",
)
TARTANS = {
    "Scott": "#b3352c", "Makgill": "#1f5f4a", "MacDonnell": "#2b4d86", "Wemyss": "#8c2f5b", "Ferguson": "#3c6e2f",
    "Forsyth": "#55407f", "Cockburn": "#9a5a12", "Cochrane": "#256f85", "Bruce": "#7a6410",
}  # fmt: skip
"""The ground of each clan's tartan."""
STRIPES = {
    "Scott": ("#1e3a2a", "#f2d9a0"), "Makgill": ("#122f3f", "#e3c45a"), "MacDonnell": ("#122a22", "#d8564a"),
    "Wemyss": ("#1d2a33", "#e9c7d5"), "Ferguson": ("#16324f", "#e8e3c8"), "Forsyth": ("#2a1d2e", "#e0b13c"),
    "Cockburn": ("#3a2410", "#f3e2b4"), "Cochrane": ("#12303a", "#e58b6b"), "Bruce": ("#8f2a1e", "#f4e6a8"),
}  # fmt: skip
"""Its broad stripe, and its thin one."""
SHEET = f"""
.los text{{font-family:"pbem Sans",sans-serif;fill:{INK};font-size:17px}}
.los .serif{{font-family:"pbem Serif",serif}}
.los .mid{{text-anchor:middle}}
.los .end{{text-anchor:end}}
.los .head{{font-size:27px}}
.los .note{{fill:{PALE};font-size:17px}}
.los .panel{{fill:#e9e9d3;stroke:#a3a684;stroke-width:1.5}}
.los .asked{{fill:#fbf3d6;stroke:{GOLD};stroke-width:4}}
.los .card{{fill:{PAPER};stroke:{INK};stroke-width:1.5}}
.los .works{{stroke:{GOLD};stroke-width:4}}
.los .down{{stroke-dasharray:7 4}}
.los .place{{fill:none;stroke:#a3a684;stroke-width:1.5;stroke-dasharray:4 5}}
.los .strength{{font-size:37px}}
.los .rank{{font-size:16px;fill:{PALE}}}
.los .name{{font-size:16.5px}}
.los .power{{font-size:15px;fill:{PALE}}}
.los .lies{{fill:{INK}}}
.los .ribbon{{fill:{GOLD}}}
.los .seal{{fill:{PAPER};stroke:{INK};stroke-width:1.2}}
.los .sign{{fill:none;stroke:{INK};stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}}
.los .total{{font-size:38px}}
.los .bar{{fill:{PAPER};stroke:{PALE};stroke-width:1.2}}
.los .share{{stroke:{PAPER};stroke-width:1}}
.los .crown{{fill:{GOLD};stroke:{INK};stroke-width:1.4;stroke-linejoin:round}}
"""
"""All classes of the picture; `.los` keeps them from affecting the rest of a page."""
