// What the page of a single file sends its worker before anything else: {given: {parts, port}}, the files that lie in it, compressed, by
// their paths, and the way to speak with the vault.

export const sent = new Promise((well) => {
  addEventListener("message", ({ data }) => { if ("given" in data) well(data.given); });
});
