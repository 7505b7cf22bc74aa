// Lays the files of an archive that is not compressed into the memory of Python.

const END = 0x06054b50, ENTRY = 0x02014b50, TAIL = 22, HEAD = 46, LOCAL = 30; // signatures, and lengths of what has a fixed one

export function lay(fs, folder, bytes) { // no file is copied: the bytes are theirs from now on
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), text = new TextDecoder(), made = new Set();
  const end = bytes.length - TAIL;
  if (end < 0 || view.getUint32(end, true) !== END) throw new Error("The archive is not whole.");
  let at = view.getUint32(end + 16, true);
  for (let n = view.getUint16(end + 10, true); n > 0; n--) {
    if (view.getUint32(at, true) !== ENTRY || view.getUint16(at + 10, true) !== 0) throw new Error("The archive is of another form.");
    const [size, name, extra, comment] = [view.getUint32(at + 24, true), ...[28, 30, 32].map((place) => view.getUint16(at + place, true))], local = view.getUint32(at + 42, true);
    const path = `${folder}/${text.decode(bytes.subarray(at + HEAD, at + HEAD + name))}`, below = path.slice(0, path.lastIndexOf("/"));
    const begins = local + LOCAL + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (!made.has(below)) fs.mkdirTree(below);
    made.add(below);
    fs.writeFile(path, bytes.subarray(begins, begins + size), { canOwn: true });
    at += HEAD + name + extra + comment;
  }
}
