// What is looked at without a game: the rules that are here, and a position that is typed.

import { choice, field } from "./asking.js";
import { fill, make, table, told } from "./dom.js";
import { Layers } from "./layers.js";
import { ask, t, why } from "./texts.js";

export function rules() { // their versions and fingerprints: what the others compare theirs with
  const place = make("div", {});
  const load = async ({ target }) => {
    if (!target.open || place.childElementCount) return;
    try {
      fill(place, (await ask("rules")).rules.map((one) => make("div", { class: "box" }, make("h3", {}, t("version_of", { title: one.title, version: one.version })),
        make("p", { class: "digest" }, one.sha256), make("p", { class: "note" }, one.says))));
    } catch (error) {
      fill(place, make("p", { class: "wrong" }, why(error)));
    }
  };
  return make("details", { ontoggle: load }, make("summary", {}, t("rules_here")), make("p", {}, t("rules_here_say")), place);
}

export function position() { // in words or as JSON, as anybody writes it into a letter
  const place = make("div", { class: "placed", role: "status" });
  const [named, text] = field(t("position_text"), { rows: 6, required: true, spellcheck: false }, "textarea");
  const [by, seat] = choice(t("seen_by"), [["", t("seen_by_all")]]);
  const shown = async (event) => {
    event.preventDefault();
    try {
      const found = await ask("place", { text: text.value, seat: seat.value }), chosen = seat.value;
      fill(seat, [["", t("seen_by_all")], ...found.seats.map((one) => [one.seat, one.name])].map(([value, name]) => make("option", { value, selected: value === chosen }, name)));
      fill(place, make("h3", {}, found.title), found.drawing && make("div", { class: "placed-drawing" }, new Layers().show(found.drawing)),
        found.seen.map((one) => make("details", {}, make("summary", {}, one.name), told(one.question), told(one.hand), one.tables.map(table), one.text && make("pre", { class: "wide", tabIndex: 0 }, one.text))));
    } catch (error) {
      fill(place, make("p", { class: "wrong" }, why(error)));
    }
  };
  text.addEventListener("input", () => { fill(seat, make("option", { value: "" }, t("seen_by_all"))); }); // it may be of another game
  return make("details", {}, make("summary", {}, t("position")), make("form", { onsubmit: shown }, make("p", {}, t("position_says")),
    make("div", { class: "fields" }, named, text, by, seat), make("button", { type: "submit" }, t("position_show"))), place);
}
