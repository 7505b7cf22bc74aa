// The referee's tools: a log or a complaint is judged, copies are united, a position and the rules are looked at.

import { make, fill } from "./dom.js";
import { complaint, judge, uniting } from "./judge.js";
import { position, rules } from "./look.js";
import { t } from "./texts.js";

export class Tools {
  constructor(_name, go) {
    this.go = go;
    this.node = make("main", { class: "page" });
  }

  close() {}

  async came() {} // nothing of a game stands here

  async open() {
    document.title = `${t("tools")} · pbem`;
    fill(this.node, make("header", {}, make("a", { href: "#/", class: "home" }, `‹ ${t("games")}`), make("h1", {}, t("tools"))), make("p", {}, t("tools_say")),
      make("section", { class: "look" }, make("h2", { class: "unseen" }, t("tools")), make("details", { open: true }, make("summary", {}, t("judge")), make("p", {}, t("judge_says")), judge(this.go)),
        make("details", {}, make("summary", {}, t("complain")), complaint()), make("details", {}, make("summary", {}, t("unite")), uniting()), position(), rules()));
  }
}
