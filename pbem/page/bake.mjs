// Lets the page's own program say what it says to everybody, so that nobody has to wait for it: `node bake.mjs PYODIDE ARCHIVE OUT`, where
// PYODIDE is the folder of the runtime with the page's modules beside it, and ARCHIVE holds the modules of Python. OUT has the words of the face and the games that can be
// played alone, by language, and the pictures of these games.

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, archive, out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${resolve(runtime)}/pyodide.mjs`).href);
process.on("uncaughtException", ({ message }) => { // its stack would show the whole of the runtime
  process.stderr.write(message);
  process.exit(1);
});
const python = await loadPyodide({ indexURL: `${resolve(runtime)}/` });
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: python.runPython("__import__('site').getsitepackages()[0]") });
python.registerJsModule("pbem_noble", { ...(await import(pathToFileURL(`${resolve(runtime)}/signing.mjs`).href)) });
writeFileSync(out, python.runPython(`
from json import dumps, loads
from pbem.i18n import languages
from pbem.page.service import Service
service = Service("/desk")
def ask(call, **more):
    answer = loads(service.answer(dumps({"call": call, **more})))
    assert "ok" in answer, answer
    return answer["ok"]
said, pictures = {}, {}
for language in languages():
    said[language] = {call: ask(call, language=language) for call in ("words", "choices")}
    for game in (one["game"] for one in said[language]["choices"]["games"]):
        pictures[f"{language}-{game}"] = ask("choices", language=language, game=game, picture=True)["games"][0]["picture"]
dumps({"said": said, "pictures": pictures}, ensure_ascii=False, sort_keys=True)
`));
