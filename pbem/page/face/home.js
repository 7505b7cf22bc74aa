// The first screen: your games, a shelf of games to begin at once, puzzles, and what goes by mail.

import { check, field } from "./asking.js";
import { card } from "./card.js";
import { anywhere, stop } from "./carrier.js";
import { announce, button, download, fill, make } from "./dom.js";
import { newest } from "./door.js";
import { events } from "./events.js";
import { friend, invited } from "./friend.js";
import { asks, besides } from "./join.js";
import { keep, row } from "./last.js";
import { lostKey, me, recoveryKey } from "./me.js";
import { base64, dates, fetching, letter, letters } from "./post.js";
import { row as puzzles } from "./puzzles.js";
import { follow, linked, opens, ownRelay, pending } from "./relay.js";
import { shown } from "./shown.js";
import { picture, small } from "./thumb.js";
import { ask, language, speak, t, why } from "./texts.js";

const JOINING = { host: null, two: invited }; // by who deals: what a game that has not begun shows besides
const FEW = 3; // so many of the games that were begun are shown at once

export class Home {
  constructor(_name, go) {
    this.go = go;
    this.parts = Object.fromEntries(["kept", "alone", "posed", "mail", "look"].map((name) => [name, make("section", { class: name })]));
    this.node = make("main", { class: "page" });
  }

  close() { this.closed = true; }

  async open() {
    document.title = "pbem";
    const [about, choices, games] = await Promise.all([ask("about"), ask("choices"), ask("games")]);
    this.about = about;
    const { kept, alone, posed, mail, look } = this.parts, writes = pending() || games.asks.length || games.games.some((one) => !one.alone);
    fill(this.node, this.head(), writes ? [mail, kept, alone, posed, look] : [kept, alone, posed, mail, look]); // what waits for an answer first
    const cards = choices.games.map((one) => card(one, this.go));
    fill(alone, make("h2", {}, t("at_once")), make("p", {}, t("at_once_says")), make("div", { class: "games" }, cards.map(({ node }) => node)));
    fill(posed, puzzles());
    fill(look, events(() => this.about.fingerprint), shown(this.go), make("p", {}, make("a", { href: "#/tools", class: "tools" }, t("tools")), " ", make("span", { class: "note" }, t("tools_say"))));
    this.covers = new Map();
    this.titles = new Map(choices.games.map(({ title, game }) => [title, game]));
    this.list(games);
    setTimeout(() => this.draw(choices.games.map(({ game }, i) => [game, cards[i].draw])));
  }

  async draw(cards) { // one picture after the other, for as long as this screen is seen
    try {
      for (const [game, draw] of cards) if (!this.closed) this.covers.set(game, await draw());
      this.drawn = true;
      await this.maps();
    } catch { /* a picture is an ornament: what is wrong is said where something is done */ }
  }

  async map(one, place, says) {
    const { asked, over, waits_for: others } = await small(place, one.game);
    if (one.alone) place.parentNode.className = over ? "over" : asked ? "mine" : "others";
    if (one.alone) says.textContent = over || t(asked ? "mine" : others.length ? "waits_for" : "waits", { seats: others.join(", ") });
  }

  async maps() { // the small maps of your games
    for (const { one, place, says } of this.drawn ? this.shown.splice(0) : []) {
      if (this.closed) return;
      const cover = this.covers.get(this.titles.get(one.title));
      if (cover) fill(place, picture(cover));
      if (!place.checkVisibility() || (!one.at_hand && stop)) continue; // in a browser's own Python others would wait for that
      await this.map(one, place, says).catch((error) => { if (one.alone) says.textContent = why(error); });
      if (!place.firstChild) place.remove(); // of a game that draws nothing
    }
  }

  head() {
    const chosen = make("select", { id: "language", onchange: async () => { await speak(chosen.value); this.go("#/", true); } },
      this.about.languages.map((one) => make("option", { value: one, selected: one === language, lang: one }, new Intl.DisplayNames([one], { type: "language" }).of(one))));
    return make("header", {}, make("h1", {}, "pbem"), make("p", { class: "under" }, t("subtitle")),
      make("p", { class: "language" }, make("label", { for: "language" }, t("language")), " ", chosen));
  }

  async came() { if (this.about) await this.refresh(); } // else it is being opened

  async refresh() { this.list(await ask("games")); }

  list({ games, asks: asking }) {
    const kept = games.filter((one) => one.alone), mail = games.filter((one) => !one.alone);
    this.shown = [];
    keep({ language, games: games.map(row) });
    const rows = (found) => make("ul", { class: "rows" }, found.map((one) => this.row(one)));
    fill(this.parts.kept, kept.length ? [make("h2", {}, t("go_on")), rows(kept.slice(0, FEW)),
      kept.length > FEW && make("details", {}, make("summary", {}, t("earlier", { n: kept.length - FEW })), rows(kept.slice(FEW)))] : []);
    const { mail: place } = this.parts;
    if (!this.about.fingerprint) {
      fill(place, make("h2", {}, t("by_mail")), this.about.lost ? lostKey((about) => { this.about = about; this.refresh(); }) : make("p", {}, t(pending() ? "link_needs_key" : "no_key")), this.keyForm());
      this.maps().catch(() => {});
      return;
    }
    const waiting = make("div", {});
    if (pending()) this.opening ??= opens(async () => { this.opening = null; await this.refresh(); });
    this.own ??= me(() => this.save());
    this.friend ??= friend(() => this.refresh());
    this.inbox ??= letters(() => this.refresh(), besides, follow); // what it says of letters stays, whatever is listed anew
    fill(place, make("h2", {}, t("by_mail")), this.about.unsaved && this.unsaved(), this.opening, this.asking(asking), this.links(mail),
      mail.length ? make("ul", { class: "rows" }, mail.map((one) => this.row(one))) : make("p", { class: "note" }, t("no_games")),
      this.friend, waiting, newest(), make("h3", {}, t("letters_in")), this.about.can_fetch && (this.mailbox ??= fetching(() => this.refresh(), besides)), this.inbox,
      recoveryKey(this.about), this.own.node);
    this.own.show(this.about);
    if (mail.some((one) => one.waiting.length)) this.waiting(waiting);
    this.maps().catch(() => {});
  }

