// What the face says, in the reader's language: all of it comes from the service's catalogue, and what has to be said before that can be
// asked stands in a module of its own. And moments, in the reader's own zone.

import { carry, lastSeen, Refused } from "./carrier.js";
import early from "./early.js";
import { opened } from "./lock.js";

const KEPT = "pbem.language";
let texts = {};
export let language = remembered();

function remembered() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch { // the browser lets nothing be kept
    return "";
  }
}

export const own = (languages) => navigator.languages.map((one) => one.split("-")[0]).find((one) => languages.includes(one)); // of the reader's, as the browser has it

export const before = () => (language in early ? language : own(Object.keys(early)) ?? "en"); // the language before the service speaks

export async function ask(call, more = {}) { // where the key is locked, its passphrase is asked for, and the call made once more
  const made = () => carry({ call, language, ...more });
  try {
    return await made();
  } catch (error) {
    if (error.kind !== "locked" || !(await opened(t, unlocks))) throw error;
    return made();
  }
}

const unlocks = (passphrase) => carry({ call: "unlock", language, passphrase }).then(() => "", why);

export const t = (name, values = {}) => (texts[name] ?? early[before()][name] ?? name).replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

export function prepare() { // the words that lie in the page, for what is seen before the service speaks
  texts = lastSeen?.words(before()) ?? {};
  document.documentElement.lang = before();
}

export async function speak(wanted) {
  language = wanted;
  try {
    localStorage.setItem(KEPT, wanted);
  } catch { /* it is asked of the browser next time */ }
  ({ texts } = await ask("words"));
  document.documentElement.lang = wanted;
}

export function when(at) { // a moment of the service, as its reader's clock and calendar say it
  if (!at) return "";
  return new Intl.DateTimeFormat(language, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" }).format(new Date(at));
}

export function why(error) { // in a sentence
  if (!(error instanceof Refused)) return `${t("stumbles")} ${error}`;
  if (error.kind === "unkept") return t(`unkept_${error.why}`, { said: error.said });
  return error.message || t(error.kind, { said: error.said });
}
