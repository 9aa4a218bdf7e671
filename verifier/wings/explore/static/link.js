// The state of the page in the fragment of its address: the model, deflated, and the question. Nothing is sent anywhere.

async function through(stream, bytes) {
  const blob = await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();
  return new Uint8Array(blob);
}

const to64 = (bytes) => {
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
};
const from64 = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

export async function toFragment(store) {
  const parts = new URLSearchParams();
  const { definition, epsilon, delta, reading, dimension } = store.question;
  if (definition) parts.set("d", definition);
  parts.set("e", epsilon);
  parts.set("delta", delta);
  if (reading) parts.set("r", reading);
  if (dimension) parts.set("dimension", dimension);
  if (store.loss.record !== null) parts.set("record", store.loss.record);
  if (Object.keys(store.set).length) parts.set("set", JSON.stringify(store.set));
  const bytes = new TextEncoder().encode(JSON.stringify(store.document));
  parts.set("m", to64(await through(new CompressionStream("deflate-raw"), bytes)));
  return parts.toString();
}

const DEEPEST = 100;

/** How deep the lists and tables of a JSON text are nested. */
function depth(text) {
  let [level, deepest] = [0, 0];
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (mark === "[" || mark === "{") deepest = Math.max(deepest, ++level);
    else if (mark === "]" || mark === "}") level -= 1;
  }
  return deepest;
}

/** What a fragment says, or null where it says nothing. A slip in it is an error that the page shows. */
export async function fromFragment(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  if (!parts.has("m")) return null;
  const bytes = await through(new DecompressionStream("deflate-raw"), from64(parts.get("m")));
  if (bytes.length > 8 * 1024 * 1024) throw new RangeError("the link holds too much");
  const text = new TextDecoder().decode(bytes);
  if (depth(text) > DEEPEST) throw new RangeError("the link holds lists in lists in lists");
  const record = parts.get("record");
  return {
    document: JSON.parse(text),
    question: { definition: parts.get("d"), epsilon: parts.get("e") ?? "ln(2)", delta: parts.get("delta") ?? "0", reading: parts.get("r"), dimension: parts.get("dimension") ?? "" },
    set: JSON.parse(parts.get("set") ?? "{}"),
    loss: { record: record !== null && /^\d+$/.test(record) ? Number(record) : null, values: null },
  };
}
