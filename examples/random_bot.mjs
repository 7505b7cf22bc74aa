#!/usr/bin/env node
// A player in another language: plays a whole game against itself through `pbem engine`, at random, and says how it ends.
// Plain Node, no packages.
//
//   node examples/random_bot.mjs [SEED [GAME]] [-- COMMAND …]      the command that starts the engine; else: pbem engine
//
// The engine answers every line with one line, in order. This player asks `options` for one sample each time it is asked; a
// better one would look at `view`, weigh what `options` lists, and try it out with `dump`, `step` and `load`.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const words = process.argv.slice(2);
const split = words.includes("--") ? words.indexOf("--") : words.length;
const [seed = "1", game = "hammer"] = words.slice(0, split);
const [command, ...rest] = split < words.length ? words.slice(split + 1) : ["pbem", "engine"];

const engine = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
engine.on("error", (error) => {
  console.error(`The engine does not start: ${error.message}`);
  process.exit(1);
});
const answers = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
let asked = 0;

async function request(what) {
  const id = ++asked;
  engine.stdin.write(JSON.stringify({ id, ...what }) + "\n");
  const { value, done } = await answers.next();
  if (done) throw new Error("the engine has gone");
  const answer = JSON.parse(value);
  if (answer.id !== id) throw new Error(`this is no answer to request ${id}: ${value}`);
  if (answer.error) throw new Error(`${what.do}: ${answer.error.why}`);
  return answer.ok;
}

async function play() {
  let { wants } = await request({ do: "new", game });
  let decisions = 0;
  let events = 0;
  while (wants.k !== "end") {
    const turn = `${seed} ${asked}`; // the same seed plays the same game
    const orders = {};
    for (const seat of wants.k === "ask" ? wants.seats : []) {
      [orders[seat]] = (await request({ do: "options", seat, samples: 1, seed: turn })).orders;
      decisions += 1;
    }
    const step = await request({ do: "step", ...(wants.k === "ask" ? { orders } : { seed: turn }) });
    wants = step.wants;
    events += step.events.length;
  }
  await request({ do: "quit" });
  const winner = wants.result.winner || "nobody";
  console.log(`${game}, seed ${seed}: ${winner} wins (${wants.result.why}), ${decisions} decisions, ${events} events.`);
}

try {
  await play();
} catch (error) {
  console.error(error.message);
  engine.kill();
  process.exitCode = 1;
}
