// What is wrong with how a page looks, as far as a program can see it; all of it is run in the page.

export function faults() { // what is cut, spills out, or lies below something else however far one scrolls
  const found = [], shown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !node.closest(".unseen, svg"), told = (node, what) => found.push(`${what}: <${node.localName} class="${node.className}"> ${(node.textContent || node.value || "").trim().slice(0, 60)}`);
  const scrolled = [...document.querySelectorAll("*")].filter((one) => one.scrollTop).map((one) => [one, one.scrollTop]);
  const below = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect(), at = document.elementFromPoint(left + width / 2, top + height / 2);
    return at && (node.contains(at) || at.contains(node)) ? null : (at ?? document.body);
  };
  for (const node of document.querySelectorAll("button, select, input, textarea, summary, a, label, p, h1, h2, h3, li, caption, th, td")) {
    if (!shown(node) || !node.getClientRects().length || node.clientWidth === 1) continue; // one pixel: it is told to who hears the screen
    const { overflowX, overflowY } = getComputedStyle(node), knob = node.matches("button, summary, a"), cuts = (way) => knob || (!node.matches("[type=file]") && (way === "hidden" || way === "clip")); // of files the browser shows what fits
    if ((cuts(overflowX) && node.scrollWidth > node.clientWidth + 1 && node.clientWidth) || (cuts(overflowY) && !knob && node.scrollHeight > node.clientHeight + 1 && node.clientHeight)) told(node, "is cut");
    if (!knob && !node.matches("select, input, textarea")) continue;
    const over = ["center", "start", "end"].map((block) => { node.scrollIntoView({ block, inline: "center" }); return below(node); });
    if (over.every(Boolean)) told(node, `is covered by ${over[0].localName}.${over[0].className}`);
  }
  for (const one of document.querySelectorAll("*")) one.scrollTop = 0;
  for (const [one, top] of scrolled) one.scrollTop = top;
  return found;
}

export function sideways() { // what scrolls from side to side, though it is no block of code
  return [...document.querySelectorAll("*")].filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1 && ["auto", "scroll"].includes(getComputedStyle(one).overflowX) && !one.matches("pre, .wide, textarea, input, select"))
    .map((one) => `scrolls sideways by ${one.scrollWidth - one.clientWidth}: <${one.localName} class="${one.className}">`);
}

export function sizes() { // how wide blocks are, in pixels, and how much of the screen the map has
  const wide = [...document.querySelectorAll('.drawing [data-at^="block:"]')].map((one) => one.getBoundingClientRect().width).sort((a, b) => a - b);
  const { clientWidth, clientHeight } = document.querySelector(".drawing");
  return { block: wide[wide.length >> 1] ?? null, share: clientWidth * clientHeight / innerWidth / innerHeight };
}
