// A drawing as a small picture beside its words. It is an image of its own: neither its style nor its names meet those of another.

import { drawn, fill, make } from "./dom.js";
import { quietly } from "./state.js";
import { ask } from "./texts.js";

export const picture = (svg, alt = "") => make("img", { class: "thumb", alt, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` });

export function whole({ below, svg, style }) { // a drawing of the service's as one text again
  const all = below + svg;
  return style ? all.replace(/^<svg\b[^>]*>/, (head) => `${head}<style>${style}</style>`) : all;
}

export function framed({ below, svg, style }, alt) { // a drawing in a root of its own: an image would not have the page's letters, and cut names
  const node = make("div", { class: "thumb", role: "img", "aria-label": alt }), root = node.attachShadow({ mode: "open" }), sheet = new CSSStyleSheet(), inside = drawn(below + svg);
  sheet.replaceSync(`${style}\nsvg{display:block;width:100%;max-height:24rem}`);
  root.adoptedStyleSheets = [sheet];
  inside.setAttribute("preserveAspectRatio", "xMinYMin");
  root.append(inside);
  return node;
}

export async function small(place, game) { // shows how a game stands now, and returns its position
  const position = await quietly(() => ask("position", { game }));
  if (position.drawing) fill(place, picture(whole(position.drawing)));
  return position;
}
