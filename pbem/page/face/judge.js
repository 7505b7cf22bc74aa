// Files that are judged and looked at: a log, or the mails that brought one; a complaint; a game of somebody else, shown as one's own are.

import { button, download, fill, make } from "./dom.js";
import { check, choice, field } from "./asking.js";
import { base64, drop } from "./post.js";
import { ask, t, why } from "./texts.js";

export function verdict(found, name = "") { // as the command prints it, paragraph by paragraph
  return make("div", { class: "box verdict" }, make("h3", {}, name ? `${name}: ${found.outcome}` : found.outcome), found.words.map((text) => make("p", {}, text)), found.taken.map((text) => make("p", { class: "note" }, text)),
    found.fault && make("p", { class: "wrong" }, found.fault), make("p", { class: "note" }, found.reason), found.head && make("p", { class: "note digest" }, found.head),
    found.chosen.map((text) => make("p", { class: "note" }, text)), found.doubt && make("p", { class: "note" }, found.doubt));
}

export function judge(go) {
  const rules = check(t("by_the_rules"), { id: "audit", checked: true });
  return make("div", {}, drop(t("drop_log"), (name, data) => judged(name, data, rules.firstChild.checked, go)), rules);
}

export async function judged(name, data, audit, go) { // what is to be said of a log, and ways to look at it
  const found = await ask("check", { data, name, audit }), said = make("p", { class: "wrong", role: "alert" });
  const tried = (work) => async () => { try { said.textContent = ""; await work(); } catch (error) { said.textContent = why(error); } };
  const proof = async () => { const made = await ask("proof", { data, name, audit }); download(made.name, made.data, "application/zip"); };
  const [numbered, entry] = field(t("entry"), { type: "number", min: 0, value: 0 }), sayso = make("pre", { class: "wide", tabIndex: 0, hidden: true });
  const signature = async () => { const made = await ask("signature", { data, name, entry: Number(entry.value) }); download(made.name, made.data, "application/zip"); sayso.hidden = false; sayso.textContent = made.command; };
  const looks = make("div", { class: "row" });
  const watch = async () => { const { seats } = await ask("watch", { data, name }); fill(looks, t("look_as"), seats.map((one) => button(one.name, tried(async () => go(`#/game/${(await ask("watch", { data, name, seat: one.seat })).game}`))))); };
  return make("div", {}, verdict(found, name), make("div", { class: "row" }, button(t("look_at_it"), tried(watch)), found.code && button(t("proof"), tried(proof))), looks,
    make("details", {}, make("summary", {}, t("signature")), make("p", {}, t("signature_says")), make("div", { class: "fields" }, numbered, entry), button(t("signature_save"), tried(signature)), sayso), said);
}

function files(kind, names) { // fields for files; `read` returns what was chosen, by name
  const made = names.map((name) => [name, field(t(`${kind}_${name}`), { type: "file" })]);
  const read = async () => Object.fromEntries(await Promise.all(made.map(async ([name, [, { files: [chosen] }]]) => [name, chosen ? await base64(chosen) : ""])));
  return { fields: made.map(([, each]) => each), read };
}

export function complaint() { // by papers that are brought
  const place = make("div", { role: "status" }), papers = files("paper", ["log", "letter", "receipts", "other"]);
  const [named, mark] = field(t("mark"), { type: "number", min: 0 });
  const judged = async (event) => {
    event.preventDefault();
    try {
      fill(place, verdict(await ask("complain", { ...await papers.read(), mark: mark.value === "" ? null : Number(mark.value) })));
    } catch (error) {
      fill(place, make("p", { class: "wrong", role: "alert" }, why(error)));
    }
  };
  return make("form", { onsubmit: judged }, make("p", {}, t("complain_says")),
    make("div", { class: "fields" }, papers.fields, named, mark), make("button", { type: "submit" }, t("complain")), place);
}

export function uniting() { // two copies of one game
  const said = make("p", { class: "note", role: "status" }), copies = files("copy", ["first", "second"]);
  const unite = async (event) => {
    event.preventDefault();
    try {
      const { name, data } = await ask("merge", await copies.read());
      download(name, data, "application/x-pbem");
      said.textContent = "";
    } catch (error) {
      said.textContent = why(error);
    }
  };
  return make("form", { onsubmit: unite }, make("p", {}, t("unite_says")), make("div", { class: "fields" }, copies.fields), make("button", { type: "submit" }, t("unite")), said);
}

export function complaintOf(game) { // about an order of one's own that was left out: the papers are on this desk
  const place = make("div", {}), result = make("div", { role: "status" });
  const load = async (event) => {
    if (!event.target.open) return;
    const { letters } = await ask("left", { game }), can = letters.filter((one) => one.has_receipt);
    const [named, which] = choice(t("which_letter"), can.map((one) => [one.name, one.text.replaceAll("\n", "; ").slice(0, 80) || one.kind]));
    const judged = async () => {
      try {
        fill(result, verdict(await ask("complain", { game, name: which.value })));
      } catch (error) {
        fill(result, make("p", { class: "wrong", role: "alert" }, why(error)));
      }
    };
    fill(place, make("p", {}, t("left_out_says")), can.length ? [named, which, make("div", { class: "row" }, button(t("complain"), judged))] : make("p", { class: "note" }, t("no_receipts")), result);
  };
  return make("details", { ontoggle: load }, make("summary", {}, t("left_out")), place);
}

export function entries(game) { // what the log says, entry by entry; and the game as a page of its own
  const place = make("div", {}), said = make("p", { class: "wrong", role: "alert" });
  const load = async (event) => {
    if (!event.target.open || place.childElementCount) return;
    const { lines } = await ask("entries", { game });
    fill(place, make("div", { class: "scroll entries", tabIndex: 0, role: "region", "aria-label": t("entries") }, lines.map((line) => make("p", { class: "line" }, line))));
  };
  const save = async () => { try { const { name, data } = await ask("replay", { game }); download(name, data, "text/html"); } catch (error) { said.textContent = why(error); } };
  return make("details", { ontoggle: load }, make("summary", {}, t("entries")), make("div", { class: "row" }, button(t("as_page"), save)), said, place);
}
