// Lists the files of the standard library that Python has read before anything else runs: `node boots.mjs PYODIDE _ OUT`, where PYODIDE is
// the folder of the runtime. OUT names them as they are called when they are compiled.

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, , out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${resolve(runtime)}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${resolve(runtime)}/` });
writeFileSync(out, python.runPython(`
import sys
files = [getattr(module, "__file__", None) or "" for module in sys.modules.values()]
"\\n".join(sorted({path.partition(".zip/")[2].removesuffix("c") + "c" for path in files if ".zip/" in path}))
`));
