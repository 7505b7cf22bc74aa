// What is asked twice: what an act would mean is told before it is signed, and it is signed by a second touch. And the fields of forms.

import { button, fill, make } from "./dom.js";
import { letter } from "./post.js";
import { t, why } from "./texts.js";

export function sure(place, { title, means, fields = [], yes = t("yes_sign"), sign }) { // asks in `place`; `sign` does it, and its letters are shown there
  const trouble = make("p", { class: "wrong", role: "alert" });
  const done = async (event) => {
    event.preventDefault();
    const pressed = form.querySelector("button[type=submit]");
    pressed.disabled = true;
    try {
      result(place, await sign());
    } catch (error) {
      trouble.textContent = why(error);
      pressed.disabled = false;
    }
  };
  const form = make("form", { class: "box sure", onsubmit: done }, make("p", {}, make("b", {}, title)), make("p", {}, means), fields, trouble,
    make("div", { class: "row" }, make("button", { type: "submit", class: "main" }, yes), button(t("no"), () => fill(place))));
  fill(place, form);
  form.querySelector("input,select,textarea,button").focus();
}

export function result(place, { said = "", letters = [] }, after = () => {}) { // what was signed, and the letters that carry it
  const done = () => { fill(place); after(); };
  fill(place, said && make("pre", { class: "report", role: "status" }, said), letters.map((one) => letter(one, done)));
}

let number = 0;
export function field(label, given = {}, tag = "input") { // a label with its field: [label, field]
  const id = given.id ?? `field-${(number += 1)}`, made = make(tag, { ...given, id });
  return [make("label", { for: id }, label), made];
}

export function choice(label, values, given = {}) { // the same with a list of [value, text]
  const [named, select] = field(label, given, "select");
  fill(select, values.map(([value, text]) => make("option", { value }, text)));
  return [named, select];
}

export const check = (label, given = {}) => make("label", { class: "check" }, make("input", { type: "checkbox", ...given }), label);
