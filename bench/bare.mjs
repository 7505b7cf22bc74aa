// The floor that the page's worker is measured against: Pyodide as it comes, and pydantic with a model.

import "../modules-only.mjs";
import { loadPyodide } from "./pyodide.mjs";

const packed = fetch(new URL("./pydantic.zip", import.meta.url)).then((got) => got.arrayBuffer());
const python = await loadPyodide({ indexURL: new URL("./", import.meta.url).href });
python.unpackArchive(await packed, "zip", { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
postMessage(python.runPython("import pydantic\nclass One(pydantic.BaseModel):\n    one: int\nOne(one=1).one"));
