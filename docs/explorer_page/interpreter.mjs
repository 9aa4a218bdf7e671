// The interpreter of the page, for the browser and for the build: its libraries stand in memory, in one fixed order,
// before Python begins, so that the memory of one interpreter can be that of another.

/** The settings of a process that could change what memory holds. */
const ENVIRONMENT = { HOME: "/home/pyodide", LANG: "C.UTF-8", PYTHONHASHSEED: "0" };

/** The functions of the libraries begin at a multiple of this number. */
const TABLE = 64;

/** Where memory says how this machine calls functions of Python: each has its own way. */
const ownWord = (module) => (module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >> 2]) >> 2;

/** Load the libraries: their data and functions get the same places in every interpreter. */
async function link(module, site, libraries) {
  const symbols = {};
  await libraries[0].compiled;
  const { wasmTable } = module; // browsers differ in how many functions stand before those of the libraries
  wasmTable.grow(TABLE - (wasmTable.length % TABLE));
  for (const { path, compiled } of libraries) {
    const name = path.startsWith("python_flint.libs/") ? path.slice("python_flint.libs/".length) : `${site}/${path}`;
    const library = module.newDSO(name, undefined, "loading");
    library.global = false;
    library.exports = await module.loadWebAssemblyModule(await compiled, { loadAsync: true, nodelete: true, allowUndefined: true }, name, symbols);
    Object.assign(symbols, library.exports);
    module.LDSO.loadedLibsByName[`${site}/${path}`] = library;
  }
}

/** A sum of all words of a memory, which says whether two are the same. */
export function checksum(bytes) {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  let sum = 0;
  for (let k = 0; k < words.length; k += 1) sum = (Math.imul(sum, 31) + words[k]) | 0; // an iterator takes ten times as long
  return sum;
}

/** Empty what is this machine's own. */
export const common = (module, memory) => { new Int32Array(memory.buffer, memory.byteOffset)[ownWord(module)] = 0; };

/** Where the memory in a snapshot of Pyodide begins. */
export const headLength = (snapshot) => new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2)[1];

/** Combine the memory as it is when the libraries are loaded with what differs from it, in place. */
export function combine(memory, difference) {
  const [from, to] = [memory, difference].map((bytes) => new Uint32Array(bytes.buffer, bytes.byteOffset, Math.min(memory.length, difference.length) >> 2));
  for (let k = 0; k < to.length; k += 1) to[k] ^= from[k];
}

/** A memory without what is by chance another one in every interpreter, such as the seeds of random numbers. */
export function forget(memory, varying) {
  for (const [from, to] of varying) memory.fill(0, from, to);
  return memory;
}

/**
 * Begin an interpreter: with `snapshot` it continues where another one stood, else it begins anew. `begun` is called
 * with its memory when the libraries are loaded.
 */
export async function begin({ loadPyodide, create, runtime, site, libraries, snapshot, sum, varying, begun, ...rest }) {
  const createPyodideModule = (settings) => new Promise((resolve, reject) => {
    settings.preRun.push((module) => {
      module.addRunDependency("libraries");
      link(module, site, libraries).then(() => module.removeRunDependency("libraries")).catch(reject);
    });
    settings.onRuntimeInitialized = () => {
      try {
        begun?.(settings.HEAPU8);
        if (snapshot !== undefined) remember(settings, snapshot, { sum, varying });
      } catch (error) {
        reject(error);
      }
    };
    create(settings).then(resolve, reject);
  });
  return loadPyodide({ indexURL: runtime, _sysExecutable: "./this.program", env: { ...ENVIRONMENT }, createPyodideModule, ...(snapshot ? { _loadSnapshot: snapshot } : {}), ...rest });
}

/** Make room for the memory of a snapshot, which is written as what differs. */
function remember(module, snapshot, { sum, varying }) {
  const memory = snapshot.subarray(headLength(snapshot));
  const [place, own] = [ownWord(module), module.HEAP32[ownWord(module)]];
  module.HEAP32[place] = 0;
  combine(forget(module.HEAPU8, varying), memory);
  if (checksum(memory) !== sum) throw new Error("the memory is that of another interpreter");
  new Int32Array(memory.buffer, memory.byteOffset)[place] = own;
  module.growMemory(memory.length);
}

/** Put a file of the program, and all that it holds, where the interpreter looks for it. */
export function unpack(python, archive, site) {
  python.unpackArchive(archive, "zip", { extractDir: site });
  python.runPython("import importlib; importlib.invalidate_caches()");
}
