// The drawing: as large as its place lets it be, moved and made larger by wheel, drag and pinch; what may be touched lights up.
// It knows no rule: what an element is called stands in its `data-at`, and what may be done comes as touches.

import { button, drawn, make } from "./dom.js";
import { Drag } from "./drag.js";
import { Layers } from "./layers.js";
import { t } from "./texts.js";

const NS = "http://www.w3.org/2000/svg";
const FAR = 8; // so many pixels a finger may slip and still touch
const CLOSEST = 6;
const LEAST = [36, 28]; // so wide a block is at first, in pixels: on a wide screen, on a telephone
const AT_FIRST = 2.2; // and yet the drawing is no larger than so many times the whole

const wider = ({ clientWidth, clientHeight }) => clientWidth > clientHeight && innerWidth > innerHeight; // on a telephone held upright a low place is none

export class Board {
  constructor(touched, dragged) { // `touched(touches, event)` is called with what was touched; `dragged` says what blocks can be dragged (drag.js)
    this.touched = touched;
    this.drag = new Drag(this, dragged);
    this.place = make("div", { class: "drawing" });
    this.scene = make("div", { class: "drawn-scene" }); // a battle, drawn beside the map: it is touched in the same way
    this.hint = make("p", { class: "hint", hidden: true });
    const zoom = (by) => () => this.zoom(by);
    this.legend = button("≡", () => {
      const on = this.node.classList.toggle("legend");
      this.legend.setAttribute("aria-pressed", on);
      if (on) this.seek([...this.place.querySelectorAll(".pb-key")]);
    },
      { "aria-label": t("legend"), title: t("legend"), "aria-pressed": "false" });
    this.node = make("div", { class: "map" }, this.place, this.hint, make("div", { class: "zoom" }, this.legend,
      button("+", zoom(1.4), { "aria-label": t("larger"), title: t("larger") }),
      button("−", zoom(1 / 1.4), { "aria-label": t("smaller"), title: t("smaller") }),
      button("▢", () => this.whole(), { "aria-label": t("whole"), title: t("whole") })));
    this.layers = new Layers();
    this.marks = []; // what was laid on the drawing to show what may be touched, and what was struck
    this.struck = [];
    this.can = [];
    this.fingers = new Map();
    this.moved = 0;
    this.place.addEventListener("pointerdown", (event) => this.down(event));
    this.place.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.place.addEventListener(end, (event) => this.up(event));
    this.place.addEventListener("pointerleave", () => { this.hint.hidden = true; });
    new ResizeObserver(() => this.reshape()).observe(this.place);
    this.place.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    for (const place of [this.place, this.scene]) {
      place.addEventListener("pointerup", (event) => { this.left = event; });
      place.addEventListener("click", (event) => this.click(event));
    }
  }

  show(drawing, scene) { // another position; how near it was looked at stays
    if (!drawing) return;
    this.unmark();
    this.rub(this.struck);
    const before = this.svg?.getAttribute("viewBox"), svg = this.layers.show(drawing), full = svg.dataset.full = this.lay(svg);
    if (svg !== this.svg) {
      const same = this.svg?.dataset.full === full;
      this.svg = svg;
      this.box = svg.viewBox.baseVal;
      this.full = full.split(" ").map(Number);
      if (same) svg.setAttribute("viewBox", before);
      else this.begun = false;
    }
    if (svg.parentNode !== this.place) this.place.replaceChildren(svg);
    this.node.classList.toggle("keyed", Boolean(svg.querySelector(".pb-key")));
    if (!this.begun || (!this.sized && this.place.querySelector('[data-at^="block:"]'))) this.begin(); // at the end blocks are seen where none was
    if (scene?.svg === this.staged) return;
    this.staged = scene?.svg;
    this.scene.replaceChildren(...(scene ? [drawn(scene.svg)] : []));
  }

  anew(drawing) { // other blocks than before are seen, so how near is found out again
    this.begun = false;
    this.show(drawing, null);
  }

  get ground() { return this.layers.ground; } // by its name: it need not come again

  strike(struck) { // marks those whom it cost something, until the next position is shown
    const marked = new Map(struck.map(({ at, says }) => [at, says]));
    if (!marked.size) return;
    const places = this.places(), found = [...marked].flatMap(([at, says]) => (places.get(at) ?? []).filter((one) => one.getBBox).map((element) => ({ element, says })));
    this.struck.push(...this.enlighten(found.map(({ element }) => [element, " pb-struck"])));
    for (const { element, says } of found) {
      const title = document.createElementNS(NS, "title");
      title.textContent = says;
      element.append(title);
      this.struck.push(title);
    }
  }

  places() { // what can be touched, by what it is called
    const found = new Map();
    for (const place of [this.place, this.scene]) for (const element of place.querySelectorAll("[data-at]")) {
      const at = element.getAttribute("data-at");
      found.set(at, [...(found.get(at) ?? []), element]);
    }
    return found;
  }

  rub(marks) { for (const mark of marks.splice(0)) mark.remove(); }

  unmark() {
    this.rub(this.marks);
    for (const old of this.can.splice(0)) old.classList.remove("pb-can");
  }

