// Games of two, without a host: to begin one, and what can be done as long as the friend has not joined.

import { announce, button, fill, make } from "./dom.js";
import { check, choice, field, result, sure } from "./asking.js";
import { base64 } from "./post.js";
import { relayField } from "./relay.js";
import { chosen, options } from "./settings.js";
import { ask, t, why } from "./texts.js";

export function friend(after) { // a sheet; what two can play is asked for when it is opened
  const place = make("div", {}), wrong = (error) => fill(place, make("p", { class: "wrong", role: "alert" }, why(error)));
  const load = ({ target }) => target.open && !place.querySelector("form") && Promise.all([ask("pairable"), relayField()]).then(([{ games }, relay]) => fill(place, form(games, relay, after)), wrong);
  return make("details", { class: "friend", ontoggle: load }, make("summary", {}, t("friend")), make("p", {}, t("friend_says")), place);
}

function form(games, relay, after) {
  const [named, which] = choice(t("friend_game"), games.map(({ game, title }) => [game, title]), { id: "friend-game" });
  const [writes, address] = field(t("friend_address"), { id: "friend-address", type: "email", autocomplete: "off" });
  const needs = () => { address.required = !relay.chosen(); address.placeholder = address.required ? "" : t("not_needed"); };
  const [sided, seat] = choice(t("side"), [], { id: "friend-seat" });
  const [lasts, hours] = field(t("friend_hours"), { type: "number", min: 0, max: 8784, value: 0, required: true });
  const odds = check(t("friend_odds"), { checked: true }), plain = make("div", { class: "fields" }), rest = make("div", { class: "fields" });
  const place = make("div", {}), trouble = make("p", { class: "wrong", role: "alert" });
  let now;
  const seats = () => {
    const before = seat.value;
    fill(seat, now.seats.map(({ seat: id, name }) => make("option", { value: id, selected: id === before }, name)));
  };
  const values = () => chosen(node, "friend", now.settings);
  const asked = (of) => ask("pairable", of).then(({ games: [found] }) => { if (found) { now = found; trouble.textContent = ""; } seats(); }, (error) => { trouble.textContent = why(error); });
  const changed = () => asked({ game: now.game, options: values() }); // who sits there may follow from the options
  const begin = () => {
    now = games.find(({ game }) => game === which.value);
    const [first, others] = options("friend", now.settings, changed);
    fill(plain, named, which, writes, address, sided, seat, first, relay.nodes);
    fill(rest, others, lasts, hours, odds);
    seats();
  };
  const invite = async (event) => {
    event.preventDefault();
    try {
      const more = { friend: address.value, seat: seat.value, hours: Number(hours.value), odds: odds.firstChild.checked, relay: relay.chosen() };
      const { said } = await ask("invite", { game: now.game, options: values(), ...more });
      result(place, { said }); // the letter stands with those that wait
      trouble.textContent = "";
      after();
    } catch (error) {
      trouble.textContent = why(error);
    }
  };
  const node = make("form", { class: "box", onsubmit: invite }, plain, make("details", {}, make("summary", {}, t("more_settings")), rest), trouble,
    make("button", { type: "submit", class: "main" }, t("friend_invite")));
  which.addEventListener("change", begin);
  relay.asks?.addEventListener("input", needs);
  needs();
  begin();
  return [node, place];
}

export function invited(one, after) { // the friend has not joined yet
  const place = make("div", {}), trouble = make("p", { class: "wrong", role: "alert" });
  const again = async () => {
    try {
      await ask("again", { game: one.game });
      after();
    } catch (error) {
      trouble.textContent = why(error);
    }
  };
  const withdraw = async () => {
    const { says: [{ label, means }] } = await ask("sayings", { game: one.game });
    sure(place, { title: label, means, yes: label, sign: async () => { const done = await ask("say", { game: one.game, what: "withdraw" }); after(); return done; } });
  };
  return make("span", {}, make("span", { class: "row" }, button(t("friend_again"), again), button(t("friend_withdraw"), withdraw)), trouble, place);
}

export function besideOf(game, after) { // a letter that was lost, a copy that was, another address of the friend's, a witness, his log for one's own
  const place = make("div", {}), [saved, file] = field(t("friend_whole"), { type: "file", required: true });
  const [seen, witness] = field(t("friend_witness"), { type: "email", autocomplete: "off" }), [named, address] = field(t("friend_address"), { type: "email", required: true, autocomplete: "off" });
  const done = async (call, more = {}) => {
    try {
      result(place, await ask(call, { game, ...more }));
    } catch (error) {
      fill(place, make("p", { class: "wrong", role: "alert" }, why(error)));
    }
  };
  const moves = (event) => { event.preventDefault(); done("write_to", { friend: address.value }); };
  const sees = (event) => { event.preventDefault(); done("witness", { address: witness.value }); };
  const takes = async () => {
    const read = await ask("read_instead", { game, data: await base64(file.files[0]) });
    announce(read.said);
    after();
    return read;
  };
  const instead = (event) => { event.preventDefault(); sure(place, { title: t("friend_instead"), means: t("friend_instead_means"), yes: t("friend_instead"), sign: takes }); };
  return make("details", {}, make("summary", {}, t("friend_lost")), make("p", {}, t("friend_lost_says")),
    make("div", { class: "row" }, button(t("friend_resend"), () => done("resend")), button(t("friend_copy"), () => done("copy"))),
    make("form", { onsubmit: moves }, named, address, make("button", { type: "submit" }, t("friend_moves"))),
    make("form", { onsubmit: sees }, seen, witness, make("button", { type: "submit" }, t("friend_witnessed"))),
    make("form", { onsubmit: instead }, saved, file, make("button", { type: "submit" }, t("friend_instead"))), place);
}
