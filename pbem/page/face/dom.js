// Making elements: every string becomes text, never markup. Only a drawing of our own service is read as markup, by `drawn`.

const policy = globalThis.trustedTypes?.createPolicy("pbem", { createHTML: (markup) => markup }) ?? { createHTML: (markup) => markup };

const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u206f\ufffe\uffff]/g; // as pbem/i18n/visible.py has it
const sign = (one) => one < " " ? String.fromCharCode(0x2400 + one.charCodeAt(0)) : one === "\u007f" ? "␡" : `\\u{${one.charCodeAt(0).toString(16)}}`;
export const visible = (text) => text.replace(OBEYED, sign); // what would turn a line, or is not seen, as a sign

export function make(tag, given = {}, ...inside) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (name in node && !name.startsWith("aria") && name !== "list") node[name] = value;
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value === true ? "" : value);
  }
  fill(node, ...inside);
  return node;
}

export function fill(node, ...inside) {
  const shown = inside.flat(9).filter((one) => one !== null && one !== undefined && one !== false && one !== "");
  node.replaceChildren(...shown.map((one) => typeof one === "string" ? visible(one) : one));
  return node;
}

export const button = (label, onclick, given = {}) => make("button", { type: "button", onclick, ...given }, label);

export const keeper = () => make("input", { type: "text", autocomplete: "username", value: "pbem", hidden: true }); // whose passphrase it is, for a keeper of passwords

let spoken = 0;
export function announce(text) { // to who hears the screen
  const live = document.getElementById("live");
  live.textContent = "";
  clearTimeout(spoken);
  spoken = setTimeout(() => { live.textContent = visible(text); }, 60);
}

export function drawn(svg, look = () => {}) { // a drawing as an element; `look` is called with it before the page has it
  const read = new DOMParser().parseFromString(policy.createHTML(svg), "image/svg+xml").documentElement;
  for (const bad of read.querySelectorAll("script,foreignObject,iframe,a,animate,set")) bad.remove();
  look(read);
  return document.importNode(read, true);
}

let sheet;
export function wear(style) { // the style of a drawing, worn by the whole page: all of it stands under a class of its own
  if (sheet?.text === style) return;
  const made = new CSSStyleSheet();
  made.replaceSync(style);
  made.text = style;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((one) => one !== sheet), made];
  sheet = made;
}

const DICE = /((?:\[\d\]|\d)(?: (?:\[\d\]|\d))*)(?= {2})|\[\d\]/g; // as the reports draw them: a hit stands in brackets
export function dice(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(DICE)) {
    if (!found[0].startsWith("[") && text.slice(found.index - 2, found.index) !== ": ") continue;
    parts.push(text.slice(at, found.index));
    found[0].split(" ").forEach((die, i) => parts.push(i ? " " : null, make("span", { class: die.startsWith("[") ? "die hit" : "die" }, die)));
    at = found.index + found[0].length;
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== null);
}

export function table({ title, heads, rows, note, label = title }) { // `label` tells it from others of the same title
  return make("div", { class: "wide", tabIndex: 0, role: "region", "aria-label": label },
    make("table", { class: "data" }, make("caption", {}, title),
      make("thead", {}, make("tr", {}, heads.map((head) => head ? make("th", { scope: "col" }, head) : make("td")))),
      make("tbody", {}, rows.map(([first, ...cells]) => make("tr", {}, make("th", { scope: "row" }, first), cells.map((cell) => make("td", {}, cell)))))),
    note && make("p", { class: "note" }, note));
}

export const told = (lines) => lines.map(({ text, depth }) => make("p", { class: depth ? `line in${depth}` : "line" }, text));

export function download(name, base64, type = "application/octet-stream") {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const link = make("a", { href: URL.createObjectURL(new Blob([bytes], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
