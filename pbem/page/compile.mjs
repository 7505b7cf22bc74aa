// Compiles an archive of Python modules by the page's own Python: `node compile.mjs PYODIDE ARCHIVE OUT SOURCES`, where PYODIDE is the
// folder of the runtime. What begins with one of SOURCES (parted by commas) keeps its source beside; of the rest only what was
// compiled stays, without what modules, classes and functions say of themselves, and without the numbers of their lines. A page that has
// to compile takes twice as long to be ready.

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, archive, out, sources] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${resolve(runtime)}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${resolve(runtime)}/` });
python.FS.writeFile("/in.zip", readFileSync(archive));
python.globals.set("kept", python.toPy(sources.split(",").filter(Boolean)));
python.runPython(`
import ast, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import cache_from_source, source_hash
from types import CodeType

def compiled(path, source, lines=True):
    code = compile(without_docs(source, path), "/" + path, "exec", dont_inherit=True)
    return bytes(_code_to_hash_pyc(code if lines else without_lines(code), source_hash(source), False))

def without_lines(code): # they are a tenth of it
    inside = tuple(without_lines(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=inside)

def without_docs(source, path):
    tree = ast.parse(source, "/" + path)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            while ast.get_docstring(node, clean=False) is not None:
                del node.body[0]
            node.body = node.body or [ast.Pass(lineno=1, col_offset=0)]
        if isinstance(node, ast.ClassDef) and path.startswith("pbem/"): # of a class that says nothing a dataclass finds out its signature, to say that: a third of its time
            node.body.insert(0, ast.fix_missing_locations(ast.copy_location(ast.Expr(ast.Constant("-")), node)))
    return tree

def members(archive):
    for name in archive.namelist():
        data = archive.read(name)
        ours = name.startswith(tuple(kept))
        if not name.endswith(".py"):
            yield name, data
        elif ours:
            yield name, data
            yield cache_from_source(name), compiled(name, data)
        else:
            yield name + "c", compiled(name, data, name.startswith("pbem/"))

with zipfile.ZipFile("/in.zip") as archive, zipfile.ZipFile("/out.zip", "w") as made:
    for name, data in sorted(members(archive)):
        made.writestr(name, data)
`);
writeFileSync(out, python.FS.readFile("/out.zip"));
