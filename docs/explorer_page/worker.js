// The program in a worker of the page: the package that `pkdp` runs, in Python compiled to WebAssembly.
// It continues with the memory of an interpreter that had loaded it; its files come when they are needed, or after.

import { BYTES, CHECKSUM, LIBRARIES, PROGRAM, RUNTIME, SITE, VARYING } from "./addresses.js";
import { decompress } from "./fzstd.mjs";
import { begin, unpack } from "./interpreter.mjs";

/** Count the bytes of everything that the page loads, and say so at every tenth of what a first answer needs. */
const plainly = fetch;
let received = 0;
globalThis.fetch = async (...asked) => {
  // The interpreter is packed: a third of its size, on hosts that pack nothing themselves.
  if (String(asked[0]).endsWith("/pyodide.asm.wasm")) return new Response(await unpacked("interpreter.zst"), { headers: { "Content-Type": "application/wasm" } });
  const answer = await plainly(...asked);
  if (!answer.ok || !answer.body) return answer;
  const count = (part, out) => {
    const before = received;
    received += part.byteLength;
    if (Math.floor((10 * before) / BYTES) < Math.floor((10 * received) / BYTES)) postMessage({ received });
    out.enqueue(part);
  };
  return new Response(answer.body.pipeThrough(new TransformStream({ transform: count })), answer);
};

const absolute = (address) => new URL(address, import.meta.url).href;
const STDLIB = "python_stdlib.zip";
/** Questions about a model, and of the course: what they need was in memory when the page was made, or is asked for again. */
const OF_A_MODEL = new Set(["answer", "course", "loss", "passport", "recheck", "worlds"]);
/** Milliseconds without a question before the files are unpacked. */
const QUIET = 1000;

async function bytes(address) {
  const answer = await fetch(absolute(address));
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}: ${address}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Where unpacked files are kept for the next visit, one place for each program; none where the browser keeps nothing. */
const KEPT = `pkdp ${PROGRAM}`;
const kept = globalThis.caches?.open(KEPT).catch(() => null);
globalThis.caches?.keys().then((names) => names.forEach((name) => name.startsWith("pkdp ") && name !== KEPT && caches.delete(name))).catch(() => {});

/** A packed file of the program, unpacked: as it was kept, or fetched. */
async function unpacked(name) {
  const [address, place] = [absolute(PROGRAM + name), await kept];
  const before = await place?.match(address);
  if (before) return new Uint8Array(await before.arrayBuffer());
  const content = decompress(await bytes(PROGRAM + name));
  place?.put(address, new Response(content)).catch(() => {}); // a copy: the memory is changed below
  return content;
}

/** The interpreter's script, unpacked: a fifth of its size. Where a host's rules allow no such script it comes as its file. */
async function script() {
  const address = URL.createObjectURL(new Blob([await unpacked("script.zst")], { type: "text/javascript" }));
  try {
    return await import(address);
  } catch {
    return import(absolute(`${RUNTIME}pyodide.asm.mjs`));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The libraries, compiled; they are packed one after the other. */
async function compiled(unpackedLibraries) {
  const all = await unpackedLibraries;
  let end = 0;
  return LIBRARIES.map(([path, size]) => ({ path, compiled: WebAssembly.compile(all.subarray(end, (end += size))) }));
}

async function started() {
  const [libraries, memory] = ["libraries.zst", "memory.zst"].map(unpacked);
  memory.catch(() => {}); // it is awaited below, where another way is taken
  const [{ loadPyodide }, { default: create }] = await Promise.all([import(absolute(`${RUNTIME}pyodide.mjs`)), script()]);
  const settings = { loadPyodide, create, runtime: absolute(RUNTIME), site: SITE, libraries: await compiled(libraries) };
  try {
    const python = await begin({ ...settings, snapshot: await memory, sum: CHECKSUM, varying: VARYING, stdLibURL: absolute(`${RUNTIME}empty.zip`) });
    return { python, session: python.globals.get("session"), complete: false };
  } catch (error) {
    console.warn(`The program is loaded piece by piece: ${error}`);
    const python = await begin(settings);
    unpack(python, decompress(await bytes(`${PROGRAM}program.zst`)), SITE);
    return { python, session: python.runPython("from verifier.wings.explore.routes import Session\nSession()"), complete: true };
  }
}

let files = null;

/** Put the files of the program, and of Python, where the interpreter looks for them. */
async function complete(program) {
  files ??= Promise.all([bytes(RUNTIME + STDLIB), bytes(`${PROGRAM}program.zst`)]);
  const [library, archive] = await files;
  if (program.complete) return;
  const { python } = program;
  python.FS.writeFile("/lib/python314.zip", library);
  unpack(python, decompress(archive), SITE);
  program.complete = true;
}

async function reply(name, body) {
  const program = await running;
  const { session } = program;
  if (!program.complete && !OF_A_MODEL.has(name)) await complete(program);
  try {
    return session.reply(name, body); // undefined is Python's None
  } catch (error) {
    if (program.complete) throw error;
    await complete(program);
    return session.reply(name, body);
  }
}

const running = started();
let timer = null;

addEventListener("message", async ({ data: { name, body } }) => {
  clearTimeout(timer);
  try {
    postMessage(name === "ready" ? { ready: Boolean(await running) } : { answer: await reply(name, body) });
    timer = setTimeout(async () => complete(await running).catch(() => { files = null; }), QUIET);
  } catch (error) {
    postMessage({ failed: String(error) });
  }
});
