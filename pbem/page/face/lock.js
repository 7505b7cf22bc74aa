// The passphrase of a key that is locked, asked for when something is to be signed. It goes to the service, and is kept nowhere here.

import { button, keeper, make } from "./dom.js";

let asked; // all that wait for the key wait for one answer

function question(t, opens, done) {
  const secret = make("input", { type: "password", id: "unlock", autocomplete: "current-password", required: true });
  const trouble = make("p", { class: "wrong", role: "alert" });
  const given = async (event) => {
    event.preventDefault();
    const why = await opens(secret.value);
    if (!why) dialog.close("open");
    trouble.textContent = why;
    secret.select();
  };
  const dialog = make("dialog", { class: "lock", "aria-labelledby": "locked", onclose: () => { dialog.remove(); done(dialog.returnValue === "open"); } },
    make("form", { onsubmit: given }, keeper(), make("label", { for: "unlock", id: "locked" }, t("locked")), secret, trouble,
      make("div", { class: "row" }, make("button", { type: "submit", class: "main" }, t("unlock")), button(t("leave_it"), () => dialog.close()))));
  document.body.append(dialog);
  dialog.showModal();
}

export function opened(t, opens) { // `opens` takes a passphrase and says what stands against it; resolves with whether the key is open
  asked ??= new Promise((done) => question(t, opens, done)).finally(() => { asked = undefined; });
  return asked;
}
