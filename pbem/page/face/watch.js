// What stands above every screen: how the desk is kept, what is being loaded, what runs and can be stopped, and what went wrong unseen.

import { stop } from "./carrier.js";
import { announce, button, fill, make } from "./dom.js";
import { hear } from "./state.js";
import { t, why } from "./texts.js";

const LONG = 1000; // so many milliseconds a call may run before that is said

export function watch(show) { // `show` draws the present screen anew
  const kept = make("div", { class: "keeps", role: "status" }), runs = make("div", { class: "runs", role: "status" }), trouble = make("div", { class: "trouble", "aria-live": "assertive" });
  document.getElementById("app").before(make("div", { id: "state" }, kept, trouble, runs));
  let calls = 0, quiet = 0, late = 0, keeps = "all", starts = false;

  const says = (place, text, ...more) => fill(place, text && make("div", { class: "box" }, make("p", {}, text), more));
  const working = (part) => {
    if (starts) return;
    fill(runs, make("div", { class: "box" }, make("p", {}, part === null ? t("runs") : t("runs_part", { percent: Math.floor(100 * part) })),
      part !== null && make("progress", { value: part, "aria-label": t("runs") }), stop && button(t("stop"), halt)));
  };
  const halt = () => {
    stop();
    says(trouble, t("halted"), button(t("go_on_now"), () => { fill(trouble); show(); }, { class: "main" }));
  };
  const loading = (loads) => {
    if (typeof loads === "string") return says(runs, loads && t(loads)); // "blocked", "silent"
    const said = loads.done < loads.all ? t("loading", { percent: Math.floor(100 * loads.done / loads.all) }) : t("begins");
    return fill(runs, make("div", { class: "box" }, make("p", { "aria-live": "off" }, said), make("progress", { value: loads.done / loads.all, "aria-label": t("runs") })));
  };
  const keeping = ({ keeps: now, why: reason, anew }) => {
    says(kept, now === "reads" ? t("reads") : now === "nowhere" ? t(`nowhere_${reason}`) : "");
    if (keeps === "reads" && now === "all") {
      announce(t("takes_over"));
      if (anew) show();
    }
    keeps = now;
  };
  hear((what) => {
    if ("calls" in what) {
      calls += what.calls;
      clearTimeout(late);
      if (calls === 0) {
        starts = false;
        fill(runs);
      }
      else if (!runs.firstChild && !starts) late = setTimeout(() => { if (calls > quiet) working(null); }, LONG);
    }
    if ("quiet" in what) quiet += what.quiet;
    if ("loads" in what || "ready" in what) starts = "loads" in what && what.loads !== "";
    if ("loads" in what) loading(what.loads);
    if ("ready" in what) fill(runs);
    if ("keeps" in what) keeping(what);
    if ("done" in what && calls > quiet) working(what.done / what.all);
  });
  addEventListener("unhandledrejection", ({ reason }) => { // what no screen has shown
    if (reason?.kind !== "halted") says(trouble, why(reason), button(t("well"), () => fill(trouble)));
  });
}
