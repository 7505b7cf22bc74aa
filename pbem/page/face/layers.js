// A drawing whose ground is drawn once. What lies over it comes in lines, each of which begins a layer, ends one, or holds whole elements:
// of the next position only those lines are read that the last did not have, and the rest stays where it is.

import { drawn, wear } from "./dom.js";

const NS = "http://www.w3.org/2000/svg", HEAD = `<svg xmlns="${NS}">`, BEGINS = /^<g\b[^>]*[^/]>$/;

export class Layers {
  constructor() {
    this.grounds = new Map(); // by name: what was sent of each
    this.ground = "";
  }

  show(drawing) { // returns the drawing as an element: the same one as before, where the ground is the same
    const { ground, below, style, svg } = drawing;
    if (below) this.grounds.set(ground, { below, style });
    if (!ground || ground !== this.ground) this.begin(ground ? this.grounds.get(ground) : { below: "", style });
    if (!ground) this.svg = drawn(svg);
    else this.lay(svg);
    this.ground = ground;
    return this.svg;
  }

  whole({ ground, style, svg }) { // a drawing with its ground, wherever that came
    const found = this.grounds.get(ground);
    return { below: found?.below ?? "", style: found?.style ?? style, svg };
  }

  begin({ below, style }) {
    wear(style);
    if (!below) return;
    this.svg = drawn(`${below}</svg>`);
    this.still = document.createElementNS(NS, "g"); // a surface of its own, which is not coloured anew with every piece that moves
    this.still.setAttribute("class", "pb-ground");
    this.still.append(...this.svg.childNodes);
    this.held = new Map();
  }

  lay(svg) {
    const lines = svg.split("\n").filter((line) => line && line !== "</svg>"), had = this.held;
    const taken = new Map(), next = new Map(), fresh = this.fresh(lines);
    const nodes = (line) => { // those of last time, or new ones; of lines that read alike the first has the first
      const count = taken.get(line) ?? 0, own = had.get(line)?.[count] ?? fresh.get(line).shift();
      taken.set(line, count + 1);
      next.set(line, [...(next.get(line) ?? []), own]);
      return own;
    };
    const open = [[this.svg, [this.still]]];
    for (const line of lines) {
      if (line === "</g>") {
        settle(...open.pop());
        continue;
      }
      const own = nodes(line);
      open.at(-1)[1].push(...own);
      if (BEGINS.test(line)) open.push([own[0], []]);
    }
    settle(...open[0]);
    this.held = next;
  }

  fresh(lines) { // the elements of those lines that were not there, by line
    const seen = new Map(), more = [];
    for (const line of lines) {
      if (line === "</g>") continue;
      const count = (seen.get(line) ?? 0) + 1;
      seen.set(line, count);
      if (count > (this.held.get(line)?.length ?? 0)) more.push(line);
    }
    const read = more.length ? drawn(`${HEAD}${more.map((line) => `<g>${line}${BEGINS.test(line) ? "</g>" : ""}</g>`).join("")}</svg>`).children : [];
    const found = new Map();
    more.forEach((line, i) => found.set(line, [...(found.get(line) ?? []), [...read[i].childNodes]]));
    return found;
  }
}

function settle(place, wanted) { // lets these be its children, and moves none that stands right
  const keep = new Set(wanted);
  for (const old of [...place.childNodes]) if (!keep.has(old)) old.remove();
  let at = place.firstChild;
  for (const node of wanted) {
    if (node === at) at = at.nextSibling;
    else place.insertBefore(node, at);
  }
}
