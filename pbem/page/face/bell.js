// Tells by a notification of the browser that it is your turn, while nobody looks at the page. Only who asked for it is told, and the
// notification says no more than the list of games: neither cards nor blocks.

import { make } from "./dom.js";
import { ask, t } from "./texts.js";

const KEPT = "pbem.bell";
const able = () => "Notification" in globalThis;

function wanted(yes) { // is it asked for? With `yes` it is from now on, or is not
  try {
    if (yes !== undefined) localStorage.setItem(KEPT, yes ? "yes" : "no");
    return localStorage.getItem(KEPT) === "yes";
  } catch { // the browser lets nothing be kept
    return false;
  }
}

export function bell() { // the switch; none where the browser tells nobody
  if (!able()) return null;
  const box = make("input", { type: "checkbox", id: "bell", checked: wanted() && Notification.permission === "granted", onchange: async () => {
    const allowed = !box.checked || Notification.permission === "granted" || await Notification.requestPermission() === "granted";
    box.checked = box.checked && allowed;
    wanted(box.checked);
    note.hidden = allowed;
  } });
  const note = make("p", { class: "note", hidden: true, role: "status" }, t("bell_refused"));
  return make("div", {}, make("label", { class: "check" }, box, t("bell")), note);
}

export async function ring(games) { // something new has come for these games
  if (!able() || !wanted() || !document.hidden || Notification.permission !== "granted") return;
  const { games: all } = await ask("games");
  for (const one of all.filter(({ game, state }) => state === "mine" && games.some((name) => game.startsWith(name) || name.startsWith(game)))) {
    const told = new Notification(one.title, { body: one.says, tag: one.game, lang: document.documentElement.lang });
    told.onclick = () => { focus(); location.hash = `#/game/${one.game}`; told.close(); };
  }
}
