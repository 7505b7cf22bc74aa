// The service worker: once every file of a version is there, the page comes from here, also without a network. What PAGE and FILES
// are, the build writes above; what is in LATER is kept once somebody has wanted it, and in later versions as well. A file counts only with the hash of its version; a newer version is fetched beside, and takes over
// when no tab has the older one open, so that none changes in the middle of a game. It is for calm, and no guard: whoever serves
// the page can serve another.

const CACHE = `pbem-${PAGE}`;

const asked = ([path, integrity]) => new Request(path, { integrity, cache: "no-cache" });

addEventListener("install", (event) => event.waitUntil((async () => {
  const wanted = await Promise.all(Object.entries(LATER).map(async (one) => ((await caches.match(one[0])) ? [one] : [])));
  await (await caches.open(CACHE)).addAll([...Object.entries(FILES), ...wanted.flat()].map(asked));
})()));

addEventListener("message", (event) => { // of a page of this version: something was wanted for the first time
  const path = event.data?.keep;
  if (!Object.hasOwn(LATER, path)) return;
  event.waitUntil(caches.open(CACHE).then(async (cache) => (await cache.match(path)) || cache.add(asked([path, LATER[path]]))));
});

addEventListener("activate", (event) => event.waitUntil((async () => {
  const older = (await caches.keys()).filter((name) => name.startsWith("pbem-") && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
  if (older.length === 0) await clients.claim(); // the page of the first visit; one of an older version is not handed half of another
})()));

addEventListener("fetch", (event) => {
  const { method, url } = event.request, { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin || ["Pbem-Signed", "Authorization"].some((name) => event.request.headers.has(name))) return; // what a door or a relay is asked is kept nowhere
  const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(path)).then((found) => found ?? fetch(event.request)));
});
