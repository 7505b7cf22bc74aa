// The page's end of the worker where the page is one file: it hands the worker what lies in the file, asks for the passphrase under
// which the desk is kept, and says what such a page cannot do. Its words lie in the file, in each language: they are needed before
// the service answers.

import { open as opened } from "../desk.mjs";
import { button, fill, make } from "../dom.js";

const LEAST = 10; // letters of a passphrase
const { words, worker, paths, part } = globalThis.pbemFile;
const spoken = [localStorage.getItem("pbem.language"), ...navigator.languages.map((one) => one.split("-")[0])];
const language = spoken.find((one) => one in words) ?? "en";
const t = (name) => words[language][name];
const policy = globalThis.trustedTypes?.createPolicy("pbem-file", { createScriptURL: (address) => address }); // for the one script that lies in the file

export const offline = () => undefined; // there is nothing to be fetched

function asking(...inside) { // a part of the page above all else, until it is done with
  const node = make("section", { class: "aside passphrase", lang: language }, ...inside);
  document.body.prepend(node);
  node.querySelector("input")?.focus();
  node.scrollIntoView();
  return node;
}

function secret(label, autocomplete) {
  const field = make("input", { type: "password", required: true, autocomplete });
  return { field, node: make("p", {}, make("label", {}, label, field)) };
}

function locked(why) { // resolves with what the player says: a passphrase, or that the desk is to be thrown away
  return new Promise((well) => {
    const { field, node } = secret(t("file_passphrase"), "current-password");
    const done = (said) => { fill(place, make("p", { role: "status" }, t("file_opening"))); well([said, place]); };
    const away = () => { if (confirm(t("file_really"))) done({ discard: true }); };
    const place = asking(make("form", { class: "box", onsubmit: (event) => { event.preventDefault(); done({ passphrase: field.value }); } },
      make("h2", {}, t("file_locked")), why !== "locked" && make("p", { class: "wrong", role: "alert" }, t(`file_${why}`)), node,
      make("div", { class: "row" }, make("button", { type: "submit", class: "main" }, t("file_open")), button(t("file_discard"), away, { class: "quiet" }))));
  });
}

function chosen(said, keep) { // resolves with a passphrase, once the desk is kept under it, or with "" where the player leaves it
  return new Promise((well) => {
    const { field, node } = secret(t("file_new"), "new-password"), other = secret(t("file_again"), "new-password");
    const trouble = make("p", { class: "wrong", role: "alert" }, said && t("file_short"));
    const done = (passphrase) => { place.remove(); well(passphrase); };
    const tried = async (event) => {
      event.preventDefault();
      if (field.value.length < LEAST) return fill(trouble, t("file_short"));
      if (field.value !== other.field.value) return fill(trouble, t("file_differ"));
      fill(trouble, t("file_opening"));
      const wrong = await keep(field.value);
      return wrong ? fill(trouble, wrong) : done(field.value);
    };
    const place = asking(make("form", { class: "box", onsubmit: tried }, make("h2", {}, t("file_choose")), make("p", {}, t("file_why")), node, other.node, trouble,
      make("div", { class: "row" }, make("button", { type: "submit", class: "main" }, t("file_keep")), button(t("file_leave"), () => done("")))));
  });
}

class Door { // the way to the vault in the worker
  constructor(port) {
    Object.assign(this, { port, answer: () => {}, shown: null, passphrase: "" });
    port.onmessage = ({ data }) => ("asks" in data ? this.asked(data.asks) : this.answer(data));
  }

  async asked(why) {
    this.shown?.remove();
    const [said, place] = await locked(why);
    Object.assign(this, { shown: place, passphrase: said.passphrase ?? "" });
    this.port.postMessage(said);
  }

  said(request) {
    return new Promise((well) => {
      this.answer = well;
      this.port.postMessage(request);
    });
  }

  opened() { this.shown?.remove(); }

  state() { return this.said({ state: true }).then(({ state }) => state); }

  async keep(passphrase) { return (await this.said({ choose: passphrase })).failed; }

  async choose(passphrase = "") { // "" where the player leaves it
    const short = passphrase.length < LEAST || await this.keep(passphrase);
    this.passphrase = short ? await chosen(passphrase, (one) => this.keep(one)) : passphrase;
    return this.passphrase;
  }
}

function told() { // below the page: what a file can do, and what it cannot
  document.body.append(make("footer", { class: "aside file", lang: language }, make("details", {}, make("summary", {}, t("file_is")),
    make("p", {}, t("file_speaks")), make("p", {}, t("file_keeps")), make("p", {}, t("file_others")))));
}

export async function open(wanted = {}, _address = "", ...more) { // as the other desk.mjs
  const { port1, port2 } = new MessageChannel(), door = new Door(port1), parts = Object.fromEntries(paths.map((path) => [path, part(path)]));
  const desk = await opened(wanted, () => {
    const begun = new Worker(policy ? policy.createScriptURL(worker) : worker); // no worker of modules: Chromium starts none from a disk
    begun.postMessage({ given: { parts, port: port2 } }, [port2, ...Object.values(parts).map((one) => one.buffer)]);
    return begun;
  }, ...more);
  door.opened();
  if (!document.querySelector("footer.file")) told();
  const unlock = () => door.passphrase && desk.ask({ call: "unlock", passphrase: door.passphrase }); // the key, if it has the same one
  await unlock();
  async function ask(request) {
    let answer = await desk.ask(request);
    if (answer.error?.kind === "unkept") await unlock(); // the service has begun anew, and knows no passphrase
    while (answer.error?.kind === "unkept" && await door.state() === "waits") { // nothing was done; once there is a passphrase, it is asked again
      const passphrase = await door.choose(request.passphrase);
      if (!passphrase) break;
      answer = await desk.ask("passphrase" in request ? { ...request, passphrase } : request);
    }
    return answer;
  }
  return { ...desk, ask };
}
