// How a call comes to the desk's service, and its answer back: here to a worker in this browser. It stands in the place of the
// face's module of this name, which asks a server of this machine.

import { offline, open } from "./desk.mjs";

export class Refused extends Error { // what the service says where a call cannot be done
  constructor({ kind, text, wrong = [] }) {
    super(text);
    this.kind = kind;
    this.wrong = wrong;
  }
}

let desk;

async function begun() {
  const opened = await open();
  offline()?.catch(() => {}); // a private window may have none, and needs none
  return opened;
}

export async function carry(request) { // an object with the name of its `call`; returns what its model says, or throws Refused
  let answer;
  try {
    desk ??= begun();
    answer = await (await desk).ask(request);
  } catch (error) {
    desk = undefined; // the next call begins anew; what was kept is still there
    throw new Refused({ kind: "gone", text: error.message });
  }
  if (answer.error) throw new Refused(answer.error);
  return answer.ok;
}
