// The state of the page in the fragment of its address: the model, deflated, and the question. Nothing is sent anywhere.

/** Most characters of a fragment: no browser keeps a longer address. */
const LONGEST = 2 * 1024 * 1024;
/** Most bytes of a model, as in every question (requests.py, MAX_BODY). */
const MOST_BYTES = 4 * 1024 * 1024;
/** Bytes that are unpacked at once: they become a thousand times as many at most. */
const PIECE = 1024;

async function deflated(bytes) {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** What deflated bytes hold. It is refused as soon as it is too much, before the rest is unpacked. */
async function inflated(bytes) {
  let start = 0;
  const pieces = new ReadableStream({
    pull(control) {
      if (start < bytes.length) control.enqueue(bytes.subarray(start, (start += PIECE)));
      else control.close();
    },
  }, { highWaterMark: 0 });
  const reader = pieces.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const found = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(found).arrayBuffer());
    size += value.length;
    if (size > MOST_BYTES) {
      reader.cancel().catch(() => {});
      throw new RangeError("the link holds too much");
    }
    found.push(value);
  }
}

const to64 = (bytes) => {
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
};
const from64 = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

/** `asked` is the question that the model asks, with what was changed: the address keeps both apart. */
export async function toFragment(store, asked = null) {
  const parts = new URLSearchParams();
  const { definition, epsilon, delta, reading, dimension } = store.question;
  if (definition) parts.set("d", definition);
  parts.set("e", epsilon);
  parts.set("delta", delta);
  if (reading) parts.set("r", reading);
  if (dimension) parts.set("dimension", dimension);
  if (store.loss.record !== null) parts.set("record", store.loss.record);
  if (Object.keys(store.set).length) parts.set("set", JSON.stringify(store.set));
  const packed = async (value) => to64(await deflated(new TextEncoder().encode(JSON.stringify(value))));
  if (asked && Object.keys(asked.changes).length) parts.set("a", await packed(asked.changes));
  parts.set("m", await packed(asked?.original ?? store.document));
  return parts.toString();
}

const DEEPEST = 100;
/** What follows a key, and no other text. */
const AFTER = /\s*:/y;
const NUMBER = /-?\d[\d.eE+-]*/y;

/** Refuse what no model of the page has: lists in lists without end, a key that stands twice in one table (a browser takes the last), and numbers that a browser rounds. The text is valid JSON. */
function check(text) {
  const open = []; // of each table that is open its keys, of each list null
  for (let k = 0; k < text.length; k += 1) {
    const mark = text[k];
    if (mark === "[" || mark === "{") open.push(mark === "{" ? new Set() : null);
    else if (mark === "]" || mark === "}") open.pop();
    else if (mark === '"') {
      const start = k;
      while (text[(k += 1)] !== '"') if (text[k] === "\\") k += 1;
      AFTER.lastIndex = k + 1;
      if (!AFTER.test(text)) continue;
      const [key, keys] = [JSON.parse(text.slice(start, k + 1)), open.at(-1)];
      if (keys.has(key)) throw new RangeError("the link holds a key twice");
      keys.add(key);
    } else if (mark === "-" || (mark >= "0" && mark <= "9")) {
      NUMBER.lastIndex = k;
      const [number] = NUMBER.exec(text);
      if (!/^-?\d{1,16}$/.test(number) || !Number.isSafeInteger(Number(number))) throw new RangeError("the link holds a number that is not an integer below 2^53");
      k += number.length - 1;
    }
    if (open.length > DEEPEST) throw new RangeError("the link holds lists in lists in lists");
  }
}

/** The value of a JSON text, which has to be a table. */
function table(text) {
  const value = JSON.parse(text);
  check(text);
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new TypeError("the link holds no table");
  return value;
}

/** The values of a family's parameters: texts by their names. */
function chosen(text) {
  const set = table(text);
  if (Object.values(set).some((value) => typeof value !== "string")) throw new TypeError("a parameter is not a text");
  return set;
}

/** The record of the loss table; null where the link names none. */
function recordOf(text) {
  if (text !== null && !/^\d{1,9}$/.test(text)) throw new RangeError("the record is not a number");
  return text === null ? null : Number(text);
}

/** What a fragment says, or null where it says nothing. A slip in it is an error that the page shows. */
export async function fromFragment(fragment) {
  if (fragment.length > LONGEST) throw new RangeError("the link is too long");
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  if (!parts.has("m")) return null;
  if (new Set(parts.keys()).size < [...parts.keys()].length) throw new RangeError("the link says one thing twice");
  const unpacked = async (name) => table(new TextDecoder("utf-8", { fatal: true }).decode(await inflated(from64(parts.get(name)))));
  return {
    document: await unpacked("m"),
    changes: parts.has("a") ? await unpacked("a") : {},
    question: { definition: parts.get("d"), epsilon: parts.get("e") ?? "ln(2)", delta: parts.get("delta") ?? "0", reading: parts.get("r"), dimension: parts.get("dimension") ?? "" },
    set: chosen(parts.get("set") ?? "{}"),
    loss: { record: recordOf(parts.get("record")), values: null },
  };
}
