// Keys that are compared by telephone: whose each is, as six words to be read out, with the fingerprint beside them.

import { make } from "./dom.js";
import { ask, t, why } from "./texts.js";

export function compared(keys) {
  return make("div", { class: "wide", tabIndex: 0, role: "region", "aria-label": t("keys") },
    make("table", { class: "data keys" }, make("caption", {}, t("keys")),
      make("thead", {}, make("tr", {}, ["key_of", "key_words", "key_print"].map((name) => make("th", { scope: "col" }, t(name))))),
      make("tbody", {}, keys.filter(({ player }) => player).map(({ who, own, words, fingerprint }) => make("tr", {},
        make("th", { scope: "row" }, own ? t("your_own", { who }) : who), make("td", { class: "aloud" }, words), make("td", { class: "digest" }, fingerprint))))));
}

export function keysOf(game) { // a sheet, filled when it is opened
  const place = make("div", {});
  const load = async (event) => {
    if (!event.target.open) return;
    try {
      place.replaceChildren(make("p", {}, t("keys_say")), compared((await ask("keys", { game })).keys));
    } catch (error) {
      place.replaceChildren(make("p", { class: "wrong", role: "alert" }, why(error)));
    }
  };
  return make("details", { ontoggle: load }, make("summary", {}, t("keys")), place);
}
