// A block that is dragged on the map: to take it up is to touch it, to lay it down is to touch what lies below. It knows no rule: which
// blocks can be dragged, and what they can be laid on, lights up.

const NS = "http://www.w3.org/2000/svg";
const FAR = 8; // so many pixels make a touch a drag

export class Drag {
  constructor(board, { can, lift, lay, leave }) { // `can(touches)`: can it be dragged? `lift(touches)` lights up where to, and what it resolves with goes to `lay` and `leave`, which end it
    Object.assign(this, { board, can, lift, lay, leave, held: null });
  }

  down(event) { // a second finger lets go of what the first one has
    const { element, touches } = event.isPrimary && !event.button ? this.board.lies(event) : {};
    this.end();
    if (element?.matches(".pb-can[data-at^='block:']") && this.board.place.contains(element) && this.can(touches)) this.held = { element, touches, from: event };
  }

  end() { // whatever is held is let go of, as if nobody had taken it up
    const { held } = this;
    this.held = null;
    held?.carried?.remove();
    held?.lifted?.then((lifted) => this.leave(lifted));
  }

  move(event) { // is something dragged, or about to be?
    const { held, board } = this;
    if (held?.from.pointerId !== event.pointerId) return false;
    const far = Math.hypot(event.clientX - held.from.clientX, event.clientY - held.from.clientY) > FAR;
    if (!held.lifted && !far) return true;
    if (!held.lifted) this.take(held);
    const { x, y } = board.point(event);
    if (held.carried.parentNode !== board.svg) board.svg.append(held.carried);
    held.carried.setAttribute("transform", `translate(${x - held.start.x} ${y - held.start.y})`);
    board.explain(event);
    return true;
  }

  take(held) {
    const { board } = this, own = held.element.cloneNode(true);
    for (const name of ["id", "data-at"]) own.removeAttribute(name); // it shows what is dragged, and is not
    held.start = board.point(held.from); // on the drawing, which may be moved and made larger meanwhile
    held.carried = document.createElementNS(NS, "g");
    held.carried.setAttribute("class", "pb-carried");
    held.carried.append(own);
    board.place.setPointerCapture(held.from.pointerId); // what is below may be drawn anew meanwhile
    board.slipped();
    held.lifted = Promise.resolve(this.lift(held.touches));
  }

  async up(event) { // laid on its own place it was only touched, and beside all that lights up it goes back
    const { held, board } = this;
    if (held?.from.pointerId !== event.pointerId) return;
    if (!held.lifted || event.type === "pointercancel") {
      this.end();
      return;
    }
    this.held = null;
    held.carried.remove();
    const lifted = await held.lifted, { touches } = board.lies(event), [{ at }] = held.touches;
    if (touches?.[0].at.startsWith("area:")) this.lay(touches, event, lifted);
    else if (board.under(event).some((one) => one.getAttribute("data-at") === at)) this.lay(held.touches, event, lifted);
    else this.leave(lifted);
  }
}
