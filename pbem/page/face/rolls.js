// Dice that fall, and whom they struck. They fall once, where motion is welcome; what they came to stands there in words as well.

import { fill, make } from "./dom.js";
import { t } from "./texts.js";

const NS = "http://www.w3.org/2000/svg";
const MOST = 8; // so many rolls are shown, the last ones
const LATE = 3; // of a game that is opened: those of so many of the last moments
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

function draw(name, given) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(given)) node.setAttribute(key, value);
  return node;
}

function die({ shows, counts }, n) { // a die of more sides than six bears its number
  const svg = draw("svg", { class: counts ? "d6 counts" : "d6", viewBox: "0 0 30 30", "aria-hidden": "true" });
  svg.append(draw("rect", { x: 1.5, y: 1.5, width: 27, height: 27, rx: 6 }));
  if (PIPS[shows]) for (const pip of PIPS[shows]) svg.append(draw("circle", { cx: 8 + 7 * (pip % 3), cy: 8 + 7 * Math.floor(pip / 3), r: 2.6 }));
  else {
    const text = draw("text", { x: 15, y: 20, "text-anchor": "middle" });
    text.textContent = shows;
    svg.append(text);
  }
  svg.style.setProperty("--n", n);
  return svg;
}

export class Rolls {
  constructor() {
    this.node = make("section", { class: "rolls", "aria-label": t("dice") });
  }

  show(moments, fresh) { // the rolls of these moments; `fresh`: they happened just now, and fall. Returns whom they struck
    const found = (fresh ? moments : moments.slice(-LATE)).flatMap(({ rolls }) => rolls), struck = found.flatMap((one) => one.struck);
    if (!found.length && !moments.length) return struck;
    let n = 0;
    const roll = ({ name, dice, says, struck: hit }) => make("li", {},
      make("span", { class: "who" }, name), make("span", { class: "unseen" }, dice.length ? `: ${dice.map(({ shows, counts }) => counts ? t("die_counts", { n: shows }) : shows).join(", ")}. ` : ""),
      make("span", { class: "dice" }, dice.map((one) => die(one, n++))), make("span", { class: "came" }, says),
      hit.map((one) => make("span", { class: one.gone ? "struck gone" : "struck" }, one.says)));
    fill(this.node, found.length ? make("ol", { class: fresh ? "falling" : "" }, found.slice(-MOST).map(roll)) : []);
    return struck;
  }

  clear() { fill(this.node); }
}