  light(touches, chosen = [], out = []) { // what may be touched now, what was chosen, and what takes a line out; returns how much of it lies on the drawing
    if (!this.svg) return 0;
    this.unmark();
    const by = new Map();
    for (const touch of touches) by.set(touch.at, [...(by.get(touch.at) ?? []), touch]);
    this.by = new Map([...out.map((one) => [one.at, [one]]), ...by]);
    const places = this.places(), found = [];
    for (const [at, own] of by) {
      const fight = own.some((touch) => touch.note.includes("!")) ? " pb-fight" : "";
      for (const element of places.get(at) ?? []) found.push([element, fight]);
    }
    this.can = found.map(([element]) => element);
    const more = chosen.flatMap((at) => (places.get(at) ?? []).map((element) => [element, " pb-chosen"]));
    this.seek(this.can); // it measures, and so stands before what changes
    this.marks.push(...this.enlighten([...found, ...more]));
    for (const element of this.can) element.classList.add("pb-can");
    return found.length;
  }

  enlighten(found) { // lays a light on each of these elements, of its kind; all are measured before the first is laid
    const lights = found.map(([element, kind]) => element.localName === "use" || element.localName === "path" ? this.area(element, kind) : this.ring(element, kind));
    for (const [place, light] of lights) place.append(light);
    return lights.map(([, light]) => light);
  }

  area(element, kind) {
    const light = element.cloneNode();
    light.removeAttribute("data-at"); // it shows what is touched, and is not
    light.setAttribute("class", `pb-light pb-area${kind}`);
    return [element.parentNode, light];
  }

  ring(element, kind) {
    const lit = kind === " pb-lead" && element.querySelector(":scope > .pb-ring"); // a second light lies on the first: around it there may be words
    const { x, y, width, height } = element.getBBox(), ring = lit ? lit.cloneNode() : document.createElementNS(NS, "rect");
    if (!lit) for (const [name, value] of Object.entries({ x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 6 })) ring.setAttribute(name, value);
    ring.setAttribute("class", `pb-light pb-ring${kind}`);
    return [element, ring];
  }

  // Moving and zooming: the box of the drawing that is seen has the shape of its place, so that no room is left beside it.

  get most() { // so many pixels a unit of the drawing has where all of it is seen
    const { clientWidth: wide, clientHeight: high } = this.place;
    return Math.min(wide / this.full[2], high / this.full[3]);
  }

  get unit() { return this.place.clientWidth / this.box.width; }

  get near() { return this.full && this.unit > this.most * 1.01; }

  lay(svg) { // returns the box of the whole: a drawing can say how it lies on a wide screen
    const wide = Boolean(svg.dataset.wide) && (this.wide ??= wider(this.place));
    svg.dataset.narrow ??= svg.getAttribute("viewBox");
    for (const one of svg.querySelectorAll("[data-wide]")) {
      one.dataset.narrow ??= one.getAttribute("transform") ?? "";
      const lies = wide ? one.dataset.wide : one.dataset.narrow;
      if (lies === (one.getAttribute("transform") ?? "")) continue; // to say it again would lay out all of it again
      if (lies) one.setAttribute("transform", lies);
      else one.removeAttribute("transform");
    }
    return wide ? svg.dataset.wide : svg.dataset.narrow;
  }

  begin() { // so near that blocks can be read
    if (!this.place.clientWidth || !this.place.clientHeight) return;
    this.begun = true;
    const wide = [...this.place.querySelectorAll('[data-at^="block:"]')].map((one) => one.getBBox().width * (one.transform.baseVal.consolidate()?.matrix.a ?? 1)).sort((a, b) => a - b);
    this.sized = wide.length > 0;
    const least = wide.length ? LEAST[Number(innerWidth < 600 || innerHeight < 500)] / wide[wide.length >> 1] : wider(this.place) ? 0 : this.place.clientWidth / this.full[2]; // without blocks all of it, on a high screen as wide as that
    this.to(this.full[0] + this.full[2] / 2, this.full[1] + this.full[3] / 2, Math.min(Math.max(this.most, least), this.most * AT_FIRST));
  }

  to(x, y, unit = this.unit) { // looks at this point
    const { clientWidth: wide, clientHeight: high } = this.place;
    this.look(x - wide / unit / 2, y - high / unit / 2, unit);
  }

  reshape() { // the place has another size
    this.wide = wider(this.place);
    if (!this.svg || !this.place.clientWidth) return;
    const full = this.lay(this.svg);
    if (full !== this.svg.dataset.full) {
      this.svg.dataset.full = full;
      this.full = full.split(" ").map(Number);
      this.begun = false;
    }
    if (!this.begun) this.begin();
    else this.to(this.box.x + this.box.width / 2, this.box.y + this.box.height / 2, Math.max(this.most, this.unit));
  }

  zoom(by, at = null) {
    if (!this.svg) return;
    const unit = Math.min(Math.max(this.unit * by, this.most), this.most * CLOSEST), part = this.unit / unit;
    const { x, y } = at ?? { x: this.box.x + this.box.width / 2, y: this.box.y + this.box.height / 2 };
    this.look(x - (x - this.box.x) * part, y - (y - this.box.y) * part, unit);
  }

