// What a player saw at his last visit, seen at once and as long as the program is not there: the list of games, or the position of one.
// Nothing of it can be clicked. It was kept as data, and is taken for no more than that: text, and a drawing of plain elements in a root of
// its own, without a name that would call a program or fetch anything.

import { lastSeen } from "./carrier.js";
import { drawn, fill, make, table, told } from "./dom.js";
import { t } from "./texts.js";

const PLAIN = new Set(("svg g path rect circle ellipse line polyline polygon text tspan title desc use defs symbol marker clipPath mask pattern image filter "
  + "linearGradient radialGradient stop").split(" "));
const INSIDE = /^(#|data:image\/(png|jpeg|svg\+xml)[;,])/; // what an element may point to
const AWAY = /\\|@import|image-set|src\(|url\(\s*["']?(?!#|data:)/i; // what a style sheet or an attribute would fetch
const WHOLE = ":host{position:absolute;inset:0}svg{display:block;width:100%;height:100%}.pb-key{display:none}";
const SOON = 400; // so many milliseconds is waited for what the browser keeps: it may not open it

let seen = { language: "", games: [], position: null }; // for the next visit

export function keep(more) { // a list of games, or the position of one
  if (!lastSeen) return;
  const before = seen.language === more.language ? seen : { games: [], position: null };
  seen = { ...before, ...more };
  const at = seen.position, rest = seen.games.filter(({ game }) => game !== at?.game);
  if (more.position && rest.length === seen.games.length) seen.games = [row({ ...at, state: at.asked ? "mine" : "others", says: says(at) }), ...rest];
  if (more.games && at && rest.length === seen.games.length) seen.position = null; // it was forgotten
  lastSeen.keep(seen);
}

export const row = ({ game, title, seat_name, state, says, alone }) => ({ game, title, seat_name, state, says, alone }); // what a list shows of a game
const says = ({ over, asked, waits_for: others }) => over || t(asked ? "mine" : others.length ? "waits_for" : "waits", { seats: others.join(", ") });

function still(root) { // lets a drawing be plain elements: what does anything else is taken out
  for (const one of [root, ...root.querySelectorAll("*")]) {
    if (!PLAIN.has(one.localName)) one.remove();
    for (const { name, value } of [...one.attributes]) {
      if (/^on/i.test(name) || name === "style" || AWAY.test(value) || /(^|:)href$/.test(name) && !INSIDE.test(value)) one.removeAttribute(name);
    }
  }
}

function framed({ below, svg, style }, alt) {
  const node = make("div", { class: "drawn-last", role: "img", "aria-label": alt }), root = node.attachShadow({ mode: "open" }), sheet = new CSSStyleSheet(), inside = drawn(below + svg, still);
  sheet.replaceSync(`${AWAY.test(style) ? "" : style}\n${WHOLE}`);
  root.adoptedStyleSheets = [sheet];
  if (innerWidth > innerHeight && inside.dataset.wide) { // as map.js lays it on a wide screen
    inside.setAttribute("viewBox", inside.dataset.wide);
    for (const one of inside.querySelectorAll("[data-wide]")) one.setAttribute("transform", one.dataset.wide);
  }
  root.append(inside);
  return node;
}

const note = () => make("p", { class: "note last-visit" }, t("last_visit"));

function position(shown) {
  const { title, seat_name: seat, drawing, tables, text, question, asked } = shown;
  const words = drawing ? framed(drawing, title) : [tables.map(table), text && make("pre", { class: "wide" }, text)].flat();
  return make("main", { class: drawing ? "game last" : "game last plain", inert: true }, make("section", { class: "head" }, make("h1", {}, title), make("p", { class: "under" }, t("you_play", { seat }))),
    make("div", { class: "stage" }, make("div", { class: "left" }, make("div", { class: "map" }, make("div", { class: "drawing" }, words))),
      make("div", { class: "right" }, make("div", { class: "turn" }, note(), make("section", { class: "asked" }, make("h2", {}, asked ? t("asked") : says(shown)), asked && told(question))))));
}

function home(games, choices) {
  const line = (one) => make("li", { class: one.state }, make("b", {}, one.title, one.seat_name && ` · ${one.seat_name}`), make("span", {}, one.says));
  const rows = (name, found) => found.length > 0 && make("section", { class: name }, make("h2", {}, t(name === "mail" ? "by_mail" : "go_on")), make("ul", { class: "rows" }, found.map(line)));
  const card = (one) => make("div", { class: "shelved" }, make("div", { class: "cover" }, make("span", {}, one.title.slice(0, 1))), make("h3", {}, one.title), make("p", { class: "says" }, one.says));
  return make("main", { class: "page last", inert: true }, make("header", {}, make("h1", {}, "pbem"), make("p", { class: "under" }, t("subtitle"))),
    games.length > 0 && note(), rows("mail", games.filter(({ alone }) => !alone)), rows("kept", games.filter(({ alone }) => alone)),
    make("section", { class: "alone" }, make("h2", {}, t("at_once")), make("p", {}, t("at_once_says")), make("div", { class: "games" }, choices.map(card))));
}

let waits = true;
export function over() { waits = false; } // the program is there: what it says is shown

async function shown(app, language) {
  const found = await lastSeen.read();
  if (found?.locked) return;
  const [, game] = /^#\/game\/([\w-]+)$/.exec(location.hash) ?? [], own = found?.language === language ? found : null;
  if (own && waits) seen = { language, games: own.games ?? [], position: own.position ?? null };
  const at = game && own?.position?.game === game ? own.position : null;
  if (waits && (game ? at : /^(#\/?)?$/.test(location.hash))) fill(app, at ? position(at) : home(own?.games ?? [], lastSeen.games(language) ?? []));
}

export async function begin(app, language) { // resolves when something of the last visit is painted, or soon: the program would take its time from that
  if (!lastSeen) return;
  const late = new Promise((well) => { setTimeout(well, SOON); }), painted = () => new Promise((well) => { requestAnimationFrame(() => setTimeout(well)); });
  await Promise.race([late, shown(app, language).catch(() => {}).then(() => document.hidden || painted())]);
}
