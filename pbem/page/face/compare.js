// A copy that came from the host alone: it is compared before anything is signed upon it, by a desk that was set up from its key.

import { result, sure } from "./asking.js";
import { button, fill, make } from "./dom.js";
import { ask, t, why } from "./texts.js";

export function compare(place, game, says) { // in `place`: what is to be compared, and the ways to go on
  const trouble = make("p", { class: "wrong", role: "alert" }), below = make("div", {});
  const head = make("input", { type: "text", id: "compare-head", maxLength: 200, autocomplete: "off", spellcheck: false });
  const go = async (more) => {
    try {
      await ask("compare", { game, ...more });
      fill(place, make("p", { class: "note", role: "status" }, t("compare_fits")));
    } catch (error) {
      trouble.textContent = why(error);
    }
  };
  const typed = (event) => { event.preventDefault(); if (head.value.trim()) go({ head: head.value }); };
  const rekey = () => sure(below, { title: t("compare_rekey"), means: t("compare_rekey_means"), sign: async () => {
    const made = await ask("rekey");
    result(place, made);
    return made;
  } });
  fill(place, make("div", { class: "box", id: "compare" }, make("h3", {}, t("compare")), make("p", {}, says),
    make("form", { onsubmit: typed }, make("label", { for: head.id }, t("compare_head")), head, make("button", { type: "submit", class: "main" }, t("compare_do"))),
    trouble, make("div", { class: "row" }, button(t("compare_rekey"), rekey), button(t("compare_anyway"), () => go({ anyway: true }))), below));
  head.focus();
}
