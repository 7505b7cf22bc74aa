// A headless browser for the tests of the page: `await launched(MODULES, "chromium" | "firefox")`, where MODULES is a folder with
// puppeteer-core. Whatever the browser would fetch from another machine, for whomever, comes to a proxy here that answers nothing and
// writes down who was meant: so a request of a worker counts, too, and one that no event of the browser tells of.

import { createRequire } from "node:module";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const PATIENCE = Number(process.env.PATIENCE ?? 240_000);
const OWN = /^(?:[\w.-]+\.)?(?:mozilla\.(?:com|org|net)|firefox\.com|google(?:apis)?\.com|gvt1\.com|gstatic\.com)(?::\d+)?$/; // what browsers ask for themselves
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--disable-quic"];

async function trap(asked) { // a proxy to nowhere
  const server = createServer((request, response) => { asked.push(new URL(request.url, "http://nowhere").host); response.writeHead(502).end(); });
  server.on("connect", (request, socket) => { asked.push(request.url); socket.on("error", () => {}); socket.end("HTTP/1.1 502 Nobody\r\n\r\n"); });
  await new Promise((well) => server.listen(0, "127.0.0.1", well));
  return server;
}

export async function launched(modules, which, flags = []) {
  const required = createRequire(pathToFileURL(`${resolve(modules)}/`)), asked = [];
  const { default: puppeteer } = await import(pathToFileURL(required.resolve("puppeteer-core")).href);
  const proxy = await trap(asked), { port } = proxy.address(), common = { headless: true, protocolTimeout: PATIENCE };
  const browser = which === "firefox"
    ? await puppeteer.launch({ ...common, browser: "firefox", executablePath: process.env.FIREFOX, extraPrefsFirefox: {
      "security.fileuri.strict_origin_policy": true, "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": port,
      "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": port, "intl.accept_languages": "en" } })
    : await puppeteer.launch({ ...common, executablePath: process.env.CHROMIUM, args: [...FLAGS, `--proxy-server=http://127.0.0.1:${port}`, ...flags] });
  return {
    browser,
    elsewhere: () => [...new Set(asked)].filter((host) => !OWN.test(host)),
    close: async () => { await browser.close(); proxy.closeAllConnections(); proxy.close(); },
  };
}

export function watched(page, ours, said, elsewhere) { // what a page says, and what it asks for that is not `ours`
  page.on("console", (line) => said.push(`${line.type()}: ${line.text()}`));
  page.on("pageerror", (error) => said.push(`error: ${error}`));
  page.on("request", (asked) => { if (!/^(data|blob):/.test(asked.url()) && !asked.url().startsWith(ours)) elsewhere.push(asked.url()); });
  return page;
}
