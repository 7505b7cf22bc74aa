// The options of a game as fields of a form, and what is chosen in them.

import { make } from "./dom.js";

const PLAIN = 3; // so many are shown at once, the rest behind “Options”

const upper = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

function option(prefix, { name, text, kind, values, labels, value, least, most }, onchange) {
  const id = `${prefix}-${name}`;
  if (kind === "yes or no") return [make("label", { class: "check" }, make("input", { type: "checkbox", id, name: id, checked: value, onchange }), upper(text))];
  const field = kind === "number" && !values.length ? make("input", { type: "number", id, name: id, value, min: least, max: most, required: true, onchange })
    : make("select", { id, name: id, onchange }, values.map((each, i) => make("option", { value: each, selected: each === String(value) }, upper(labels[i]))));
  return [make("label", { for: id }, upper(text)), field];
}

export function options(prefix, settings, onchange) { // those that are shown at once, and the rest; ids begin with `prefix`
  const fields = settings.map((one) => option(prefix, one, onchange)), plain = settings.findIndex(({ kind }) => kind === "yes or no");
  const first = Math.min(PLAIN, plain < 0 ? PLAIN : plain);
  return [fields.slice(0, first).flat(), fields.slice(first).flat()];
}

export const chosen = (form, prefix, settings) => Object.fromEntries(settings.map(({ name, kind }) => {
  const field = form.elements[`${prefix}-${name}`];
  return [name, kind === "yes or no" ? field.checked : kind === "number" ? Number(field.value) : field.value];
}));
