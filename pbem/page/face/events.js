// The events that the host whose door serves this page shows: how they stand, and who meets whom. It draws what the host says, and reckons
// nothing; whoever doubts it has the event's file and the logs (`pbem event`).

import { door } from "./carrier.js";
import { fill, make, table } from "./dom.js";
import { fetched, text } from "./shown.js";
import { t, why } from "./texts.js";

const AT_TABLES = 24; // parts of a point, in which tables say what those have whom one met

export function events(own) { // `own` returns the fingerprint of the reader's key
  if (!door) return null;
  const place = make("div", { role: "status" });
  const load = async ({ target }) => {
    if (!target.open) return;
    try {
      const { events: found } = JSON.parse(text(await fetched("standings")));
      fill(place, found.length ? found.map((one) => event(one, own())) : make("p", { class: "note" }, t("no_events")));
    } catch (error) {
      fill(place, make("p", { class: "note" }, why(error)));
    }
  };
  return make("details", { class: "events", ontoggle: load }, make("summary", {}, t("events")), make("p", {}, t("events_say")), place);
}

function event(one, own) {
  const mine = one.table.find(({ key }) => key === own.split("\n")[0])?.name;
  const called = (name) => name === mine ? t("event_you", { name }) : name;
  const now = one.rounds.length;
  return make("section", { class: "event" }, make("h3", {}, one.name),
    make("p", { class: "note" }, [one.game, t(`event_${one.kind.replace(/\W/g, "_")}`), one.over ? t("event_over") : now && t("event_round", { n: now })].filter(Boolean).join(" · ")),
    standing(one, called), one.teams.length > 0 && teams(one),
    now > 0 && round(one, now, called),
    now > 1 && make("details", {}, make("summary", {}, t("event_rounds")), [...one.rounds.keys()].slice(0, -1).reverse().map((n) => round(one, n + 1, called))));
}

function standing({ name, kind, table: rows }, called) {
  const tables = kind === "tables", met = ({ buchholz }) => tables ? mixed(buchholz, AT_TABLES) : mixed(buchholz, 2);
  return table({
    ...titled(name, t("event_table")),
    heads: ["", t("event_player"), t("event_points"), tables ? t("event_tables_won") : t("event_won"), t("event_games"), "Buchholz", ...(tables ? [] : ["Sonneborn-Berger"])],
    rows: rows.map((row, i) => [`${i + 1}`, called(row.name), mixed(row.half_points, 2), `${row.won}`, `${row.games}`, met(row), ...(tables ? [] : [mixed(row.sonneborn_berger, 4)])]),
  });
}

const titled = (name, title) => ({ title, label: `${name}: ${title}` });

const teams = ({ name, teams: rows }) => table({
  ...titled(name, t("event_teams")), heads: ["", t("event_team"), t("event_points"), t("event_won"), t("event_games")],
  rows: rows.map((row, i) => [`${i + 1}`, row.name, mixed(row.half_points, 2), `${row.won}`, `${row.games}`]),
});

const round = (one, n, called) => table({ ...titled(one.name, t("event_round", { n })), heads: ["", "", ""], rows: one.rounds[n - 1].map((pairing, i) => met(pairing, `${i + 1}`, called)) });

function met({ players, half_points: points, ruled, bids, missing }, no, called) {
  if (players.length < 2) return ["–", called(players[0]), t("event_rests")];
  const who = players.map((name, i) => points ? `${called(name)} ${mixed(points[i], 2)}` : called(name)).join(" – ");
  return [no, who, [!points && (missing ? t("event_missing", { names: missing.map(called).join(", ") }) : t("event_open")), bids?.bid && t("event_bid", { bid: bids.bid }), ruled && t("event_ruled")].filter(Boolean).join(" · ")];
}

const SIGNS = { "1/2": "½", "1/4": "¼", "3/4": "¾" };
function mixed(parts, of) { // whole ones, and the rest as a fraction
  const whole = Math.floor(parts / of), rest = parts % of, common = (a, b) => (b ? common(b, a % b) : a), by = common(rest, of);
  const part = rest ? `${rest / by}/${of / by}` : "";
  return part in SIGNS ? `${whole || ""}${SIGNS[part]}` : [whole || !part ? `${whole}` : "", part].filter(Boolean).join(" ");
}
