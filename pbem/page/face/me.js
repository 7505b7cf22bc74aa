// What a player has settled: his key and its change, his address, his clock, what he gets by mail, his language; and what is put right with
// a host. Everything that is signed is told before what it means.

import { button, download, fill, keeper, make } from "./dom.js";
import { choice, field, sure } from "./asking.js";
import { base64 } from "./post.js";
import { ask, language, t, why } from "./texts.js";

export function me(save) { // a sheet for the first screen; `show` says anew whose it is
  const who = make("div", {}), place = make("div", {});
  const show = (about) => fill(who, make("p", {}, about.address || t("no_address")), make("p", { class: "digest" }, about.fingerprint), make("p", {}, t("save_says")), button(t("save_desk"), save));
  const load = async (event) => {
    if (!event.target.open) return;
    try {
      show(await ask("about"));
      fill(place, settled(await ask("me")));
    } catch (error) {
      fill(place, make("p", { class: "wrong", role: "alert" }, why(error)));
    }
  };
  return { node: make("details", { id: "me", ontoggle: load }, make("summary", {}, t("me")), who, place), show };
}

const settled = (own) => [language !== own.language && speaking(own), address(own), own.games.length > 0 && [clock(), byMail(own), hosts(own)],
  newKey(own, own.games.filter(({ over }) => !over))];

function act(title, means, fields, sign, { can = () => true, go = t("go_sign"), yes } = {}) { // one thing to sign: its fields, and then the question
  const place = make("div", {});
  const begin = (event) => {
    event.preventDefault();
    if (can()) sure(place, { title, means: typeof means === "function" ? means() : means, sign, yes });
  };
  return make("details", { class: "act" }, make("summary", {}, title), make("form", { onsubmit: begin }, make("div", { class: "fields" }, fields),
    make("button", { type: "submit" }, go)), place);
}

function speaking(own) { // what hosts are asked to write in
  const said = make("p", { class: "note", role: "status" });
  const speak = async () => { await ask("speak", { wanted: language }); said.textContent = t("speaks"); };
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language);
  return make("p", {}, own.language ? "" : `${t("speak_none")} `, button(t("speak", { language: name }), speak), said);
}

function address(own) {
  const [named, field_] = field(t("new_address"), { type: "email", required: true, autocomplete: "email" });
  const hosts = own.games.length, plain = hosts ? {} : { go: t("go_on_now"), yes: t("address_moves") }; // without a host nothing is signed
  return act(t("address_moves"), () => t(hosts ? "address_means" : "address_friends", { address: field_.value, hosts }), [named, field_],
    () => ask("address", { new: field_.value }), plain);
}

function clock() {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [zoned, zone] = field(t("zone"), { type: "text", value: own, required: true, spellcheck: false });
  const [quieted, quiet] = field(t("quiet"), { type: "text", value: "22-08", placeholder: "22-08", spellcheck: false });
  const [ended, ends] = choice(t("weekends"), [["on", t("weekends_on")], ["off", t("weekends_off")], ["fri,sat", t("weekends_fri")]]);
  return act(t("clock"), t("clock_means"), [zoned, zone, quieted, quiet, ended, ends],
    () => ask("time", { zone: zone.value, quiet: quiet.value.trim() || "off", weekends: ends.value }));
}

function byMail(own) {
  const doors = own.games.filter(({ door, over }) => door && !over);
  if (!doors.length) return null; // without a door everything comes by mail
  const [named, mail] = choice(t("by_mail_what"), [["all", t("by_mail_all")], ["short", t("by_mail_short")], ["none", t("by_mail_none")]]);
  return act(t("by_mail_says"), () => t(`by_mail_${mail.value}_means`), [named, mail], async () => {
    const done = await Promise.all(doors.map(({ game }) => ask("by_mail", { game, mail: mail.value })));
    return { said: done.map(({ said }) => said).join("\n"), letters: done.flatMap(({ letters }) => letters) };
  });
}

function hosts(own) { // what is put right with one host
  const [named, game] = choice(t("in_game"), own.games.map((one) => [one.game, `${one.title} · ${one.seat_name} · ${one.host}`]));
  const place = make("div", {}), chosen = () => ({ game: game.value });
  const offer = (name, call) => button(t(name), () => sure(place, { title: t(name), means: t(`${name}_means`), sign: () => ask(call, chosen()) }));
  return make("details", { class: "act" }, make("summary", {}, t("with_host")), make("div", { class: "fields" }, named, game),
    make("div", { class: "row" }, offer("ask_again", "resend"), offer("send_copy", "copy"), offer("renew", "renew"),
      own.games.some(({ leaving }) => leaving) && offer("stay", "stay")), place);
}

function newKey(own, going) {
  const [named, file] = field(t("recovery_file"), { type: "file" }), [worded, words] = field(t("recovery_words"), { type: "password", autocomplete: "off" });
  const place = make("div", {}), titles = going.map(({ title }) => title).join(", ");
  const change = async () => {
    const recovery = file.files[0] ? await base64(file.files[0]) : "";
    const { said, letters, fingerprint } = await ask("rekey", { recovery, passphrase: words.value });
    return { said: `${said}\n\n${t("new_key_is")}\n${fingerprint}`, letters };
  };
  const back = async () => { const { said, letters, fingerprint } = await ask("key_back"); return { said: `${said}\n${fingerprint}`, letters }; };
  const begin = (event) => {
    event.preventDefault();
    sure(place, { title: t("new_key"), means: t("new_key_means", { games: titles || t("no_game") }), sign: change });
  };
  return make("details", { class: "act" }, make("summary", {}, t("new_key")), make("p", {}, t("new_key_says")), make("form", { onsubmit: begin }, own.has_recovery && keeper(),
    own.has_recovery && make("div", { class: "fields" }, named, file, worded, words), make("div", { class: "row" }, make("button", { type: "submit" }, t("new_key")),
      own.can_go_back && button(t("key_back"), () => sure(place, { title: t("key_back"), means: t("key_back_means"), sign: back })))), place);
}

export function lostKey(after) { // a desk whose key is gone: the recovery key signs that another takes its place
  const [named, file] = field(t("recovery_file"), { type: "file", required: true }), [worded, words] = field(t("recovery_words"), { type: "password", autocomplete: "off" });
  const place = make("div", {});
  const begin = async (event) => {
    event.preventDefault();
    try {
      await ask("rekey", { recovery: await base64(file.files[0]), passphrase: words.value });
      after(await ask("about"));
    } catch (error) {
      fill(place, make("p", { class: "wrong", role: "alert" }, why(error)));
    }
  };
  return make("form", { class: "box", onsubmit: begin }, keeper(), make("p", {}, t("key_lost")), make("div", { class: "fields" }, named, file, worded, words),
    make("button", { type: "submit" }, t("take_back")), place);
}

export function recoveryKey({ recovery }) { // the second key, which is kept nowhere here
  if (!recovery) return null;
  return make("div", { class: "box" }, make("p", {}, t("recovery_made")), button(t("recovery_save"), () => download(recovery.name, recovery.data), { class: "main" }));
}