  look(left, top, unit) {
    const [x, y, wide, high] = this.full, width = this.place.clientWidth / unit, height = this.place.clientHeight / unit;
    const within = (value, low, long, seen) => seen >= long ? low - (seen - long) / 2 : Math.min(Math.max(value, low), low + long - seen);
    this.svg.setAttribute("viewBox", [within(left, x, wide, width), within(top, y, high, height), width, height].join(" "));
    this.node.classList.toggle("near", this.near);
  }

  whole() { if (this.svg) this.to(0, 0, this.most); }

  seek(found) { // what may be touched comes into sight: all of it, if there is room; else some
    const boxes = found.filter((one) => this.place.contains(one)).map((one) => one.getBoundingClientRect()), { left, top, right, bottom } = this.place.getBoundingClientRect();
    if (!this.near || !boxes.length) return;
    const least = (from) => Math.min(...boxes.map((one) => one[from])), most = (to) => Math.max(...boxes.map((one) => one[to])), middle = (from, to) => (least(from) + most(to)) / 2;
    const fits = most("right") - least("left") <= right - left && most("bottom") - least("top") <= bottom - top;
    const seen = (one) => fits ? one.left >= left && one.right <= right && one.top >= top && one.bottom <= bottom : one.left < right && one.right > left && one.top < bottom && one.bottom > top;
    if (fits ? boxes.every(seen) : boxes.some(seen)) return;
    const { x, y } = this.point({ clientX: middle("left", "right"), clientY: middle("top", "bottom") });
    this.to(x, y);
  }

  point({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return { x, y };
  }

  wheel(event) {
    if (!this.svg || (event.deltaY > 0 && !this.near)) return;
    event.preventDefault();
    this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, this.point(event));
  }

  down(event) {
    if (!this.svg) return;
    if (!this.fingers.size) this.moved = 0;
    this.fingers.set(event.pointerId, event);
    this.drag.down(event);
  }

  slipped() { this.moved = FAR + 1; } // what follows is no click

  move(event) {
    const before = event.buttons ? this.fingers.get(event.pointerId) : undefined;
    if (before) this.fingers.set(event.pointerId, event);
    else if (this.fingers.delete(event.pointerId)) this.drag.end(); // the button was let go of where nobody here has heard it
    if (this.drag.move(event)) return;
    if (!before) {
      this.explain(event);
      return;
    }
    const others = [...this.fingers.values()].filter((one) => one.pointerId !== event.pointerId);
    if (others.length) {
      const apart = (one) => Math.hypot(one.clientX - others[0].clientX, one.clientY - others[0].clientY);
      this.slipped();
      this.zoom(apart(event) / Math.max(1, apart(before)), this.point({ clientX: (event.clientX + others[0].clientX) / 2, clientY: (event.clientY + others[0].clientY) / 2 }));
    } else if (this.near) {
      const from = this.point(before), to = this.point(event);
      this.moved += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
      if (this.moved > FAR && event.pointerType !== "mouse") this.place.setPointerCapture?.(event.pointerId);
      this.look(this.box.x + from.x - to.x, this.box.y + from.y - to.y, this.unit);
    }
  }

  up(event) {
    this.fingers.delete(event.pointerId);
    this.drag.up(event);
  }

  under({ clientX, clientY }) { // what lies under a finger and has a name, the uppermost first
    const all = document.elementsFromPoint(clientX, clientY), end = all.findIndex((one) => one === this.place || one === this.scene);
    return all.slice(0, end < 0 ? all.length : end).map((one) => one.closest?.("[data-at]")).filter(Boolean);
  }

  lies(event) { // the uppermost that may be touched, and its touches
    const element = this.under(event).find((one) => this.by?.has(one.getAttribute("data-at")));
    return { element, touches: this.by?.get(element?.getAttribute("data-at")) };
  }

  touching(event) { return this.lies(event).touches ?? null; }

  explain(event) { // a line on what lies under the pointer: what it is, and what touching it does
    if (event.pointerType !== "mouse") return;
    const found = this.touching(event), told = this.called(event);
    this.place.classList.toggle("over", Boolean(found));
    const says = [told, ...(found ?? []).map((touch) => [touch.label, touch.note].filter(Boolean).join(": "))].filter(Boolean);
    this.hint.hidden = !says.length;
    this.hint.textContent = says.join(" · ");
  }

  called({ clientX, clientY }) { // what a piece or a place says of itself
    for (const element of document.elementsFromPoint(clientX, clientY)) {
      if (element === this.place) break;
      for (let one = element; one && one !== this.svg && this.place.contains(one); one = one.parentElement) {
        const title = [...one.children].find(({ localName }) => localName === "title");
        if (title) return title.textContent;
      }
    }
    return "";
  }

  click(event) {
    if (this.moved > FAR) return;
    const { left } = this, near = left && Math.hypot(left.clientX - event.clientX, left.clientY - event.clientY) < 2;
    const found = this.touching(near ? left : event); // a click comes in whole pixels: at an edge it would be beside what was pointed at
    if (found) this.touched(found, event);
  }
}
