// Letters: what is signed and goes out by a mail program, what came and is read here.

import { reaches } from "./carrier.js";
import { byDoor, came, look } from "./door.js";
import { announce, button, download, fill, make } from "./dom.js";
import { ask, t, when, why } from "./texts.js";

const ORDERS = ["order", "ahead"], KEPT = [...ORDERS, "rekey", "two", "seen"]; // of an order another takes the place; a key has changed already

export const letter = (one, done = () => {}) => // a signed letter: it goes to the host's door or by the relay, if there is one, else as its writer sends it
  (one.door && reaches(one.door)) || (one.relay && reaches(one.relay)) ? byDoor(one, () => byMail(one, done)) : byMail(one, done);

function byMail(one, done) {
  const said = make("p", { class: "note", role: "status" });
  const gone = async () => { await ask("given", { name: one.name }); announce(t(one.attached ? "given_friend" : "given")); done(); };
  const full = async (event) => { const { letters: [made] } = await ask("in_full", { name: one.name }); event.target.closest(".letter").replaceWith(letter(made, done)); };
  const aside = async () => { try { await ask("lay_aside", { name: one.name }); announce(t("laid_aside")); done(); } catch (error) { said.textContent = why(error); } };
  const copy = async () => { await navigator.clipboard.writeText(one.text); said.textContent = t("copied", { to: one.to }); };
  const share = async () => { try { await navigator.share({ title: one.subject, text: one.text }); await gone(); } catch { /* it was left */ } };
  const file = button(t("as_file"), () => download(one.name, one.eml, "message/rfc822")), sent = button(t("is_sent"), gone);
  const aways = !KEPT.includes(one.kind) && button(t("lay_aside"), aside);
  return make("div", { class: "box letter" },
    make("p", {}, make("b", {}, t("signed_letter")), " ", t("to", { to: one.to })),
    one.relay && !one.mailto && !one.attached ? make("p", { class: "note" }, t("relay_needed")) : one.attached ? [apart(one, said, sent, file), aways] : make("div", { class: "row" },
      one.mailto && make("a", { class: "knob main", href: one.mailto, onclick: () => { said.textContent = t("send_there"); } }, t("open_mail")),
      button(t("copy"), copy), navigator.share && button(t("share"), share), file, sent, aways),
    one.relay && one.mailto && !reaches(one.relay) && make("p", { class: "note" }, t("relay_elsewhere", { relay: one.relay })),
    said, make("details", {}, make("summary", {}, t("letter_itself")), make("p", { class: "note" }, one.subject), make("pre", { class: "wide", tabIndex: 0 }, one.text),
      ORDERS.includes(one.kind) && button(t("in_full"), full)));
}

function apart({ attached: { name, data }, subject, text, mailto, to }, said, sent, file) { // what counts is attached, and goes into no link: step by step
  const step = (says, ...does) => make("li", {}, make("p", {}, says), make("div", { class: "row" }, does)), written = mailto && make("a", { class: "knob", href: mailto }, t("open_mail"));
  const ways = (...of) => make("details", {}, make("summary", {}, t("other_way")), make("div", { class: "row" }, of)), steps = (...all) => make("ol", { class: "steps" }, all);
  const whole = { title: subject, text, files: [new File([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], `${name}.txt`, { type: "text/plain" })] }; // browsers share files of few kinds
  const save = (more) => button(t("save_attached", { name }), () => download(name, data, "application/x-pbem"), more);
  if (!navigator.canShare?.(whole)) return [steps(step(t("step_save"), save({ class: "main" })), step(t("step_attach", { name, to }), written), step(t("then_mark"), sent)), ways(file)];
  const share = async () => {
    try {
      await navigator.share(whole);
      [sent.className, sharing.className] = ["main", ""];
      sent.focus();
    } catch ({ name: fault }) {
      if (fault !== "AbortError") said.textContent = t("not_shared"); // else it was left
    }
  };
  const sharing = button(t("share"), share, { class: "main" });
  return [steps(step(t("step_share", { to }), sharing), step(t("then_mark"), sent)), ways(save(), written, file)];
}

export async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}

export function drop(label, read, kinds = {}) { // a place for files: dropped, chosen, pasted
  const result = make("div", { class: "came", role: "status" });
  const each = async (files) => {
    fill(result, make("p", {}, t("reading")));
    const shown = [];
    for (const file of files) {
      try {
        shown.push(await read(file.name ?? "", await base64(file)));
      } catch (error) {
        shown.push(make("p", { class: "wrong" }, `${file.name ?? ""} ${why(error)}`));
      }
      fill(result, shown);
    }
  };
  const field = make("input", { type: "file", multiple: true, onchange: () => { each([...field.files]); field.value = ""; }, ...kinds });
  const paste = make("textarea", { rows: 2, "aria-label": t("paste"), placeholder: t("paste"), onpaste: (event) => {
    const files = [...event.clipboardData.files], text = event.clipboardData.getData("text");
    event.preventDefault();
    if (files.length || text.trim()) each(files.length ? files : [new Blob([text])]);
  } });
  const place = make("div", { class: "drop" }, make("label", {}, label, field), paste);
  place.addEventListener("dragover", (event) => { event.preventDefault(); place.classList.add("over"); });
  place.addEventListener("dragleave", () => place.classList.remove("over"));
  place.addEventListener("drop", (event) => { event.preventDefault(); place.classList.remove("over"); each([...event.dataTransfer.files]); });
  return make("div", {}, place, result);
}

export const letters = (after, besides = () => null, link = () => false) => drop(t("drop"), async (name, data) => { // `link` takes that of an invitation
  if (data.length < 2048 && link(atob(data).trim())) {
    await after();
    return [];
  }
  const found = await ask("read", { name, data });
  await after(); // what is listed is as the letter left it, before it is said what came
  look(); // a letter may say where a door is
  return found.came.map((one) => came(one, besides));
});

export function fetching(after, besides = () => null) { // what came into the player's own mailbox
  const result = make("div", { class: "came", role: "status" });
  const fetched = async () => {
    fill(result, make("p", {}, t("fetching")));
    try {
      const found = await ask("fetch");
      after();
      look();
      fill(result, found.trouble && make("p", { class: "wrong" }, found.trouble), found.came.map((one) => came(one, besides)),
        !found.came.length && !found.trouble && make("p", { class: "note" }, t("nothing_came")));
    } catch (error) {
      fill(result, make("p", { class: "wrong" }, why(error)));
    }
  };
  return make("div", {}, make("div", { class: "row" }, button(t("fetch"), fetched)), result);
}

export const dates = (row) => row.alone ? row.since && make("span", { class: "note" }, t("last", { when: when(row.since) })) : [row.since && make("span", { class: "note" }, t("since", { when: when(row.since) })), row.due && make("span", { class: "note" }, t("until", { when: when(row.due) }))];
