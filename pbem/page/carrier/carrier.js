// How a call comes to the desk's service, and its answer back: here to a worker in this browser. It stands in the place of the
// face's module of this name, which asks a server of this machine.

import { offline, open } from "./desk.mjs";
import { read } from "./lastseen.mjs";
import said from "./said.mjs";
import { tell } from "./state.js";

export class Refused extends Error { // what the service says where a call cannot be done
  constructor({ kind, text, wrong = [], why = "", said = "" }) {
    super(text);
    Object.assign(this, { kind, wrong, why, said });
  }
}

let desk;

async function begun() {
  const opened = await open({}, "./worker.mjs", tell);
  offline()?.catch(() => {}); // a private window may have none, and needs none
  return opened;
}

export function stop() { // ends what runs: the worker, as nothing else can; what was kept is still there, and the next call begins anew
  desk?.then(({ close }) => close("halted"), () => {});
  desk = undefined;
}

// A browser may keep a page that was left, for the way back, and with it a worker that holds the right to write (WebKit does). So the
// worker ends when its page is left; a page that is come back to begins anew.
addEventListener("pagehide", stop);
addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });

async function known({ call, language, game, options, picture }) { // what the build has let the program say, for which nobody need wait
  if (call === "words") return said[language]?.words;
  if (call !== "choices" || options) return undefined;
  const { games } = said[language]?.choices ?? {}, one = games?.find((each) => each.game === game);
  if (!game || !one || !picture || !door) return game ? undefined : games && { games };
  const drawn = await fetch(new URL(`pictures/${language}-${game}.svg`, door)).catch(() => null);
  return drawn?.ok ? { games: [{ ...one, picture: await drawn.text() }] } : undefined;
}

// What was seen at the last visit, and is seen until the program is there: `words` of a language, `games` to be played alone, `read()`; and
// `keep(seen)`, for the next visit.
export const lastSeen = {
  words: (language) => said[language]?.words.texts,
  games: (language) => said[language]?.choices.games,
  read,
  keep: (seen) => desk?.then((own) => own.seen(seen), () => {}),
};

export async function carry(request) { // an object with the name of its `call`; returns what its model says, or throws Refused
  let answer = await known(request);
  if (answer) return answer;
  const own = (desk ??= begun());
  tell({ calls: +1 });
  try {
    answer = await (await own).ask(request);
  } catch (error) {
    if (desk === own) desk = undefined; // the next call begins anew; what was kept is still there
    throw new Refused({ kind: error.why ?? "stopped", text: "", said: error.message });
  } finally {
    tell({ calls: -1 });
  }
  if (answer.error) throw new Refused(answer.error);
  return answer.ok;
}

export const door = location.protocol.startsWith("http") ? new URL(".", location.href).href : ""; // of the server that the page comes from, if it is one

export const anywhere = false;

export const reaches = (address) => new URL(address).origin === location.origin; // a page speaks to the door that serves it, and to no other

export async function request(asked, signal) { // a request to a door; returns what the call “carried” wants, or a `stream` of bytes
  try {
    if (!reaches(asked.address)) throw new TypeError("another origin");
    const body = asked.method === "POST" ? Uint8Array.from(atob(asked.body), (letter) => letter.charCodeAt(0)) : undefined;
    const reply = await fetch(asked.address, { method: asked.method, headers: asked.headers, body, signal,
      credentials: "omit", redirect: "error", cache: "no-store" });
    if (asked.streams && reply.status === 200) return { stream: reply.body };
    return { status: reply.status, data: text64(new Uint8Array(await reply.arrayBuffer())), why: "" };
  } catch (error) {
    return { status: 0, data: "", why: String(error.message ?? error).slice(0, 200) };
  }
}

function text64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}
