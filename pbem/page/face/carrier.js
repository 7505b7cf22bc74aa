// How a call comes to the desk's service, and its answer back: here over this machine's own server (`pbem web`). What carries calls
// in another way is a module in this one's place, with the same exports. The token came in the address behind its `#`,
// and is taken out of it at once, so that no link holds it; what follows it is the place that is opened ("/game/…").

import { tell } from "./state.js";

const KEPT = "pbem.token";
const given = location.hash.slice(1);
if (given && !given.startsWith("/")) {
  const [token, ...place] = given.split("/");
  sessionStorage.setItem(KEPT, token);
  history.replaceState(null, "", `${location.pathname}#/${place.join("/")}`);
}

export class Refused extends Error { // what the service says where a call cannot be done
  constructor({ kind, text, wrong = [] }) {
    super(text);
    Object.assign(this, { kind, wrong });
  }
}

const asks = (path, what, more = {}) => fetch(path, {
  method: "POST", credentials: "omit", cache: "no-store",
  headers: { "Content-Type": "application/json", "X-Pbem-Token": sessionStorage.getItem(KEPT) ?? "" },
  body: JSON.stringify(what), ...more,
});

export const lastSeen = null; // a server's program is there at once

export const stop = null; // a server's call runs to its end

export async function carry(request) { // an object with the name of its `call`; returns what its model says, or throws Refused
  let reply;
  tell({ calls: +1 });
  try {
    reply = await asks("call", request);
  } catch {
    throw new Refused({ kind: "gone", text: "" });
  } finally {
    tell({ calls: -1 });
  }
  if (!reply.ok) throw new Refused({ kind: reply.status === 403 ? "no_token" : "gone", text: "" });
  const answer = await reply.json();
  if (answer.error) throw new Refused(answer.error);
  return answer.ok;
}

export const door = ""; // the page comes from no door

export const anywhere = true; // a relay may be at any address

export const reaches = () => true; // Python carries requests to every door that its desk knows

export async function request(asked, signal) { // a request to a door; returns what the call “carried” wants, or a `stream` of bytes
  try {
    const reply = await asks("carry", asked, { signal });
    if (!reply.ok) throw new Error(`${reply.status}`);
    return reply.headers.get("Content-Type") === "text/event-stream" ? { stream: reply.body } : await reply.json();
  } catch (error) {
    return { status: 0, data: "", why: String(error.message ?? error).slice(0, 200) };
  }
}
