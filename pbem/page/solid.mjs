// Compresses files by the page's own Python, which unpacks them in the browser: `node solid.mjs PYODIDE ARCHIVE OUT`, where PYODIDE is
// the folder of the runtime and ARCHIVE holds the files as they are. OUT is one frame of zstd: a quarter less than gzip makes it.

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, archive, out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${resolve(runtime)}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${resolve(runtime)}/` });
python.FS.writeFile("/in.zip", readFileSync(archive));
python.runPython(`
from compression.zstd import CompressionParameter, compress
HARD = {CompressionParameter.compression_level: 19, CompressionParameter.window_log: 24}
with open("/in.zip", "rb") as archive, open("/out.zst", "wb") as made:
    made.write(compress(archive.read(), options=HARD))
`);
writeFileSync(out, python.FS.readFile("/out.zst"));
