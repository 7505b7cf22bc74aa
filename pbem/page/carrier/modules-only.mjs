// A worker of modules cannot import scripts, and Pyodide finds out by trying, which the policy would report. It is told so before:
// this module stands before Pyodide's.

globalThis.importScripts = undefined;
