// The card of a game on the shelf: its picture, a sentence, one button that begins it, and behind that its options.

import { fill, make } from "./dom.js";
import { chosen, options } from "./settings.js";
import { quietly } from "./state.js";
import { picture } from "./thumb.js";
import { ask, t, why } from "./texts.js";

export const player = (name) => t(`bot_${name}`) === `bot_${name}` ? name : t(`bot_${name}`);

export function card(one, go) {
  const form = make("form", { class: "playable" }), trouble = make("p", { class: "wrong", role: "alert" }), shown = make("div", { class: "cover", "aria-hidden": "true" }, make("span", {}, one.title.slice(0, 1)));
  let now = one;
  const values = () => chosen(form, one.game, now.settings);
  const seat = make("select", { name: "seat", id: `${one.game}-seat` }), against = make("select", { name: "against", id: `${one.game}-against` },
    one.against.map((name) => make("option", { value: name }, player(name))));
  const seats = () => fill(seat, now.seats.map(({ seat: id, name }) => make("option", { value: id }, name)));
  const changed = async () => { // who sits there follows from the options
    try {
      const before = seat.value;
      [now] = (await ask("choices", { game: one.game, options: values() })).games;
      seats();
      if (now.seats.some(({ seat: id }) => id === before)) seat.value = before;
      trouble.textContent = "";
    } catch (error) {
      trouble.textContent = why(error);
    }
  };
  const begin = async (event) => {
    event.preventDefault();
    try {
      const { game } = await ask("begin", { game: one.game, options: values(), seat: seat.value, against: against.value });
      go(`#/game/${game}`);
    } catch (error) {
      trouble.textContent = why(error);
    }
  };
  form.addEventListener("submit", begin);
  seats();
  const facts = [one.players && t("for_players", { n: one.players }), one.minutes && t("minutes", { n: one.minutes })].filter(Boolean).join(" · ");
  fill(form, shown, make("h3", {}, one.title), one.says && make("p", { class: "says" }, one.says), facts && make("p", { class: "note" }, facts), trouble,
    one.taught && make("p", { class: "learn" }, make("a", { href: `#/lesson/lesson-${one.game}-1` }, t("lesson_first"), make("span", { class: "unseen" }, ` (${one.title})`)), " · ", make("a", { href: `#/rules/${one.game}` }, t("rulebook"), make("span", { class: "unseen" }, ` (${one.title})`))),
    make("button", { type: "submit", class: "main" }, t("play_it"), make("span", { class: "unseen" }, ` ${one.title}`)),
    make("details", { class: "options" }, make("summary", {}, t("options"), make("span", { class: "unseen" }, ` (${one.title})`)), make("div", { class: "fields" },
      make("label", { for: seat.id }, t("side")), seat, make("label", { for: against.id }, t("against")), against, options(one.game, one.settings, changed).flat())));
  const draw = async () => { // it comes when the page stands: nobody waits for it
    const { games: [found] } = await quietly(() => ask("choices", { game: one.game, picture: true }));
    if (found.picture) fill(shown, picture(found.picture));
    return found.picture;
  };
  return { node: form, draw };
}
