// A relay, by which the letters of a game of two go and come by themselves (door.js): whether one serves this page, the link by which a
// friend joins, and what is done where the page was opened by one. Whoever has a link can read the invitation and take the seat, so it
// is taken out of the address at once, and lies in this tab alone until the invitation is kept.

import { field } from "./asking.js";
import { anywhere, door, request } from "./carrier.js";
import { announce, button, fill, make } from "./dom.js";
import { errand } from "./door.js";
import { ask, t, why } from "./texts.js";

const KEPT = "pbem.link", PROTOCOL = "pbem-relay/1", LONGEST = 20_000; // milliseconds for a greeting
let lies = ""; // the link that was opened and is not kept yet

const session = (does) => { try { return does(sessionStorage); } catch { return null; } }; // a browser may refuse to keep anything

export function take() { // a link out of the address
  const [found] = /^#play=[\w-]+$/.exec(location.hash) ?? [];
  if (!found) return;
  lies = `${door}${found}`;
  history.replaceState(null, "", `${location.pathname}${location.search}#/`);
  session((place) => place.setItem(KEPT, lies));
}

take();
lies ||= session((place) => place.getItem(KEPT)) ?? "";

export const pending = () => lies !== "";

export function follow(text) { // a link that was pasted is opened as one that stood in the address; is it one?
  const found = /^https?:\/\/\S+#play=[\w-]+$/.test(text);
  if (found) lies = text;
  return found;
}

function leave() {
  lies = "";
  session((place) => place.removeItem(KEPT));
}

export function opens(after) { // fetches the invitation; `after` is called once it is kept
  const place = make("div", { class: "box", role: "status" });
  const go = async () => {
    fill(place, make("p", {}, t("link_fetched")));
    try {
      const { came, trouble } = await errand("open_link", { link: lies });
      const refused = came.filter(({ kind }) => kind !== "asks" && kind !== "old").map(({ text }) => text);
      if (trouble.length || refused.length || !came.length) throw new Error([...trouble, ...refused].join(" ") || t("link_empty"));
      leave();
      await after();
    } catch (error) {
      const says = error.constructor === Error ? error.message : why(error);
      fill(place, make("p", { class: "wrong", role: "alert" }, says), make("div", { class: "row" }, button(t("link_again"), go, { class: "main" }), button(t("leave_it"), () => { leave(); place.remove(); })));
    }
  };
  go();
  return place;
}

let own;
export const ownRelay = () => (own ??= greeted()); // the address of the relay that serves this page; "" without one

async function greeted() {
  if (!door) return "";
  const { status, data } = await request({ method: "GET", address: `${door}relay/`, headers: {}, body: "", streams: false }, AbortSignal.timeout(LONGEST));
  try {
    return status === 200 && JSON.parse(atob(data)).relay === PROTOCOL ? door : "";
  } catch { // another server, which answers everything
    return "";
  }
}

export async function relayField() { // the choice of a relay in a form: its fields, and what was chosen
  if (await ownRelay()) {
    const box = make("input", { type: "checkbox", id: "friend-relay", checked: true });
    return { nodes: make("label", { class: "check" }, box, t("by_this_relay")), asks: box, chosen: () => (box.checked ? door : "") };
  }
  if (!anywhere) return { nodes: null, asks: null, chosen: () => "" };
  const [named, address] = field(t("relay_address"), { id: "friend-relay", type: "url", autocomplete: "off" });
  return { nodes: [named, address], asks: address, chosen: () => address.value.trim() };
}

export async function linked(game) { // the link of a game whose friend has not joined, with what is to be done; null without one
  const { link } = await ask("link", { game });
  if (!link) return null;
  const said = make("p", { class: "note", role: "status" }), [named, shown] = field(t("link"), { type: "text", readOnly: true, value: link, onfocus: () => shown.select() });
  const copy = async () => { await navigator.clipboard.writeText(link); said.textContent = t("link_copied"); announce(t("link_copied")); };
  const share = async () => { try { await navigator.share({ url: link }); } catch { /* it was left */ } };
  const first = Boolean(navigator.share);
  return make("div", { class: "box link" }, make("p", {}, make("b", {}, t("link_says"))), make("ol", { class: "steps" },
    make("li", {}, make("p", {}, t("link_give")), make("div", { class: "fields" }, named, shown), make("div", { class: "row" }, first && button(t("share"), share, { class: "main" }), button(t("link_copy"), copy, { class: first ? "" : "main" })), said),
    make("li", {}, make("p", {}, t("link_wait")))), make("p", { class: "note" }, t("link_secret")));
}
