// How a page begins that is one file: each module that lies in it becomes a blob, those first that others import, and the face is
// imported. What else lies in it is handed out by its path. A page that is shown inside of another one does nothing.

const lying = (kind) => document.querySelectorAll(`script[type="application/x-pbem-${kind}"]`);
const addresses = {};

function laid({ path, source }) { // as the build has written them: an import of another one stands as "pbem-module:" and its path
  const text = source.replace(/(["'])pbem-module:([^"']+)\1/g, (whole, quote, other) => JSON.stringify(addresses[other]));
  return (addresses[path] = URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}

function part(path) { // its bytes
  const { textContent } = [...lying("part")].find((one) => one.dataset.path === path);
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(textContent);
  const text = atob(textContent), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

if (window.top === window) {
  for (const one of lying("modules")) JSON.parse(one.textContent).forEach(laid);
  const [words] = lying("words"), [worker] = lying("worker");
  globalThis.pbemFile = Object.freeze({ worker: laid({ path: "worker.mjs", source: JSON.parse(worker.textContent) }), paths: [...lying("part")].map((one) => one.dataset.path), part, words: JSON.parse(words.textContent) });
  import(addresses["main.js"]);
} else document.body.textContent = "This page is shown inside of another one, and does nothing there.";
