// The games that the host whose door serves this page shows to everybody: listed when they are asked for, judged and looked at as a
// log is that was dropped. Where the page comes from no door, there is nothing of this.

import { door, request } from "./carrier.js";
import { button, fill, make } from "./dom.js";
import { judged } from "./judge.js";
import { t, why } from "./texts.js";

const LONGEST = 60_000; // milliseconds for an answer

export async function fetched(path) { // what lies there, in base64
  const ask = { method: "GET", address: `${door}door/${path}`, headers: {}, body: "", streams: false };
  const { status, data } = await request(ask, AbortSignal.timeout(LONGEST));
  if (status !== 200) throw new Error(t(status === 404 ? "shows_nothing" : "shows_not_now"));
  return data;
}

export const text = (data) => new TextDecoder().decode(Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)));

export function shown(go) {
  if (!door) return null;
  const place = make("div", { role: "status" });
  const load = async (event) => {
    if (!event.target.open) return;
    try {
      const { games } = JSON.parse(text(await fetched("shown")));
      fill(place, games.length ? make("ul", { class: "rows" }, games.map((one) => row(one, go))) : make("p", { class: "note" }, t("shows_nothing")));
    } catch (error) {
      fill(place, make("p", { class: "note" }, why(error)));
    }
  };
  return make("details", { class: "shown", ontoggle: load }, make("summary", {}, t("shown")), make("p", {}, t("shown_says")), place);
}

function row(one, go) {
  const place = make("div", {}), look = async () => {
    try {
      fill(place, await judged(`${one.game.slice(0, 16)}.pbem`, await fetched(`shown/${one.game}`), false, go));
    } catch (error) {
      fill(place, make("p", { class: "wrong", role: "alert" }, why(error)));
    }
  };
  return make("li", {}, make("b", {}, one.title), make("span", {}, one.title === one.played ? "" : `${one.played} · `, t(one.over ? "over" : "goes_on")),
    button(t("look_on"), look, { "aria-label": `${t("look_on")}: ${one.title}` }), place);
}
