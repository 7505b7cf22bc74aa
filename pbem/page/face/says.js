// What a player says in a game besides orders: words for others, a draw, leave … Each is told what it means before it is signed.

import { button, fill, make } from "./dom.js";
import { check, choice, field, result, sure } from "./asking.js";
import { ask, t, why } from "./texts.js";

export function sayings(game, offers, words) { // a sheet, filled when it is opened: what may be said changes with the game
  const place = make("div", {});
  const load = async (event) => {
    if (!event.target.open) return;
    try {
      const { says, others } = await ask("sayings", { game });
      fill(place, others.length > 0 && press(game, others, t(words)), says.length > 0 && make("ul", { class: "says" }, says.map((one) => make("li", {}, saying(game, one)))));
    } catch (error) {
      fill(place, make("p", { class: "wrong", role: "alert" }, why(error)));
    }
  };
  return make("details", { ontoggle: load }, make("summary", { class: offers ? "due" : "" }, t(offers ? "say_offers" : "say")), place);
}

function press(game, others, words) {
  const place = make("div", {}), [label, text] = field(words, { rows: 3, maxLength: 20000 }, "textarea");
  const [to, who] = choice(t("press_to"), [["", t("press_all")], ...others.map(({ seat, name }) => [seat, name])]);
  const sign = async () => {
    if (!text.value.trim()) return;
    try {
      result(place, await ask("press", { game, text: text.value, to: who.value }));
      text.value = "";
    } catch (error) {
      fill(place, make("p", { class: "wrong", role: "alert" }, why(error)));
    }
  };
  return [label, text, make("div", { class: "row" }, others.length > 1 && [to, who], button(t("press"), sign)), place];
}

function saying(game, { what, number, label, means, why_not: stands }) {
  const place = make("div", {});
  const [named, hours] = what === "leave" ? field(t("hours"), { type: "number", min: 1, max: number, value: Math.min(24, number), required: true }) : [];
  const sign = () => ask("say", { game, what, number: hours ? Number(hours.value) : ["resign", "draw", "claim", "rules"].includes(what) ? null : number });
  const begin = () => sure(place, { title: label, means, fields: hours ? [named, hours] : [], sign });
  return [button(label, begin, { disabled: Boolean(stands) }), stands && make("span", { class: "note" }, ` ${stands}`), place];
}

export function plans(game, position) { // standing plans, as text: they go with orders that bring none
  const lines = (text) => text.split("\n").filter(Boolean).map((line) => `PLAN ${line}`).join("\n");
  const [label, text] = field(t("plans_say"), { rows: 4, value: lines(position.plans) }, "textarea");
  const shown = position.plans_shown !== null && check(t("plans_show"), { checked: position.plans_shown });
  const said = make("p", { class: "note", role: "status" });
  const keep = async () => {
    try {
      text.value = lines((await ask("plans", { game, text: text.value, shown: shown ? shown.firstChild.checked : null })).said);
      said.textContent = t("kept");
    } catch (error) {
      said.textContent = why(error);
    }
  };
  return make("details", {}, make("summary", {}, t("plans")), label, text, shown, button(t("keep"), keep), said);
}
