// Steps through a game. Everything that is shown has been written by the program that made the page (pbem/reports/replay.py):
// `lines` of markup, and for each view its steps as [entry, drawing, words, what happened] in numbers of lines. What the page
// says itself stands in the table `texts`, in its language.
"use strict";
(async () => {
  const at = (id) => document.getElementById(id);
  const [story, words, turns, slider, seats, moving] = ["story", "words", "turns", "slider", "seat", "moving"].map(at);
  const SAYS = JSON.parse(at("texts").textContent);
  const say = (name, values = {}) => SAYS[name].replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
  const PLAY = "M7 4v16l13-8z", PAUSE = "M6 4h4v16H6zM14 4h4v16h-4z";

  async function unpack() {
    const packed = Uint8Array.from(atob(at("data").textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  }

  if (!("DecompressionStream" in window)) {
    story.textContent = say("old");
    return;
  }
  const { lines, films } = await unpack();
  let film = films[0], step = -1, timer = 0;
  const text = (numbers) => numbers.map((n) => lines[n]).join("\n");
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // The drawing: each line begins a layer, ends one, or holds whole elements. Elements whose line stays are kept; one whose
  // id stays glides from its old place to its new one; what is new fades in.

  let drawn = new Map(); // a line -> its nodes, and the ids among them

  function make(line) {
    const holder = document.createElementNS("http://www.w3.org/2000/svg", "g");
    holder.innerHTML = line;
    return [...holder.childNodes];
  }

  const place = (node) => node.transform?.baseVal.consolidate()?.matrix;
  const css = (m) => `matrix(${m.a},${m.b},${m.c},${m.d},${m.e},${m.f})`;

  function draw(numbers, lively) {
    const before = new Map([...moving.querySelectorAll("[id]")].map((node) => [node.id, node]));
    const now = new Map(), stack = [{ node: moving, inside: [], above: [] }];
    for (const line of numbers.map((n) => lines[n])) {
      const top = stack[stack.length - 1];
      if (line === "</g>") {
        stack.pop();
        top.node.replaceChildren(...top.inside, ...top.above);
        continue;
      }
      const opens = line.startsWith("<g") && !line.endsWith("</g>");
      const kept = drawn.get(line);
      const nodes = kept && !now.has(line) ? kept : make(opens ? `${line}</g>` : line);
      now.set(line, nodes);
      if (opens) {
        top.inside.push(nodes[0]);
        stack.push({ node: nodes[0], inside: [], above: [] });
      } else {
        const moves = nodes !== kept && lively ? nodes.some((node) => enter(node, before)) : false;
        (moves ? top.above : top.inside).push(...nodes);
      }
    }
    moving.replaceChildren(...stack[0].inside, ...stack[0].above);
    drawn = now;
  }

  function enter(node, before) { // lets a new node glide or fade in; does it glide?
    if (!(node instanceof SVGElement)) return false;
    const old = before.get(node.id);
    if (!old) {
      node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: pace() / 2 });
      return false;
    }
    const from = place(old), to = place(node);
    if (!from || !to || css(from) === css(to)) return false;
    node.animate([{ transform: css(from) }, { transform: css(to) }], { duration: pace(), easing: "ease-in-out" });
    return true;
  }

  const pace = () => Math.min(700, Number(at("speed").value) * 0.6);

  // How near the map is: its viewBox. A wheel, two fingers, buttons and keys change it; near, it can be drawn about.

  const drawing = at("drawing"), map = drawing?.querySelector("svg");
  const [, , WIDE, HIGH] = map ? map.getAttribute("viewBox").split(" ").map(Number) : [];
  const NEAREST = 6, STRIDE = 1.4;
  let near = 1, left = 0, top = 0;

  function look(wanted, x = left + WIDE / near / 2, y = top + HIGH / near / 2) { // as near as wanted, and what lies at x, y stays there
    const next = Math.max(1, Math.min(NEAREST, wanted)), keep = near / next;
    left = x - (x - left) * keep;
    top = y - (y - top) * keep;
    near = next;
    carry(0, 0);
  }

  function carry(dx, dy) { // by so much of the map, but never off it
    left = Math.max(0, Math.min(WIDE - WIDE / near, left - dx));
    top = Math.max(0, Math.min(HIGH - HIGH / near, top - dy));
    map.setAttribute("viewBox", [left, top, WIDE / near, HIGH / near].join(" "));
    drawing.classList.toggle("near", near > 1);
    at("further").disabled = at("whole").disabled = near === 1;
    at("nearer").disabled = near === NEAREST;
  }

  const onMap = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
  const fingers = new Map(); // those that touch the map, and where on it

  function touch(event) {
    fingers.set(event.pointerId, onMap(event));
    if (near > 1 || fingers.size > 1) map.setPointerCapture(event.pointerId);
  }

  function drag(event) {
    const from = fingers.get(event.pointerId);
    if (!from) return;
    const to = onMap(event), other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const before = Math.hypot(from.x - other.x, from.y - other.y), now = Math.hypot(to.x - other.x, to.y - other.y);
      look(near * now / Math.max(before, 1), other.x, other.y);
    } else if (near > 1) {
      carry(to.x - from.x, to.y - from.y);
    }
    fingers.set(event.pointerId, onMap(event));
  }

  const release = (event) => fingers.delete(event.pointerId);
  if (map) {
    for (const [kind, act] of [["pointerdown", touch], ["pointermove", drag], ["pointerup", release], ["pointercancel", release]]) {
      map.addEventListener(kind, act);
    }
    map.addEventListener("wheel", (event) => {
      event.preventDefault();
      const { x, y } = onMap(event);
      look(near * (event.deltaY < 0 ? STRIDE : 1 / STRIDE), x, y);
    }, { passive: false });
    at("nearer").addEventListener("click", () => look(near * STRIDE));
    at("further").addEventListener("click", () => look(near / STRIDE));
    at("whole").addEventListener("click", () => look(1));
    look(1);
  }

  // What happened, and the board in words.

  function tell(numbers, lively) {
    story.innerHTML = text(numbers);
    if (!story.firstChild) story.append(Object.assign(document.createElement("p"), { textContent: say("nothing") }));
    story.scrollTop = 0;
    if (!lively) return;
    story.querySelectorAll(".die").forEach((die, i) => die.animate(
      [{ opacity: 0, transform: "rotate(-200deg) scale(.3)" }, { opacity: 1, transform: "none" }],
      { duration: pace() / 1.5, delay: 30 * i, fill: "backwards", easing: "ease-out" }));
  }

  function describe() {
    if (at("board").open && film) words.innerHTML = text(film.steps[step][2]);
  }

  // Steps.

  function show(wanted, lively = false) {
    const next = Math.max(0, Math.min(film.steps.length - 1, wanted));
    const animated = lively && Math.abs(next - step) === 1 && !still.matches;
    step = next;
    const [n, drawing, , happened] = film.steps[step];
    if (moving) draw(drawing, animated);
    tell(happened, animated);
    describe();
    const chapter = film.chapters.findLastIndex(([first]) => first <= n);
    const name = film.chapters.findLast(([first, depth]) => first <= n && !depth)?.[2] ?? "";
    slider.value = step;
    const here = { step: step + 1, steps: film.steps.length, name };
    slider.setAttribute("aria-valuetext", say(name ? "named" : "step", here));
    const link = Object.assign(document.createElement("a"), { href: address(), textContent: say("entry", { n }) });
    link.title = say("link");
    const [before, after] = say(name ? "place" : "where", here).split("{entry}");
    at("where").replaceChildren(`. ${before}`, link, after);
    mark(chapter);
    for (const id of ["back", "turn-back"]) at(id).disabled = step === 0;
    for (const id of ["on", "turn-on"]) at(id).disabled = step === film.steps.length - 1;
    if (step === film.steps.length - 1) pause();
    remember();
  }

  function mark(chapter) { // shows in the list of turns where we are, without moving the page
    turns.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = turns.querySelectorAll("a")[chapter];
    if (!link) return;
    link.setAttribute("aria-current", "step");
    const top = link.offsetTop;
    if (top < turns.scrollTop || top > turns.scrollTop + turns.clientHeight - 40) turns.scrollTop = top - turns.clientHeight / 3;
  }

  const find = (n) => Math.max(0, film.steps.findLastIndex(([first]) => first <= n));

  function turn(way) { // to the beginning of the next turn, or of this one and then of the one before
    const firsts = [0, ...film.chapters.filter(([, depth]) => !depth).map(([n]) => find(n)), film.steps.length - 1];
    show(way > 0 ? firsts.find((i) => i > step) ?? step : firsts.findLast((i) => i < step) ?? 0);
  }

  const yearOf = (name) => (name.includes(", ") ? name.split(", ")[0] : ""); // “1306, Game Turn 2” is in 1306
  const battles = () => film.chapters.filter(([, depth]) => depth).map(([n]) => find(n));
  const years = () => {
    const named = film.chapters.filter(([, depth, name]) => !depth && yearOf(name));
    return named.filter(([, , name], i) => !i || yearOf(named[i - 1][2]) !== yearOf(name)).map(([n]) => find(n));
  };

  function jump(places) { // to the next of these steps, and from the last to the first again
    pause();
    show(places.find((i) => i > step) ?? places[0] ?? step);
  }

  function choose(seat) { // another view of the same moment
    const n = film.steps[step]?.[0] ?? 0;
    film = films.find((one) => one.seat === seat) ?? film;
    seats.value = film.seat;
    slider.max = film.steps.length - 1;
    turns.replaceChildren();
    let year = "";
    for (const [first, depth, name] of film.chapters) { // a turn is an item of the list, its battles stand beside it
      const inside = depth ? year : yearOf(name);
      if (inside && inside !== year) turns.append(Object.assign(document.createElement("li"), { className: "year", textContent: inside }));
      year = inside;
      if (!depth || !turns.lastChild) turns.append(document.createElement("li"));
      const called = !depth && year ? name.slice(year.length + 2) : name;
      const link = Object.assign(document.createElement("a"), { href: `#step=${first}`, textContent: called });
      turns.lastChild.append(link, " ");
    }
    at("to-battle").hidden = !battles().length;
    at("to-year").hidden = years().length < 2;
    at("to-end").hidden = film.chapters.at(-1)?.[0] !== film.steps.at(-1)[0];
    step = find(n);
  }

  // The address names the step by its entry in the log, so that a link shows it.

  const address = () => `#${new URLSearchParams({ step: film.steps[step][0], seat: film.seat })}`;
  let later = 0;

  function remember() { // browsers refuse to note very many addresses at once
    clearTimeout(later);
    later = setTimeout(() => history.replaceState(null, "", address()), 200);
  }

  function follow() {
    const asked = new URLSearchParams(location.hash.slice(1));
    clearTimeout(later);
    if (asked.has("seat")) choose(asked.get("seat"));
    show(/^\d+$/.test(asked.get("step") ?? "") ? find(Number(asked.get("step"))) : step);
  }

  // Playing.

  function pause() {
    clearTimeout(timer);
    timer = 0;
    label(say("play"), PLAY);
    story.setAttribute("aria-live", "polite");
  }

  function play() {
    if (step === film.steps.length - 1) show(0);
    clearTimeout(timer);
    timer = setTimeout(onward, dwell());
    label(say("pause"), PAUSE);
    story.setAttribute("aria-live", "off"); // nobody can listen as fast as that
  }

  const READ = 150; // letters that are read at the chosen speed; a step with more is shown for longer, one with few for less

  const dwell = () => Number(at("speed").value) * Math.max(0.6, Math.min(3, story.textContent.length / READ));

  function onward() {
    show(step + 1, true);
    if (timer) timer = setTimeout(onward, dwell());
  }

  function label(says, d) {
    at("play").setAttribute("aria-label", says);
    at("play").title = `${says} (${say("space")})`;
    at("play").querySelector("path").setAttribute("d", d);
  }

  const walk = (by) => { pause(); show(step + by, true); };
  const leap = (way) => { pause(); turn(way); };
  const toggle = () => (timer ? pause() : play());
  const KEYS = {
    ArrowRight: () => walk(1), ArrowLeft: () => walk(-1), PageDown: () => leap(1), PageUp: () => leap(-1), " ": toggle,
    b: () => jump(battles()), y: () => jump(years()),
    Home: () => { pause(); show(0); }, End: () => { pause(); show(film.steps.length); },
    ...(map && { "+": () => look(near * STRIDE), "-": () => look(near / STRIDE), 0: () => look(1) }),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select")) return;
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    const seat = /^[1-9]$/.test(event.key) ? films[event.key - 1] : undefined;
    const act = seat ? () => { choose(seat.seat); show(step); } : KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  at("back").addEventListener("click", KEYS.ArrowLeft);
  at("on").addEventListener("click", KEYS.ArrowRight);
  at("turn-back").addEventListener("click", KEYS.PageUp);
  at("turn-on").addEventListener("click", KEYS.PageDown);
  at("to-battle").addEventListener("click", KEYS.b);
  at("to-year").addEventListener("click", KEYS.y);
  at("to-end").addEventListener("click", KEYS.End);
  at("play").addEventListener("click", toggle);
  at("speed").addEventListener("change", () => timer && play());
  at("board").addEventListener("toggle", describe);
  slider.addEventListener("input", () => { pause(); show(Number(slider.value), true); });
  seats.addEventListener("change", () => { choose(seats.value); show(step); });
  addEventListener("hashchange", () => { pause(); follow(); });
  let opened = false; // paper has no summary to click on
  addEventListener("beforeprint", () => { opened = at("board").open; at("board").open = true; describe(); });
  addEventListener("afterprint", () => { at("board").open = opened; });

  if (!films.length) {
    story.textContent = say("empty");
    return;
  }
  slider.disabled = seats.disabled = false;
  choose(film.seat);
  step = find(Number(document.body.dataset.at ?? 0));
  follow();
  document.body.dataset.ready = Math.round(performance.now());
})();
