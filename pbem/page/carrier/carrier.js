// How a call comes to the desk's service, and its answer back: here to a worker in this browser. It stands in the place of the
// face's module of this name, which asks a server of this machine.

import { offline, open } from "./desk.mjs";
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

export async function carry(request) { // an object with the name of its `call`; returns what its model says, or throws Refused
  let answer;
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
