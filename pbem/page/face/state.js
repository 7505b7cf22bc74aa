// What a carrier says besides answers, and who hears it: {calls: +1 or -1} when one begins or ends, {loads}, {keeps, why, said, anew}, {done, all}.

const heard = [];
export const hear = (listener) => { heard.push(listener); };
export const tell = (what) => { for (const listener of heard) listener(what); };

export async function quietly(work) { // what nobody has asked for, such as a picture: that it runs is not said
  tell({ quiet: +1 });
  try {
    return await work();
  } finally {
    tell({ quiet: -1 });
  }
}