  asking(found) { // what was answered here stays, with what is to be compared, whatever is listed anew
    const now = new Map(found.map((one) => [`${one.game} ${one.subject}`, one])), boxes = (this.asked ??= new Map());
    for (const [name, box] of boxes) if (!now.has(name) && box.querySelector(".answers")) boxes.delete(name);
    for (const [name, one] of now) if (!boxes.has(name)) boxes.set(name, asks(one, () => this.refresh()));
    return [...boxes.values()];
  }

  unsaved() { // the key lies in this browser alone
    return make("div", { class: "box", id: "unsaved" }, make("p", {}, t(this.about.unsaved === "must" ? "unsaved_must" : "unsaved")), button(t("save_desk"), () => this.save(), { class: "main" }));
  }

  async save() {
    const { name, data } = await ask("save");
    download(name, data, "application/zip");
    this.about = await ask("about");
    await this.refresh();
  }

  links(mail) { // by which friends join, once the invitation is where they lead
    const now = new Set(mail.filter((one) => one.mode === "two" && one.state === "joining" && !one.waiting.length).map(({ game }) => game)), places = (this.linked ??= new Map());
    for (const game of places.keys()) if (!now.has(game)) places.delete(game);
    for (const game of now) {
      if (places.has(game)) continue;
      const place = make("div", {});
      places.set(game, place);
      linked(game).then((node) => node && fill(place, node), () => places.delete(game));
    }
    return [...places.values()];
  }

  async waiting(place) { // what is signed and not sent
    const { letters: found } = await ask("letters");
    const send = async () => { try { await ask("send"); announce(t("sent")); this.refresh(); } catch (error) { place.prepend(make("p", { class: "wrong", role: "alert" }, why(error))); } };
    fill(place, make("h3", {}, t("wait_to_go")), this.about.can_send && button(t("send_all"), send, { class: "main" }), found.map((one) => letter(one, () => this.refresh())));
  }

  row(one) {
    const name = make("a", { href: `#/game/${one.game}` }, `${one.title} · ${one.seat_name}`), invites = one.state === "joining" && JOINING[one.mode], closed = one.state === "broken" || invites;
    const place = make("span", { class: "map-of", "aria-hidden": "true" }), says = make("span", {}, one.says);
    if (!closed) this.shown.push({ one, place, says });
    return make("li", { class: one.state }, place, make("b", {}, closed ? one.title || one.game : name), says, dates(one),
      invites && invites(one, () => this.refresh()), one.missed.length > 0 && make("span", { class: "note" }, t("no_receipt", { n: one.missed.length })),
      one.alone && button("✕", async () => { if (confirm(t("really_forget"))) { await ask("forget", { game: one.game }); this.refresh(); } },
        { "aria-label": t("forget_it", { game: `${one.title}, ${one.seat_name}` }), title: t("forget"), class: "quiet" }));
  }

  keyForm() {
    const trouble = make("p", { class: "wrong", role: "alert" });
    const address = make("input", { type: "email", id: "address", required: !(pending() || anywhere), autocomplete: "email", placeholder: pending() || anywhere ? t("not_needed") : "" });
    ownRelay().then((is) => { if (is) [address.required, address.placeholder] = [false, t("not_needed")]; }, () => {});
    const secret = make("input", { type: "password", id: "passphrase", autocomplete: "new-password" });
    const spare = check(t("make_recovery"), { id: "recovery" }), [taken, own] = field(t("take_key"), { type: "file" });
    const made = async (event) => {
      event.preventDefault();
      try {
        this.about = await ask("key", { address: address.value, passphrase: secret.value, recovery: spare.firstChild.checked, take: own.files[0] ? await base64(own.files[0]) : "" });
        await this.refresh();
      } catch (error) {
        trouble.textContent = why(error);
      }
    };
    const saved = make("input", { type: "file", id: "saved", onchange: async () => {
      try {
        this.about = await ask("restore", { data: await base64(saved.files[0]) });
        await this.refresh();
      } catch (error) {
        trouble.textContent = why(error);
      }
    } });
    return make("details", { open: pending() }, make("summary", {}, t("make_key")), make("form", { onsubmit: made }, make("div", { class: "fields" },
      make("label", { for: "address" }, t("address")), address, make("label", { for: "passphrase" }, t("passphrase")), secret, taken, own, spare),
    make("p", { class: "note" }, t("key_says")), trouble, make("button", { type: "submit" }, t("make_key"))),
    make("p", {}, make("label", { for: "saved" }, t("restore")), saved));
  }
}
